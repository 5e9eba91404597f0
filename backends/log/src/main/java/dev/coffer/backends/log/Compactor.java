package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.CompactStep;

/** Gives back dead room of an open store, when asked and by itself. Thread-safe. */
interface Compactor {

  /** One step of a compaction that was asked for; called while nobody commits. */
  CompactStep step(long budgetBytes) throws StoreException;

  /** A commit was made; called under the lock that commits hold. */
  void committed() throws StoreException;

  /** Ends what goes on by itself, and waits for it; nobody commits any more. */
  void close();
}
