package dev.coffer.backends.log;

import dev.coffer.vfs.StoreClosedException;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Copies a single-file store while it is written: its log up to a commit, byte for byte, and a
 * trailer of its own. An index lies in the copy if the store was not written to since it was
 * opened; else opening the copy replays it, once.
 */
final class Backup {
  private static final int PIECE = 1024 * 1024;

  private final Live live;

  Backup(Live live) {
    this.live = live;
  }

  /** What a trailer says beside the snapshot. */
  private record End(Live.Frame frame, long liveBytes, long nextContentId) {}

  /**
   * What is to be copied of the active segment.
   *
   * @param snapshot held, to be released
   * @param length how much of it, without a trailer
   * @param end what a new trailer is to say; null if the segment ends with one
   * @param trailer the one it ends with, read at once, since the next commit cuts it off
   */
  record Moment(Snapshot snapshot, long length, @Nullable End end, byte[] trailer) {

    /** Takes and holds the newest snapshot. */
    static Moment of(Live live) throws StoreException {
      live.lock.lock();
      try {
        Segment segment = live.active();
        if (segment.isWritable() && segment.appender().isUntouched()) {
          byte[] trailer = trailer(segment);
          return new Moment(live.hold(), segment.written(), null, trailer);
        }
        if (segment.isWritable()) {
          segment.appender().write();
        }
        End end = new End(live.frame(), live.references().liveBytes(), live.nextContentId());
        Snapshot snapshot = live.hold();
        return new Moment(snapshot, snapshot.end().offset(), end, new byte[0]);
      } finally {
        live.lock.unlock();
      }
    }

    private static byte[] trailer(Segment segment) throws StoreException {
      byte[] trailer = new byte[RecordHeader.LENGTH + TrailerLayout.LENGTH];
      try {
        segment.file.read(segment.written(), trailer, 0, trailer.length);
      } catch (IOException e) {
        throw Failures.reading(segment.path, e);
      }
      return trailer;
    }

    /** Copies the active segment as it was, ended by a trailer. */
    void copy(Path path, Storage.OpenFile file) throws StoreException, IOException {
      Segment segment = snapshot.segments().active();
      Backup.copy(segment, path, file, length);
      if (end == null) {
        file.write(length, trailer, 0, trailer.length);
      } else {
        finish(segment, path, file, snapshot, end);
      }
    }
  }

  /** Makes the copy, whole or not at all; commits go on meanwhile. */
  void to(Storage storage, Path target) throws StoreException {
    Moment moment = Moment.of(live);
    try {
      Segment segment = moment.snapshot.segments().active();
      try (NewFile file = NewFile.beside(storage, target, segment.header.storeId())) {
        moment.copy(file.path(), file.file());
        file.publish();
      } catch (IOException e) {
        throw Failures.reading(segment.path, e);
      }
    } finally {
      moment.snapshot.segments().release();
    }
  }

  /** Copies the first bytes of a segment. */
  static void copy(Segment segment, Path path, Storage.OpenFile file, long length)
      throws StoreException {
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
        file.write(position, piece, 0, count);
      } catch (IOException e) {
        throw Failures.writing(path, count, e);
      }
    }
  }

  private static void finish(
      Segment segment, Path path, Storage.OpenFile file, Snapshot snapshot, End end)
      throws StoreException {
    long frame = Math.min(end.frame.offset(), frameBefore(snapshot.end().offset()));
    Appender out =
        new Appender(
            new ReentrantLock(),
            path,
            file,
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
