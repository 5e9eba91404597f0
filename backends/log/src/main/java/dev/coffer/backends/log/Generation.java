package dev.coffer.backends.log;

import dev.coffer.vfs.StoreBackendException;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One data file, from its making or opening until compaction replaces it and its last holder lets
 * go; and the content ids in it. Thread-safe.
 */
final class Generation {
  final Path path;
  final Storage.OpenFile file;
  final FileHeader header;
  final RecordHeader.Home home;

  /** Content ids; those no longer referred to stay, since a view may read them. */
  final ConcurrentHashMap<Long, ChunkInfo> chunks = new ConcurrentHashMap<>();

  private final Windows windows;
  private final AtomicInteger holds = new AtomicInteger(1);
  private final ReentrantLock readOnlyLock = new ReentrantLock();
  private volatile @Nullable Appender appender;
  private volatile long fixedEnd;
  private volatile boolean closed;

  Generation(Path path, Storage.OpenFile file, FileHeader header, long end) {
    this.path = path;
    this.file = file;
    this.header = header;
    this.home = new RecordHeader.Home(header.storeId(), header.segment());
    this.windows = new Windows(file);
    this.fixedEnd = end;
  }

  void appendWith(Appender newAppender) {
    appender = newAppender;
  }

  /** The growing end; only a store open for writing has one. */
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

  /** Guards references, pins and, in a writable file, the end. */
  ReentrantLock lock() {
    Appender current = appender;
    return current == null ? readOnlyLock : current.lock;
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

  /** Copies bytes of the file; false if this generation is gone. */
  boolean read(long offset, byte[] target, int length) throws StoreException {
    try {
      Appender current = appender;
      long limit = current == null ? fixedEnd : current.written();
      if (offset + length > limit) {
        if (current == null || offset + length > end()) {
          throw new StoreCorruptException(
              "content lies outside the file: length=" + length + " end=" + limit,
              null,
              offset,
              null);
        }
        if (current.readBuffered(offset, target, length)) {
          return true;
        }
        limit = current.written();
      }
      if (!windows.copy(offset, target, length, limit) && !readFile(offset, target, length)) {
        return false;
      }
      return true;
    } catch (InternalError e) {
      throw new StoreCorruptException("file was cut while mapped: file=" + path, null, offset, e);
    }
  }

  private boolean readFile(long offset, byte[] target, int length) throws StoreException {
    int count;
    try {
      count = file.read(offset, target, 0, length);
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
    while (true) {
      int count = holds.get();
      if (count == 0) {
        return false;
      }
      if (holds.compareAndSet(count, count + 1)) {
        return true;
      }
    }
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
