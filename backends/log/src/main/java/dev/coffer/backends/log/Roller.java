package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreFailedException;
import dev.coffer.vfs.StoreFullException;
import java.io.IOException;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.Lock;

/**
 * Changes the segments of an open folder store: finishes the active one and goes on in a new one,
 * and takes out those that compaction has emptied.
 */
final class Roller {
  /** A segment is about this share of what is live, so that dead room in one of them is little. */
  private static final int SHARE = 12;

  /** How many times as long as usual a segment gets if the device is too slow to finish it. */
  private static final int MOST_LIMITS = 3;

  private final Live live;
  private final FolderWriter folder;
  private final Tuning tuning;
  private final Features features;
  private volatile long limit;
  private final RollAhead ahead;

  /** By how much the active segment is longer than it should be. */
  private volatile long over;

  /**
   * @param features what the store uses, which every segment has to say
   */
  Roller(Live live, FolderWriter folder, Tuning tuning, Features features) {
    this.live = live;
    this.folder = folder;
    this.tuning = tuning;
    this.features = features;
    this.ahead = new RollAhead(folder);
    setLimit();
  }

  ManifestLayout manifest() {
    return folder.manifest();
  }

  Reserve reserve() {
    return folder.reserve();
  }

  private void setLimit() {
    long liveBytes = 0;
    for (long each : live.references().segmentLiveBytes().values()) {
      liveBytes += each;
    }
    limit = Math.max(tuning.minSegment(), Math.min(tuning.maxSegment(), liveBytes / SHARE));
  }

  /** From which length on the active segment is finished. */
  long limit() {
    return limit;
  }

  boolean isFull() {
    return live.active().end() >= limit;
  }

  /**
   * Rolls if the active segment is long enough and commits need not wait long for that; called
   * while nobody commits.
   */
  void rollIfFull() throws StoreException {
    Segment active = live.active();
    long end = active.end();
    boolean due = end >= limit;
    if (tuning.inBackground() && end >= limit / 4 * 3) {
      due &= ahead.isReady(active, end) || end >= MOST_LIMITS * limit;
      over = end - limit;
    }
    if (due) {
      roll();
    }
  }

  /** How long who commits is to wait, so that what is got ready gets ready in time; thread-safe. */
  long waitNanos() {
    return Compactor.MOST_WAIT_NANOS * Math.max(0, Math.min(over, limit)) / limit;
  }

  /** Gives up what was got ready for another segment; nobody commits any more. */
  void close() {
    ahead.close();
  }

  static void start(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Finishes the active segment and goes on in a new one, unless there is no room for one; called
   * while nobody commits, though chunks may be staged, and without the store's lock.
   */
  void roll() throws StoreException {
    Segment old = live.active();
    Appender appender = old.appender();
    appender.requireSound();
    FileHeader header = folder.nextHeader();
    Segment young;
    try {
      Storage.OpenFile prepared = ahead.take();
      Storage.OpenFile file = prepared == null ? folder.prepare() : prepared;
      young = new Segment(folder.segment(header), file, header, FileHeader.LENGTH);
    } catch (IOException e) {
      if (Failures.isFull(e)) {
        return; // The old one will do; whether there is room for what comes is seen then.
      }
      throw Failures.writing(folder.segment(header), FileHeader.LENGTH, e);
    }
    appender.force(); // So that little is left to force once the end is there.
    SegmentInfo finished;
    try {
      finished = goOver(old, appender, young);
    } catch (StoreFullException e) {
      discardPrepared();
      return;
    }
    try {
      folder.roll(finished, new BothForced(appender, young.appender()));
    } catch (StoreException e) {
      throw latched(e);
    }
    over = 0;
    setLimit();
  }

  private void discardPrepared() {
    try {
      folder.discardPrepared();
    } catch (IOException e) {
      // The next opening deletes it.
    }
  }

  /** Forces two files at once, beside what the caller forces: each waits for the same device. */
  private final class BothForced implements FolderWriter.Forcing {
    private final FutureTask<Boolean> finished;
    private final FutureTask<Boolean> young;

    BothForced(Appender finished, Appender young) {
      this.finished = new FutureTask<>(() -> force(finished));
      this.young = new FutureTask<>(() -> force(young));
    }

    private boolean force(Appender appender) throws StoreException {
      folder.reserve().run(appender::force);
      return true;
    }

    @Override
    public void start() {
      if (tuning.inBackground()) {
        Roller.start(finished, "coffer-log-roll");
        Roller.start(young, "coffer-log-roll");
      } else {
        finished.run();
        young.run();
      }
    }

    @Override
    public void await() throws StoreException {
      await(finished);
      await(young);
    }

    private void await(FutureTask<?> task) throws StoreException {
      boolean interrupted = false;
      try {
        while (true) {
          try {
            var unused = task.get();
            return;
          } catch (InterruptedException e) {
            interrupted = true;
          }
        }
      } catch (ExecutionException e) {
        throw e.getCause() instanceof StoreException declared
            ? declared
            : new StoreFailedException("cannot force a segment", e);
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }

  /** After this it is unknown which segments are in force, or what they hold. */
  private StoreFailedException latched(StoreException cause) {
    StoreFailedException failed =
        cause instanceof StoreFailedException same
            ? same
            : new StoreFailedException(
                "cannot go over to another segment: file=" + live.active().path, cause);
    live.appender().latch(failed);
    return failed;
  }

  private SegmentInfo goOver(Segment old, Appender appender, Segment young) throws StoreException {
    live.lock.lock();
    Appender.Mark mark = appender.mark();
    boolean done = false;
    try {
      Snapshot snapshot = live.snapshot();
      if (appender.batchCount() > 0) {
        Live.Frame frame = appendMoveFrame(appender, live, snapshot);
        live.frame(frame); // Staged chunks must count, though no commit names them yet.
      }
      LogEnd.appendTrailer(
          appender,
          snapshot,
          live.frame().offset(),
          live.references().liveBytes(),
          live.nextContentId(),
          0);
      appender.write();
      done = true;
      if (appender.isFilledAhead()) {
        appender.trim();
      }
      appender.endBatch();
      SegmentInfo finished = describe(old, snapshot, appender.written());
      Appender next =
          new Appender(
              live.lock,
              young.path,
              young.file,
              young.home,
              appender.epoch() + 1,
              FileHeader.LENGTH,
              false);
      EpochLayout epoch = new EpochLayout(Instant.now(), features, snapshot.sequence());
      next.append(RecordKind.EPOCH, next.epoch(), epoch.encode());
      next.endBatch();
      next.fillAhead(tuning.aheadBytes());
      young.appendWith(next);
      young.startedAt(snapshot.sequence(), 0);
      old.finish();
      live.frame(Live.Frame.NONE);
      live.publishSegments(
          snapshot.segments().plus(young), new Location(young.number(), next.tail()));
      return finished;
    } finally {
      if (!done) {
        appender.rollback(mark);
        young.release();
      }
      live.lock.unlock();
    }
  }

  /** Appends the frame of a batch that changes no entry; answers where it is. */
  static Live.Frame appendMoveFrame(Appender appender, Live live, Snapshot after) {
    long offset =
        BatchWriter.appendFrame(
            appender,
            RecordKind.MOVE,
            after.sequence(),
            Instant.now(),
            after.entryCount(),
            after.listingHash(),
            live.nextContentId());
    return new Live.Frame(offset, appender.lastCrc());
  }

  private SegmentInfo describe(Segment old, Snapshot snapshot, long length) {
    long first = old.startSequence() + 1;
    boolean any = snapshot.sequence() >= first;
    long liveBytes = live.references().segmentLiveBytes().getOrDefault(old.number(), 0L);
    return new SegmentInfo(
        old.number(),
        length,
        any ? first : 0,
        any ? snapshot.sequence() : 0,
        old.lowestVersion(),
        Math.max(0, liveBytes),
        true,
        false);
  }

  /**
   * Takes out segments that nothing is needed of, once what was moved is durable.
   *
   * @param commits the lock that commits hold, taken only to tell them
   */
  void drop(Set<Integer> emptied, Lock commits) throws StoreException {
    try {
      live.force();
      folder.drop(emptied);
    } catch (StoreException e) {
      throw e instanceof StoreFailedException ? latched(e) : e;
    }
    commits.lock();
    live.lock.lock();
    try {
      Snapshot snapshot = live.snapshot();
      live.publishSegments(
          snapshot.segments().without(segment -> emptied.contains(segment.number())),
          snapshot.end());
    } finally {
      live.lock.unlock();
      commits.unlock();
    }
  }
}
