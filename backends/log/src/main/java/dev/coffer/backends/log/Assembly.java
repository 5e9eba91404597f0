package dev.coffer.backends.log;

import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreFailedException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Makes an open store of its files: finds the index, replays the rest, recovers the end. */
final class Assembly {
  /** About what a row takes in memory. */
  private static final int ROW_HEAP = 200;

  private final Storage storage;
  private final Storage.@Nullable Lock writer;
  private final SegmentSet segments;
  private final Segment active;
  private final long length;
  private final IndexFiles files;
  private final Tuning tuning;
  private final Reserve reserve;
  private final List<Problem> problems;
  private final ReentrantLock lock = new ReentrantLock();

  /**
   * @param writer the writer's lock, or null to open for reading only
   * @param segments the files, whose holds go over to the store
   * @param length how long the last of them is
   * @param problems what was found so far, to be added to
   */
  Assembly(
      Storage storage,
      Storage.@Nullable Lock writer,
      SegmentSet segments,
      long length,
      IndexFiles files,
      Tuning tuning,
      Reserve reserve,
      List<Problem> problems) {
    this.storage = storage;
    this.writer = writer;
    this.segments = segments;
    this.active = segments.active();
    this.length = length;
    this.files = files;
    this.tuning = tuning;
    this.reserve = reserve;
    this.problems = problems;
  }

  /**
   * Opens the store.
   *
   * @param sound whether the files are all there, so that they may be written
   * @param folder what changes the set of segments; null in a single-file store
   */
  LogBackend open(boolean sound, @Nullable FolderWriter folder) throws StoreException, IOException {
    IndexFinder finder = new IndexFinder(segments, length, files, problems);
    boolean mayWrite = writer != null && sound && !active.header.sealed();
    Replayed all = replay(finder.find(), finder.rootOffset(), mayWrite);
    Replay.Result replayed = all.result;
    IndexBase base = all.base;
    long rootOffset = all.rootOffset;
    problems.addAll(replayed.problems());
    boolean writable = mayWrite && !replayed.damaged() && replayed.features().isWritable();
    if (active.header.sealed() && !replayed.closed()) {
      problems.add(new Problem(null, replayed.end(), "sealed store is damaged at its end"));
    } else {
      reportTail(replayed, length, problems);
    }
    Snapshot snapshot = replayed.snapshot();
    if (writable) {
      Appender appender = recover(replayed, base);
      appender.fillAhead(tuning.aheadBytes());
      active.appendWith(appender);
      active.startedAt(replayed.startSequence(), replayed.lowestVersion());
      files.keepOnly(base == null || rootOffset > 0 ? null : base.root());
      if (!appender.isUntouched()) {
        snapshot = snapshot.withEnd(new Location(active.number(), appender.written()));
      }
    }
    Live live =
        new Live(lock, snapshot, replayed.references(), replayed.nextContentId(), replayed.frame());
    IndexKeeper keeper =
        new IndexKeeper(
            live,
            files,
            tuning,
            replayed.features().plus(Features.WRITTEN),
            base == null ? null : base.root(),
            rootOffset,
            replayed.rows() * ROW_HEAP);
    if (writable && folder != null) {
      folder.files().sweep(folder.manifest(), true);
    }
    return new LogBackend(
        storage, writer, live, keeper, files, tuning, reserve, writable, folder, problems);
  }

  /**
   * @param base what replay went on from, or null
   * @param rootOffset where in the log its root lies, or 0
   */
  private record Replayed(Replay.Result result, @Nullable IndexBase base, long rootOffset) {}

  /** Replays what the index does not know; all, if it turns out to be damaged when it is asked. */
  private Replayed replay(@Nullable IndexBase base, long rootOffset, boolean mayWrite)
      throws StoreException {
    try {
      Spill spill = new Spill(segments, files, tuning, base, rootOffset == 0);
      Replay.Result result = mayWrite ? spill.replay(length) : Replay.run(segments, length, base);
      if (mayWrite && base != null && base.endInLog() > Math.max(result.end(), result.sound())) {
        return replay(null, 0, mayWrite); // Parts of it lie in the tail that is cut off.
      }
      result.references().begin(result.nextContentId());
      return new Replayed(result, spill.base(), spill.isBeside() ? 0 : rootOffset);
    } catch (IndexDamage e) {
      if (base == null) {
        throw new StoreCorruptException("index cannot be made: " + e.getMessage(), null, -1, e);
      }
      return replay(null, 0, mayWrite);
    }
  }

  /** Tells of a missing or misplaced end, unless damage tells more. */
  static void reportTail(Replay.Result replayed, long length, List<Problem> problems) {
    if (replayed.damaged()) {
      return;
    }
    long end = replayed.end();
    if (!replayed.closed()) {
      problems.add(
          new Problem(
              null,
              end,
              "store was not closed cleanly: lastCommit="
                  + replayed.snapshot().sequence()
                  + " unfinishedBytes="
                  + (length - end)));
    } else if (length > end + RecordHeader.LENGTH + TrailerLayout.LENGTH) {
      problems.add(
          new Problem(
              null,
              end + RecordHeader.LENGTH + TrailerLayout.LENGTH,
              "file goes on behind its end: excessBytes="
                  + (length - end - RecordHeader.LENGTH - TrailerLayout.LENGTH)));
    }
  }

  private Appender newAppender(int epoch, long end, boolean closed) {
    return new Appender(lock, active.path, active.file, active.home, epoch, end, closed);
  }

  /**
   * Makes the file ready to append to; an unfinished tail goes, and a new epoch says so, or what an
   * older version's store holds from now on. What the index needs stays: it may lie behind the last
   * commit, of a store that was closed, and not committed to since.
   *
   * @param base the index that is gone on from, or null
   */
  private Appender recover(Replay.Result replayed, @Nullable IndexBase base) throws StoreException {
    long end = Math.max(replayed.end(), base == null ? 0 : base.endInLog());
    boolean clean = replayed.closed() && length == end + RecordHeader.LENGTH + TrailerLayout.LENGTH;
    if (clean && replayed.features().allowWritten()) {
      return newAppender(replayed.epoch(), end, true);
    }
    Appender appender = newAppender(replayed.epoch() + 1, end, false);
    appender.lock.lock();
    try {
      if (length > end) {
        active.file.truncate(end);
      }
      active.file.force(true); // An epoch record says that all before it is forced.
      LogOpener.beginEpoch(appender, replayed.epoch() + 1, replayed.snapshot().sequence());
      reserve.run(appender::write);
      active.file.force(true);
    } catch (StoreException e) {
      throw e;
    } catch (IOException e) {
      throw new StoreFailedException("cannot recover store: file=" + active.path, e);
    } finally {
      appender.lock.unlock();
    }
    return newAppender(replayed.epoch() + 1, appender.written(), false);
  }
}
