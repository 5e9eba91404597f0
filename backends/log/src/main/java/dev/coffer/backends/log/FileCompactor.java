package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreFullException;
import dev.coffer.vfs.spi.CompactStep;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a single-file store is compacted, and drives the compaction: asked for, or in the
 * background once more than about a third of the file is dead. Thread-safe.
 */
final class FileCompactor implements Compactor {
  private static final long STEP_BYTES = 1024 * 1024;
  private static final long CHECK_BYTES = 1024 * 1024;

  /** A store is left alone while this much, and this share of what is live, may be dead. */
  private static final long LEAST_EXCESS = 4 * 1024 * 1024;

  private static final double MOST_OVERHEAD = 0.4;

  /** After a failure nothing is tried before the file grew by this much. */
  private static final long AFTER_FAILURE = 64L * 1024 * 1024;

  private static final long PAUSE_NANOS = 2_000_000;

  private final Storage storage;
  private final Storage.@Nullable Lock storeLock;
  private final Live live;
  private final IndexKeeper keeper;
  private final IndexFiles files;
  private final Tuning tuning;
  private final Lock writeLock;
  private final Runnable healer;
  private final ReentrantLock lock = new ReentrantLock();

  private @Nullable Compaction current;
  private volatile @Nullable Thread thread;
  private volatile boolean stopped;

  /** Where the file must end before it is looked at again; guarded by the write lock. */
  private long nextCheck;

  /**
   * @param writeLock held by whoever commits
   * @param healer makes a damaged index anew
   */
  FileCompactor(
      Storage storage,
      Storage.@Nullable Lock storeLock,
      Live live,
      IndexKeeper keeper,
      IndexFiles files,
      Tuning tuning,
      Lock writeLock,
      Runnable healer) {
    this.storage = storage;
    this.storeLock = storeLock;
    this.live = live;
    this.keeper = keeper;
    this.files = files;
    this.tuning = tuning;
    this.writeLock = writeLock;
    this.healer = healer;
  }

  /** One step of a compaction that was asked for; called while nobody commits. */
  @Override
  public CompactStep step(long budgetBytes) throws StoreException {
    lock.lock();
    try {
      return stepLocked(budgetBytes, true);
    } finally {
      lock.unlock();
    }
  }

  private CompactStep stepLocked(long budgetBytes, boolean mayWait) throws StoreException {
    boolean sound = false;
    try {
      Compaction compaction = current;
      if (compaction == null) {
        compaction = Compaction.begin(storage, storeLock, live, keeper, files, tuning);
        current = compaction;
      }
      if (compaction == null) {
        sound = true;
        return new CompactStep(true, 0, 0);
      }
      long before = compaction.movedBytes();
      boolean ready = compaction.copy(budgetBytes) && (mayWait || !keeper.isBusy());
      long freed = ready ? finish(compaction) : 0;
      sound = true;
      return new CompactStep(ready, compaction.movedBytes() - before, freed);
    } catch (StoreFullException e) {
      throw Compaction.full(live, e);
    } finally {
      if (!sound) {
        abandon();
      }
    }
  }

  private long finish(Compaction compaction) throws StoreException {
    writeLock.lock();
    try {
      keeper.drain();
      long freed = compaction.finish();
      current = null;
      nextCheck = 0;
      return freed;
    } finally {
      writeLock.unlock();
    }
  }

  private void abandon() {
    Compaction compaction = current;
    current = null;
    if (compaction != null) {
      compaction.abandon();
    }
  }

  /** A commit was made; called with the write lock held. */
  @Override
  public void committed() throws StoreException {
    long end = live.active().written();
    if (end < nextCheck || !tuning.inBackground() || thread != null || stopped) {
      return;
    }
    nextCheck = end + CHECK_BYTES;
    long needed = Compaction.neededBytes(live);
    if (end - needed > LEAST_EXCESS + MOST_OVERHEAD * needed) {
      Thread worker = new Thread(this::work, "coffer-log-compaction");
      worker.setDaemon(true);
      thread = worker;
      worker.start();
    }
  }

  private void work() {
    boolean done = false;
    try {
      while (!done && !stopped) {
        lock.lock();
        try {
          done = stepLocked(STEP_BYTES, false).done();
        } finally {
          lock.unlock();
        }
        LockSupport.parkNanos(done ? 1 : PAUSE_NANOS); // Commits go first.
      }
    } catch (IndexDamage e) {
      healer.run();
    } catch (StoreException e) {
      done = false; // No room, or damage: those who read or write the file are told.
    } finally {
      rest(done);
    }
  }

  private void rest(boolean done) {
    writeLock.lock();
    try {
      // What was written meanwhile may be worth another round at once.
      nextCheck = done ? 0 : live.active().written() + AFTER_FAILURE;
      thread = null;
    } finally {
      writeLock.unlock();
    }
  }

  /** Waits for the background and gives up what is not finished; nobody commits any more. */
  @Override
  public void close() {
    stopped = true;
    Thread worker = thread;
    boolean interrupted = false;
    while (worker != null && worker.isAlive()) {
      try {
        worker.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    lock.lock();
    try {
      abandon();
    } finally {
      lock.unlock();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
