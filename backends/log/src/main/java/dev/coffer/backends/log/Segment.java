package dev.coffer.backends.log;

import dev.coffer.vfs.StoreBackendException;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One data file, open: from its making or opening until no set of segments holds it any more.
 * Thread-safe.
 */
final class Segment {
  final Path path;
  final Storage.OpenFile file;
  final FileHeader header;
  final RecordHeader.Home home;

  private final Windows windows;
  private final AtomicInteger holds = new AtomicInteger(1);
  private volatile @Nullable Appender appender;
  private volatile long fixedEnd;
  private volatile boolean closed;
  private volatile boolean retiring;
  private long startSequence;
  private long lowestVersion;

  /** A file of which {@code end} bytes count; its maker holds it. */
  Segment(Path path, Storage.OpenFile file, FileHeader header, long end) {
    this.path = path;
    this.file = file;
    this.header = header;
    this.home = new RecordHeader.Home(header.storeId(), header.segment());
    this.windows = new Windows(file);
    this.fixedEnd = end;
  }

  /** Its number: 0 in a single-file store. */
  int number() {
    return header.segment();
  }

  /**
   * What a manifest will say of the segment once it is finished. Guarded by the lock of the store,
   * as {@link #noteVersion} is.
   *
   * @param sequence the last commit before its first record
   * @param version the lowest of any put in it, or 0
   */
  void startedAt(long sequence, long version) {
    startSequence = sequence;
    lowestVersion = version;
  }

  /** A put of this version was appended. */
  void noteVersion(long version) {
    lowestVersion = lowestVersion == 0 ? version : Math.min(version, lowestVersion);
  }

  long startSequence() {
    return startSequence;
  }

  long lowestVersion() {
    return lowestVersion;
  }

  /** Compaction empties it: no new row may point here. */
  void retire() {
    retiring = true;
  }

  boolean isRetiring() {
    return retiring;
  }

  void appendWith(Appender newAppender) {
    appender = newAppender;
  }

  /** No more is appended; what was written is all there is. */
  void finish() {
    Appender current = appender;
    if (current != null) {
      fixedEnd = current.written();
      appender = null;
    }
  }

  /** The growing end; only the active segment of a store open for writing has one. */
  Appender appender() {
    Appender current = appender;
    if (current == null) {
      throw new IllegalStateException("file is not open for writing: file=" + path);
    }
    return current;
  }

  boolean isWritable() {
    return appender != null;
  }

  /** Up to where there are bytes to be read, written or not. */
  long end() {
    Appender current = appender;
    if (current == null) {
      return fixedEnd;
    }
    current.lock.lock();
    try {
      return current.tail();
    } finally {
      current.lock.unlock();
    }
  }

  /** Up to where the file itself has bytes that count. */
  long written() {
    Appender current = appender;
    return current == null ? fixedEnd : current.written();
  }

  /** Copies bytes of the file; false if it is closed. */
  boolean read(long offset, byte[] target, int length) throws StoreException {
    return read(offset, target, 0, length);
  }

  /** Copies bytes of the file; false if it is closed. */
  boolean read(long offset, byte[] target, int targetOffset, int length) throws StoreException {
    try {
      Appender current = appender;
      long limit = current == null ? fixedEnd : current.written();
      if (offset < 0 || length > limit - offset) {
        if (offset < 0 || current == null || length > end() - offset) {
          throw new StoreCorruptException(
              "content lies outside the file: length=" + length + " end=" + limit,
              null,
              offset,
              null);
        }
        if (current.readBuffered(offset, target, targetOffset, length)) {
          return true;
        }
        limit = current.written();
      }
      return windows.copy(offset, target, targetOffset, length, limit)
          || readFile(offset, target, targetOffset, length);
    } catch (InternalError e) {
      throw new StoreCorruptException("file was cut while mapped: file=" + path, null, offset, e);
    }
  }

  private boolean readFile(long offset, byte[] target, int targetOffset, int length)
      throws StoreException {
    int count;
    try {
      count = file.read(offset, target, targetOffset, length);
    } catch (IOException e) {
      if (closed) {
        return false;
      }
      throw new StoreBackendException("cannot read store: file=" + path + " offset=" + offset, e);
    }
    if (count < length) {
      throw new StoreCorruptException(
          "file is too short: expected=" + (offset + length) + " found=" + (offset + count),
          null,
          offset,
          null);
    }
    return true;
  }

  /** Keeps the file open until {@link #release}; false if it is closed already. */
  boolean hold() {
    return Holds.hold(holds);
  }

  void release() {
    if (holds.decrementAndGet() == 0) {
      closed = true;
      try {
        file.close();
      } catch (IOException e) {
        // Nothing hangs on it: whatever had to be durable was forced before.
      }
    }
  }
}
