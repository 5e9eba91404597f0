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
  private static final long CHECK_BYTES = 32 * 1024;

  /**
   * A store that is written is left alone while this much, and this share of what is live, is dead.
   */
  private static final long LEAST_EXCESS = 4 * 1024 * 1024;

  /** A store at rest while only this much, and the same share, is. */
  private static final long REST_EXCESS = 32 * 1024;

  private static final double MOST_OVERHEAD = 0.3;

  /** A store is at rest when it was not written for so many looks at it. */
  private static final int REST_LOOKS = 25;

  private static final long LOOK_NANOS = 10_000_000;

  /** After a failure nothing is tried before the file grew by this much. */
  private static final long AFTER_FAILURE = 64L * 1024 * 1024;

  private static final long PAUSE_NANOS = 2_000_000;

  /** Waiting for less is not worth it. */
  private static final long LEAST_WAIT_NANOS = 50_000;

  private enum Need {
    NONE,
    AT_REST,
    NOW
  }

  private final Storage storage;
  private final Storage.@Nullable Lock storeLock;
  private final Live live;
  private final IndexKeeper keeper;
  private final IndexFiles files;
  private final Tuning tuning;
  private final Lock writeLock;
  private final Healing healer;
  private final ReentrantLock lock = new ReentrantLock();

  private volatile @Nullable Compaction current;
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
      Healing healer) {
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
      Long freed = copy(compaction, budgetBytes) ? finish(compaction, mayWait) : null;
      sound = true;
      return new CompactStep(
          freed != null, compaction.movedBytes() - before, freed == null ? 0 : freed);
    } finally {
      if (!sound) {
        abandon();
      }
    }
  }

  private boolean copy(Compaction compaction, long budgetBytes) throws StoreException {
    try {
      return compaction.copy(budgetBytes);
    } catch (StoreFullException e) {
      throw Compaction.full(storage, live);
    }
  }

  /** Finishes a compaction, or answers null if commits would have to wait for that now. */
  private @Nullable Long finish(Compaction compaction, boolean mayWait) throws StoreException {
    writeLock.lock();
    try {
      if (!mayWait && (keeper.isBusy() || !compaction.isNearlyDone())) {
        return null;
      }
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
    if (need() != Need.NONE) {
      Thread worker = new Thread(this::work, "coffer-log-compaction");
      worker.setDaemon(true);
      thread = worker;
      worker.start();
    }
  }

  private Need need() throws StoreException {
    long needed = Compaction.neededBytes(live);
    double excess = live.active().written() - needed - MOST_OVERHEAD * needed;
    if (excess > LEAST_EXCESS) {
      return Need.NOW;
    }
    return excess > REST_EXCESS ? Need.AT_REST : Need.NONE;
  }

  @Override
  public void brake() {
    Compaction compaction = current;
    if (thread != null && compaction != null && !stopped) {
      long nanos = Math.min(MOST_WAIT_NANOS, compaction.waitNanos());
      if (nanos >= LEAST_WAIT_NANOS) {
        LockSupport.parkNanos(nanos);
      }
    }
  }

  private void work() {
    boolean done = false;
    try {
      while (!stopped && awaitNeed() && compact()) {
        // What was written meanwhile may be worth another round.
      }
      done = true;
    } catch (IndexDamage e) {
      healer.healInBackground();
    } catch (StoreException e) {
      done = false; // No room, or damage: those who read or write the file are told.
    } finally {
      rest(done);
    }
  }

  /** Waits for rest if only that is missing; answers whether there is something to gain. */
  private boolean awaitNeed() throws StoreException {
    long written = -1;
    for (int looks = 0; looks < REST_LOOKS && !stopped; looks++) {
      if (live.active().written() != written) {
        written = live.active().written();
        looks = 0;
        Need need = need();
        if (need != Need.AT_REST) {
          return need == Need.NOW;
        }
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
    return !stopped;
  }

  /** Compacts all; answers whether that was of use. */
  private boolean compact() throws StoreException {
    long expected = live.active().written() - Compaction.neededBytes(live);
    while (!stopped) {
      CompactStep step;
      lock.lock();
      try {
        step = stepLocked(STEP_BYTES, false);
      } finally {
        lock.unlock();
      }
      if (step.done()) {
        return step.freedBytes() >= expected / 2;
      }
      Compaction compaction = current;
      if (compaction == null || compaction.waitNanos() == 0) {
        LockSupport.parkNanos(PAUSE_NANOS); // Commits go first.
      }
    }
    return false;
  }

  private void rest(boolean done) {
    writeLock.lock();
    try {
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
    LockSupport.unpark(worker);
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
