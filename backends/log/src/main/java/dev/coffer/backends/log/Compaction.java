package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreFailedException;
import dev.coffer.vfs.StoreFullException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Copies what is live of a single-file store into a new file, which then takes the old one's place:
 * a crash leaves the one or the other, whole. The old file stays readable to whoever holds it.
 *
 * <p>First a snapshot is copied, then, record by record, what was committed meanwhile; both without
 * a lock, in steps, while commits go on. Only the last few records are copied while commits wait.
 * For one thread at a time; {@link #finish} while nobody commits.
 */
final class Compaction {
  /** Files smaller than this share above what is live are left alone. */
  private static final int WORTH_DIVISOR = 100;

  private static final int FIXED_BYTES = 512;

  /** So much may be left to copy while commits wait. */
  private static final long SHORT_TAIL = 256 * 1024;

  /** And so much to force: a few milliseconds. */
  private static final long SHORT_FORCE = 1024 * 1024;

  /** What is copied is forced bit by bit, so that nobody else waits for all of it. */
  private static final long FORCE_BYTES = 8 * 1024 * 1024;

  /** While so much is copied, the log may grow by one. */
  private static final int COPIED_PER_WRITTEN = 4;

  /** But for so much, at once. */
  private static final long FREE_BYTES = 1024 * 1024;

  private enum Phase {
    CHUNKS,
    ROWS,
    TAIL,
    ENDED
  }

  private final Storage storage;
  private final Storage.@Nullable Lock lock;
  private final Live live;
  private final IndexKeeper keeper;
  private final Snapshot from;
  private final Segment old;
  private final Path temporary;
  private final YoungFile young;
  private final List<Map.Entry<Long, ChunkInfo>> chunks;
  private Phase phase = Phase.CHUNKS;
  private int nextChunk;
  private @Nullable RowCursor rows;
  private @Nullable TailCopy tail;
  private final long startNanos = System.nanoTime();

  /** For {@link #waitNanos}: how much was copied, and up to where of what was committed since. */
  private volatile long copiedBytes;

  private volatile long copiedUpTo = Long.MAX_VALUE;

  private Compaction(
      Storage storage,
      Storage.@Nullable Lock lock,
      Live live,
      IndexKeeper keeper,
      Snapshot from,
      YoungFile young,
      Path temporary)
      throws StoreException {
    this.storage = storage;
    this.lock = lock;
    this.live = live;
    this.keeper = keeper;
    this.from = from;
    this.old = from.segments().active();
    this.young = young;
    this.temporary = temporary;
    this.chunks = aliveChunks(live);
  }

  /** Begins to compact a store, or answers null if nothing is to be gained. */
  static @Nullable Compaction begin(
      Storage storage,
      Storage.@Nullable Lock lock,
      Live live,
      IndexKeeper keeper,
      IndexFiles files,
      Tuning tuning)
      throws StoreException {
    live.appender().requireSound();
    long needed = neededBytes(live);
    long excess = live.active().end() - needed;
    if (live.snapshot().sequence() == 0 || excess <= FIXED_BYTES + needed / WORTH_DIVISOR) {
      return null;
    }
    long usable = storage.usableBytes(live.active().path);
    if (usable >= 0 && usable < needed) {
      throw full(storage, live); // Rather than fill the device first.
    }
    Snapshot from = live.hold();
    Path path = from.segments().active().path;
    Path temporary = LogOpener.temporary(path);
    YoungFile young = null;
    boolean begun = false;
    try {
      young = new YoungFile(storage.create(temporary), live, from, files, tuning);
      Compaction compaction = new Compaction(storage, lock, live, keeper, from, young, temporary);
      begun = true;
      return compaction;
    } catch (IOException e) {
      throw Failures.writing(path, needed, e);
    } finally {
      if (!begun) {
        discard(storage, temporary, young);
        from.segments().release();
      }
    }
  }

  /** About how long the file would be without what is dead. */
  static long neededBytes(Live live) throws StoreException {
    long bytes = FIXED_BYTES;
    live.lock.lock();
    try {
      References references = live.references();
      for (long each : references.segmentLiveBytes().values()) {
        bytes += each;
      }
      bytes += references.unheldBytes();
    } finally {
      live.lock.unlock();
    }
    Snapshot snapshot = live.snapshot();
    for (DictionaryInfo each : snapshot.dictionaries().values()) {
      bytes += RecordHeader.LENGTH + DictionaryLayout.LENGTH + each.length();
    }
    for (Run run : snapshot.index().runs()) {
      for (RunInfo.Place place : run.info().places()) {
        bytes += place.inLog() ? place.length() : 0;
      }
    }
    return bytes;
  }

  /** The chunks that are alive, in the order they lie in the file. */
  private static List<Map.Entry<Long, ChunkInfo>> aliveChunks(Live live) throws StoreException {
    References references = live.references();
    LayeredTable.Walk<Long, ChunkInfo> walk = references.contents().table().walk();
    List<Map.Entry<Long, ChunkInfo>> alive = new ArrayList<>();
    while (walk.next()) {
      boolean isAlive;
      live.lock.lock();
      try {
        isAlive = references.isAlive(walk.key(), walk.value());
      } finally {
        live.lock.unlock();
      }
      if (isAlive) {
        alive.add(Map.entry(walk.key(), walk.value()));
      }
    }
    alive.sort(Comparator.comparingLong(each -> each.getValue().offset()));
    return alive;
  }

  /** Bytes of live content copied so far. */
  long movedBytes() {
    return young.movedBytes();
  }

  /**
   * Copies about so many bytes.
   *
   * @return whether so little is left that {@link #finish} may do the rest
   */
  boolean copy(long budgetBytes) throws StoreException {
    long before = young.appendedBytes();
    while (young.appendedBytes() - before <= budgetBytes) {
      switch (phase) {
        case CHUNKS -> copyChunk();
        case ROWS -> copyRow();
        default -> {
          return copyTail(budgetBytes);
        }
      }
    }
    settle(FORCE_BYTES);
    return false;
  }

  private boolean copyTail(long budgetBytes) throws StoreException {
    TailCopy copying = Objects.requireNonNull(tail);
    if (!copying.isShort(SHORT_TAIL)) {
      copying.copy(budgetBytes, old.written());
      copiedUpTo = copying.position();
    }
    settle(copying.isShort(SHORT_TAIL) ? SHORT_FORCE : FORCE_BYTES);
    return isNearlyDone();
  }

  private void settle(long mostUnforced) throws StoreException {
    if (young.unforcedBytes() > mostUnforced) {
      young.force();
    }
    copiedBytes = young.appendedBytes();
  }

  /** Whether {@link #finish} would keep commits waiting for a few milliseconds only. */
  boolean isNearlyDone() {
    return tail != null && tail.isShort(SHORT_TAIL) && young.unforcedBytes() <= SHORT_FORCE;
  }

  /**
   * How long who commits is to wait so that the log does not grow faster than it is copied: the
   * time that copying takes for what is too much. Thread-safe.
   */
  long waitNanos() {
    long written = old.written();
    long copied = copiedBytes;
    long upTo = copiedUpTo;
    long since = from.end().offset();
    long excess = written - since - FREE_BYTES - copied / COPIED_PER_WRITTEN;
    if (upTo != Long.MAX_VALUE) {
      excess = Math.max(excess, written - upTo - SHORT_TAIL / 2);
    }
    if (excess <= 0) {
      return 0;
    }
    double bytesPerNano = (double) copied / Math.max(1, System.nanoTime() - startNanos);
    return (long) (excess * COPIED_PER_WRITTEN / Math.max(bytesPerNano, 1e-6));
  }

  private void copyChunk() throws StoreException {
    if (nextChunk < chunks.size()) {
      Map.Entry<Long, ChunkInfo> each = chunks.get(nextChunk++);
      young.copyChunk(each.getKey(), each.getValue());
      return;
    }
    chunks.clear();
    rows = from.index().from(new byte[0]);
    phase = Phase.ROWS;
  }

  private void copyRow() throws StoreException {
    RowCursor cursor = Objects.requireNonNull(rows);
    if (cursor.next()) {
      young.copyRow(cursor.row());
      return;
    }
    young.endSnapshot(keeper, live.nextContentId());
    young.force(); // So that little is left to be forced while commits wait.
    tail = new TailCopy(old, young, from);
    copiedUpTo = tail.position();
    phase = Phase.TAIL;
  }

  /**
   * Copies the rest, makes the new file durable and puts it in the old one's place. Answers by how
   * much the store shrank.
   */
  long finish() throws StoreException {
    long freed;
    live.lock.lock();
    try {
      old.appender().write();
      TailCopy copying = Objects.requireNonNull(tail);
      copying.copy(Long.MAX_VALUE, old.written());
      Snapshot moved = young.end(live);
      freed = old.written() - moved.end().offset();
      replace(moved);
    } catch (IOException e) {
      throw Failures.writing(old.path, young.appendedBytes(), e);
    } finally {
      live.lock.unlock();
    }
    keeper.restart(young.root());
    return freed;
  }

  private void replace(Snapshot moved) throws StoreException, IOException {
    young.force();
    if (lock != null) {
      lock.covers(temporary);
      young.lock();
    }
    storage.rename(temporary, old.path);
    phase = Phase.ENDED;
    young.renamed();
    Appender appender = young.goOn(live);
    live.publish(moved, young.references(), young.frame());
    from.segments().release();
    try {
      storage.forceDirectory(Objects.requireNonNull(old.path.getParent()));
    } catch (IOException e) {
      StoreFailedException failed =
          new StoreFailedException("cannot force folder of store: file=" + old.path, e);
      appender.latch(failed);
      throw failed;
    }
  }

  /** Gives the new file up, unless it has taken the old one's place. */
  void abandon() {
    if (phase != Phase.ENDED) {
      phase = Phase.ENDED;
      discard(storage, temporary, young);
      from.segments().release();
    }
  }

  private static void discard(Storage storage, Path temporary, @Nullable YoungFile young) {
    try {
      if (young != null) {
        young.discard();
      }
      storage.delete(temporary);
    } catch (IOException e) {
      // The next opening deletes it.
    }
  }

  /** A failure for want of room, which says how much is needed. */
  static StoreFullException full(Storage storage, Live live) throws StoreException {
    Path path = live.active().path;
    return new StoreFullException(
        "no room to compact: needed="
            + neededBytes(live)
            + " usable="
            + storage.usableBytes(path)
            + " file="
            + path);
  }
}
