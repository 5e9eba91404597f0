package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.CompactStep;

/** Gives back dead room of an open store, when asked and by itself. Thread-safe. */
interface Compactor {

  /** One step of a compaction that was asked for; called while nobody commits. */
  CompactStep step(long budgetBytes) throws StoreException;

  /** A commit was made; called under the lock that commits hold. */
  void committed() throws StoreException;

  /**
   * Makes who commits wait a little if commits outrun compaction: at most {@link #MOST_WAIT_NANOS};
   * called after a commit, without any lock.
   */
  void brake();

  /** So that no write waits longer than 25 ms in all. */
  long MOST_WAIT_NANOS = 5_000_000;

  /** Ends what goes on by itself, and waits for it; nobody commits any more. */
  void close();
}
