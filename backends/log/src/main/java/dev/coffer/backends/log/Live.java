package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.PackedChunk;
import dev.coffer.vfs.spi.TablePage;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What of an open store changes: the newest snapshot, who refers to what, the next content id, the
 * newest commit frame. All but the snapshot is guarded by {@link #lock}.
 */
final class Live {
  private static final int STAGE_BUFFER = 1024 * 1024;

  final ReentrantLock lock;

  private volatile Snapshot snapshot;
  private References references;
  private long nextContentId;
  private Frame frame;

  /**
   * A commit frame in the active segment.
   *
   * @param offset where it lies, or 0 if there is none
   * @param crc the CRC of its header, as stored
   */
  record Frame(long offset, int crc) {
    static final Frame NONE = new Frame(0, 0);
  }

  Live(
      ReentrantLock lock,
      Snapshot snapshot,
      References references,
      long nextContentId,
      Frame frame) {
    this.lock = lock;
    this.snapshot = snapshot;
    this.references = references;
    this.nextContentId = nextContentId;
    this.frame = frame;
  }

  Snapshot snapshot() {
    return snapshot;
  }

  References references() {
    return references;
  }

  long nextContentId() {
    return nextContentId;
  }

  Frame frame() {
    return frame;
  }

  void frame(Frame newest) {
    frame = newest;
  }

  /** The active segment; it stays that while the lock is held. */
  Segment active() {
    return snapshot.segments().active();
  }

  /** What appends to the active segment; called with the lock held, or while nobody commits. */
  Appender appender() {
    return active().appender();
  }

  /**
   * Makes durable what was committed; who goes over to another segment has forced those before.
   * Thread-safe.
   */
  void force() throws StoreException {
    SegmentSet held;
    Appender current;
    lock.lock();
    try {
      held = hold().segments(); // So that compaction does not close the file meanwhile.
      current = appender();
    } finally {
      lock.unlock();
    }
    try {
      current.force();
    } finally {
      held.release();
    }
  }

  /** Makes a commit visible; the older layers of its index may have been replaced meanwhile. */
  void publish(Snapshot newer) {
    Index current = snapshot.index();
    snapshot = newer.withIndex(newer.index().withLayers(current.frozen(), current.runs()));
  }

  /** The same entries are kept in other layers from now on. */
  void publishLayers(Index index) {
    snapshot = snapshot.withIndex(index);
  }

  /** Goes over to another file, with places of its own. */
  void publish(Snapshot moved, References movedReferences, Frame movedFrame) {
    SegmentSet before = snapshot.segments();
    references = movedReferences;
    frame = movedFrame;
    snapshot = moved;
    before.release();
  }

  /**
   * The log goes on in another set of segments; the set before stays open while it is held.
   *
   * @param end where the log ends now
   */
  void publishSegments(SegmentSet segments, Location end) {
    SegmentSet before = snapshot.segments();
    snapshot = snapshot.in(segments, end);
    references.contents().segments(segments);
    before.release();
  }

  /** Takes a snapshot and a hold on its segments. */
  Snapshot hold() {
    while (true) {
      Snapshot held = snapshot;
      if (held.segments().hold()) {
        return held;
      }
    }
  }

  long liveBytes() {
    lock.lock();
    try {
      return references.liveBytes();
    } finally {
      lock.unlock();
    }
  }

  /** Appends chunks; in the buffer or in the file, as there is room. */
  long[] stage(List<PackedChunk> chunks) throws StoreException {
    lock.lock();
    try {
      return stageLocked(chunks);
    } finally {
      lock.unlock();
    }
  }

  private long[] stageLocked(List<PackedChunk> chunks) throws StoreException {
    Appender appender = appender();
    long[] ids = new long[chunks.size()];
    int done = 0;
    Appender.Mark mark = appender.mark();
    boolean staged = false;
    try {
      appender.requireSound();
      for (PackedChunk chunk : chunks) {
        requireNotEmpty(chunk);
        requireChildren(chunk);
      }
      for (; done < ids.length; done++) {
        ids[done] = nextContentId++;
        append(appender, ids[done], chunks.get(done));
        if (appender.buffered() >= STAGE_BUFFER) {
          appender.write();
          mark = appender.mark();
        }
      }
      for (int i = 0; i < ids.length; i++) {
        countChildren(ids[i], chunks.get(i));
      }
      staged = true;
      return ids;
    } finally {
      if (!staged) {
        for (int i = 0; i <= Math.min(done, ids.length - 1); i++) {
          references.contents().table().undo(ids[i]);
        }
        appender.rollback(mark);
      }
    }
  }

  /** A place of no bytes is that of what comes next too, and would not count as live. */
  static void requireNotEmpty(PackedChunk chunk) {
    if (chunk.length() == 0) {
      throw new IllegalArgumentException(
          "chunk is empty, an empty file has no content: plainLength=" + chunk.plainLength());
    }
  }

  private void append(Appender appender, long id, PackedChunk chunk) {
    ChunkLayout layout = ChunkLayout.of(chunk);
    byte[] meta = layout.encode();
    long offset =
        appender.append(RecordKind.CHUNK, id, meta, chunk.bytes(), chunk.offset(), chunk.length());
    references
        .contents()
        .table()
        .put(
            id,
            ChunkInfo.of(
                active().number(),
                offset + RecordHeader.LENGTH + meta.length,
                chunk.length(),
                layout));
  }

  private static byte[] bytes(PackedChunk page) {
    return Arrays.copyOfRange(page.bytes(), page.offset(), page.offset() + page.length());
  }

  private void requireChildren(PackedChunk chunk) throws StoreException {
    if (!chunk.page()) {
      return;
    }
    if (!TablePage.isValidLength(chunk.length())) {
      throw new IllegalArgumentException("page has a wrong length: length=" + chunk.length());
    }
    byte[] page = bytes(chunk);
    for (int i = 0; i < TablePage.count(page.length); i++) {
      long child = TablePage.id(page, i);
      if (child != 0 && !references.isAlive(child, references.contents().get(child))) {
        throw new IllegalArgumentException("page names unknown content: contentId=" + child);
      }
    }
  }

  private void countChildren(long id, PackedChunk chunk) throws StoreException {
    ChunkInfo info = references.contents().get(id);
    if (chunk.page() && info != null) {
      references.staged(id, info, bytes(chunk));
    }
  }
}
