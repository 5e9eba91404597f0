package dev.coffer.backends.log;

import dev.coffer.vfs.StoreBackendException;
import dev.coffer.vfs.StoreClosedException;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Copies a single-file store while it is written: its log up to a commit, byte for byte, and a
 * trailer of its own. An index lies in the copy if the store was not written to since it was
 * opened; else opening the copy replays it, once.
 */
final class Backup {
  private static final int PIECE = 1024 * 1024;

  /** What a trailer says beside the snapshot. */
  private record End(Live.Frame frame, long liveBytes, long nextContentId) {}

  private final Live live;

  Backup(Live live) {
    this.live = live;
  }

  /** Makes the copy, whole or not at all; commits go on meanwhile. */
  void to(Storage storage, Path target) throws StoreException {
    Snapshot snapshot;
    End end = null;
    live.lock.lock();
    try {
      snapshot = live.hold();
      Segment segment = snapshot.segments().active();
      boolean written = segment.isWritable();
      if (written) {
        segment.appender().write();
      }
      if (!written || !segment.appender().isUntouched()) {
        end = new End(live.frame(), live.references().liveBytes(), live.nextContentId());
      }
    } finally {
      live.lock.unlock();
    }
    try {
      Segment segment = snapshot.segments().active();
      if (segment.header.features().isFolder()) {
        throw new StoreBackendException(
            "backups of folder stores are not made yet; seal the store, or copy it while no program"
                + " has it open: file="
                + segment.path);
      }
      try (NewFile file = NewFile.beside(storage, target, segment.header.storeId())) {
        if (end == null) {
          copy(segment, file, segment.file.size());
        } else {
          copy(segment, file, snapshot.end().offset());
          finish(segment, file, snapshot, end);
        }
        file.publish();
      } catch (IOException e) {
        throw Failures.reading(segment.path, e);
      }
    } finally {
      snapshot.segments().release();
    }
  }

  private static void copy(Segment segment, NewFile file, long length) throws StoreException {
    byte[] piece = new byte[(int) Math.min(PIECE, length)];
    for (long position = 0; position < length; position += piece.length) {
      int count = (int) Math.min(piece.length, length - position);
      try {
        if (segment.file.read(position, piece, 0, count) < count) {
          throw new StoreClosedException("store is closed: file=" + segment.path);
        }
      } catch (IOException e) {
        throw Failures.reading(segment.path, e);
      }
      try {
        file.file().write(position, piece, 0, count);
      } catch (IOException e) {
        throw Failures.writing(file.path(), count, e);
      }
    }
  }

  private static void finish(Segment segment, NewFile file, Snapshot snapshot, End end)
      throws StoreException {
    long frame = Math.min(end.frame.offset(), frameBefore(snapshot.end().offset()));
    Appender out =
        new Appender(
            new ReentrantLock(),
            file.path(),
            file.file(),
            segment.home,
            epoch(segment, frame),
            snapshot.end().offset(),
            false);
    out.lock.lock();
    try {
      LogEnd.appendTrailer(out, snapshot, frame, end.liveBytes, end.nextContentId, 0);
      out.write();
    } finally {
      out.lock.unlock();
    }
  }

  /** The last offset a frame can have; that of a commit just being made lies further on. */
  private static long frameBefore(long end) {
    return end - RecordHeader.LENGTH - CommitLayout.LENGTH;
  }

  private static int epoch(Segment segment, long frame) throws StoreException {
    RecordScanner scanner =
        new RecordScanner(segment.path, segment.file, segment.home, segment.written());
    long offset = frame > 0 ? frame : FileHeader.LENGTH;
    if (scanner.at(offset) != RecordScanner.Status.RECORD) {
      throw new StoreCorruptException(
          "store cannot be copied, its last commit is damaged: offset=" + offset,
          null,
          offset,
          null);
    }
    return scanner.header().epoch();
  }
}
