package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Makes the index of an open store anew where a run is found damaged. Thread-safe. */
final class Healing {
  private final Live live;
  private final IndexKeeper keeper;
  private final ReentrantLock writeLock;

  /**
   * @param writeLock held while the index is made anew
   */
  Healing(Live live, IndexKeeper keeper, ReentrantLock writeLock) {
    this.live = live;
    this.keeper = keeper;
    this.writeLock = writeLock;
  }

  /** Does work; if an index run is found damaged, makes the index anew and does it again. */
  <T extends @Nullable Object> T healing(IndexDamage.Reading<T> work) throws StoreException {
    try {
      return work.read();
    } catch (IndexDamage e) {
      heal();
      return work.read();
    }
  }

  void heal() throws StoreException {
    writeLock.lock();
    try {
      keeper.drain();
      new IndexHealer(live).heal();
      keeper.restart(null);
    } finally {
      writeLock.unlock();
    }
  }

  /** Tries to. */
  void healInBackground() {
    try {
      heal();
    } catch (StoreException e) {
      // Whoever reads from the index will try again, and be told.
    }
  }
}
