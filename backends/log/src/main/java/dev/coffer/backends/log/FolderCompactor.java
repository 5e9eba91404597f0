package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreFullException;
import dev.coffer.vfs.spi.CompactStep;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Gives back room of a folder store: moves what is live of the segments with the most dead room to
 * the end of the log, a little at a time, and drops them. By itself, in a thread of its own, so
 * that little room is dead; and all there is when asked.
 *
 * <p>Commits wait for one small batch at most. Thread-safe.
 */
final class FolderCompactor implements Compactor {
  /** How much is moved while commits wait: it takes a few milliseconds. */
  private static final long STEP_BYTES = 512 * 1024;

  /** Compaction starts by itself once files are this much longer than what is live, in percent. */
  private static final long START_PERCENT = 135;

  private static final long STOP_PERCENT = 125;

  /** Commits are slowed down from here on, up to the most here. */
  private static final long BRAKE_PERCENT = 175;

  private static final long HARD_BRAKE_PERCENT = 275;

  private static final long PAUSE_NANOS = 2_000_000;

  private static final int COMMITS_BETWEEN = 16;
  private static final long BYTES_BETWEEN = 64 * 1024;

  /** At rest a small store has this much dead room at most, besides its share. */
  private static final long REST_EXCESS = 32 * 1024;

  /** A store is at rest when it was not written for so many looks at it. */
  private static final int REST_LOOKS = 25;

  private static final long LOOK_NANOS = 10_000_000;
  private static final int MAX_WAITS = 5000;

  private final Live live;
  private final Roller roller;
  private final IndexKeeper keeper;
  private final ReentrantLock commits;
  private final Tuning tuning;
  private final Healing healer;
  private final ReentrantLock busy = new ReentrantLock();

  private final Victims victims;
  private @Nullable Job job;

  /** While everything is compacted: segments from this on hold what was moved. */
  private int fence;

  private volatile boolean stopped;
  private volatile boolean wanted;
  private volatile long brakeNanos;
  private volatile @Nullable Thread thread;
  private volatile boolean atRestWanted;
  private int commitsSince;
  private long lookedAt;
  private int waits;

  /** One segment being emptied. */
  private record Job(Segment victim, SegmentReader reader, SegmentMover mover) {}

  /**
   * @param commits the lock that commits hold
   */
  FolderCompactor(
      Storage storage,
      Live live,
      Roller roller,
      IndexKeeper keeper,
      ReentrantLock commits,
      Tuning tuning,
      Healing healer) {
    this.live = live;
    this.victims = new Victims(storage, live);
    this.roller = roller;
    this.keeper = keeper;
    this.commits = commits;
    this.tuning = tuning;
    this.healer = healer;
  }

  /**
   * Moves up to about so many bytes, and drops what is empty then; all of it is to be compacted.
   */
  @Override
  public CompactStep step(long budgetBytes) throws StoreException {
    busy.lock();
    try {
      long movedBytes = 0;
      long freedBytes = 0;
      while (movedBytes < budgetBytes) {
        Job current = job == null ? next(true) : job;
        if (current == null) {
          fence = 0;
          return new CompactStep(true, movedBytes, freedBytes);
        }
        movedBytes += advance(current, Math.min(STEP_BYTES, budgetBytes - movedBytes));
        freedBytes += finishIfDone(current);
      }
      return new CompactStep(false, movedBytes, freedBytes);
    } catch (StoreFullException e) {
      throw noRoom(e);
    } finally {
      busy.unlock();
    }
  }

  /** Gives up what is under way; a later attempt starts over, and finds what was moved. */
  private StoreFullException noRoom(StoreFullException cause) {
    Job current = job;
    job = null;
    fence = 0;
    return current == null ? cause : victims.full(current.victim);
  }

  /** The next segment to empty, ready; null if none is worth it. */
  private @Nullable Job next(boolean all) throws StoreException {
    if (all && fence == 0) {
      rollIfWorth();
      fence = live.active().number();
    }
    Segment victim = all ? victims.next(fence) : victims.leastUtilized();
    if (victim == null) {
      return null;
    }
    commits.lock();
    try {
      Location covered = keeper.covered();
      if (covered != null && covered.segment() <= victim.number()) {
        // Replay from what the index covers needs every segment from there on.
        if (!all) {
          keeper.coverSoon();
          waits++;
          return null;
        }
        keeper.cover();
      }
      waits = 0;
      victim.retire();
    } finally {
      commits.unlock();
    }
    job = new Job(victim, new SegmentReader(live, victim), new SegmentMover(live, victim));
    return job;
  }

  private void rollIfWorth() throws StoreException {
    commits.lock();
    try {
      if (victims.isWorth(live.active())) {
        roller.roll();
      }
    } finally {
      commits.unlock();
    }
  }

  /** Moves a little of a segment; answers how many bytes. */
  private long advance(Job current, long budget) throws StoreException {
    List<Move> moves = current.reader.next(budget);
    return moves.isEmpty() ? 0 : move(current, moves);
  }

  private long move(Job current, List<Move> moves) throws StoreException {
    commits.lock();
    try {
      roller.rollIfFull();
      int number = current.victim.number();
      boolean hasOlder = roller.manifest().segments().get(0).number() < number;
      SegmentMover.Result result =
          roller
              .reserve()
              .retrying(
                  () -> current.mover.move(moves, sequence -> mayHide(number, sequence), hasOlder));
      victims.keeps(live.active().number(), result.keptBytes());
      keeper.committed(result.heapBytes());
      return result.bytes();
    } finally {
      commits.unlock();
    }
  }

  /** Whether a segment older than one may hold a put that a deletion of a sequence hides. */
  private boolean mayHide(int number, long sequence) {
    for (SegmentInfo each : roller.manifest().segments()) {
      boolean puts = each.lowestVersion() > 0 && each.lowestVersion() < sequence;
      if (each.number() < number && puts) {
        return true;
      }
    }
    return false;
  }

  /** Drops a segment that is empty; answers how many bytes that gives back. */
  private long finishIfDone(Job current) throws StoreException {
    if (!current.reader.isDone()) {
      return 0;
    }
    job = null;
    int number = current.victim.number();
    // Sequence and ids must not be lost with the frames that had them.
    var unused = move(current, List.of());
    long left;
    live.lock.lock();
    try {
      left = live.references().liveBytes(number);
    } finally {
      live.lock.unlock();
    }
    if (left != 0) {
      victims.stuck(number);
      return 0;
    }
    roller.drop(Set.of(number), commits);
    victims.dropped(number);
    return current.victim.end();
  }

  /** A commit was made: sees now and then whether there is something to do; under its lock. */
  @Override
  public void committed() {
    if (!tuning.inBackground() || stopped) {
      return;
    }
    long written = live.active().written();
    boolean look =
        ++commitsSince >= COMMITS_BETWEEN || Math.abs(written - lookedAt) >= BYTES_BETWEEN;
    if (!wanted && look) {
      commitsSince = 0;
      lookedAt = written;
      startIfBehind();
    }
  }

  @Override
  public void brake() {
    long nanos = Math.max(brakeNanos, roller.waitNanos());
    if (nanos > 0 && !stopped) {
      LockSupport.parkNanos(nanos);
    }
  }

  /** Starts if there is much to do; called under the lock of commits. */
  void startIfBehind() {
    if (!tuning.inBackground()) {
      return;
    }
    if (isBehind(START_PERCENT)) {
      wanted = true;
      wake();
    } else if (!atRestWanted && isWorthAtRest()) {
      atRestWanted = true;
      wake();
    }
  }

  /**
   * Whether a store of a few segments, of which only one may be finished, is long for its content.
   */
  private boolean isWorthAtRest() {
    Victims.Lengths now = victims.lengths();
    return now.all() <= 2 * tuning.minSegment()
        && now.all() > now.live() * START_PERCENT / 100 + REST_EXCESS;
  }

  /** Whether files are so many percent of what is live, and more than a few segments. */
  private boolean isBehind(long percent) {
    return percentOfLive() > percent;
  }

  /** How long files are in percent of what is live; 0 if they are only a few segments. */
  private long percentOfLive() {
    Victims.Lengths now = victims.lengths();
    return now.all() > 2 * tuning.minSegment() ? 100 * now.all() / Math.max(1, now.live()) : 0;
  }

  private void wake() {
    if (thread == null) {
      thread = new Thread(this::run, "coffer-log-compact");
      thread.setDaemon(true);
      thread.start();
    } else {
      LockSupport.unpark(thread);
    }
  }

  private void run() {
    while (!stopped) {
      if (!wanted && !atRestWanted) {
        LockSupport.park(this);
        continue;
      }
      try {
        if (wanted) {
          wanted = healer.healing(this::stepByItself);
        } else if (awaitRest()) {
          atRestWanted = healer.healing(this::stepAtRest);
        }
      } catch (StoreFullException e) {
        giveUp(false);
      } catch (StoreException e) {
        giveUp(true);
      }
    }
  }

  /** Waits until nothing was written for a while; false if that will not do. */
  private boolean awaitRest() {
    Location end = live.snapshot().end();
    for (int looks = 0; looks < REST_LOOKS && !wanted && !stopped; looks++) {
      LockSupport.parkNanos(LOOK_NANOS);
      Location now = live.snapshot().end();
      if (!now.equals(end)) {
        end = now;
        looks = 0;
      }
    }
    return !wanted && !stopped;
  }

  /** One step of compacting a small store whole; answers whether there is more to do. */
  private boolean stepAtRest() throws StoreException {
    busy.lock();
    try {
      boolean done = stopped || step(STEP_BYTES).done();
      if (wanted) {
        fence = 0; // Whoever compacts all next starts over.
      }
      live.force();
      return !done;
    } finally {
      busy.unlock();
    }
  }

  /** What cannot be read stays; whoever asks for compaction, or writes, learns what is wrong. */
  private void giveUp(boolean forGood) {
    busy.lock();
    try {
      if (job != null && forGood) {
        victims.stuck(job.victim.number());
      }
      job = null;
    } finally {
      busy.unlock();
    }
    wanted = false;
    atRestWanted = false;
    brakeNanos = 0;
  }

  /** One small step; answers whether there is more to do. */
  private boolean stepByItself() throws StoreException {
    busy.lock();
    try {
      if (stopped) {
        return false;
      }
      brakeNanos = brakeNanos(percentOfLive());
      Job current = job;
      if (current == null) {
        current = isBehind(STOP_PERCENT) ? next(false) : null;
        if (current == null) {
          brakeNanos = 0;
          return awaitsIndex();
        }
      }
      var unused = advance(current, STEP_BYTES);
      live.force(); // Bit by bit, so that no commit has to wait for all of it.
      unused = finishIfDone(current);
      return true;
    } finally {
      busy.unlock();
    }
  }

  /** How long each commit is to wait: the longer, the further compaction is behind. */
  private static long brakeNanos(long percent) {
    long over = Math.min(percent, HARD_BRAKE_PERCENT) - BRAKE_PERCENT;
    return Math.max(0, MOST_WAIT_NANOS * over / (HARD_BRAKE_PERCENT - BRAKE_PERCENT));
  }

  /** Waits a little if the index must cover more of the log first; answers whether that is so. */
  private boolean awaitsIndex() {
    if (waits == 0 || waits > MAX_WAITS) {
      waits = 0;
      return false;
    }
    LockSupport.parkNanos(PAUSE_NANOS);
    return true;
  }

  /** Ends what goes on by itself; waits for the step under way. */
  @Override
  public void close() {
    stopped = true;
    brakeNanos = 0;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
    busy.lock(); // The step under way ends first.
    try {
      job = null;
    } finally {
      busy.unlock();
    }
  }
}
