package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreFailedException;
import dev.coffer.vfs.spi.PackedChunk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The growing end of a file: records are appended to a buffer, which is written out whole, and
 * forced when asked. Everything but {@link #readBuffered}, {@link #force} and the plain getters is
 * called with {@link #lock} held.
 *
 * <p>A failed write is cut back, or, if that fails too, latches; so does a failed force, always.
 */
final class Appender {
  private static final int KEPT_BUFFER = 4 * 1024 * 1024;
  private static final int PIECE = 256 * 1024;

  private static final byte[] NOTHING = new byte[0];

  final ReentrantLock lock;
  private final ReentrantLock forceLock = new ReentrantLock();
  private final Path path;
  private final Storage.OpenFile file;
  private final RecordHeader.Home home;
  private final BytesOut buffer = new BytesOut(64 * 1024);
  private final int epoch;

  private volatile long written;
  private volatile long forced;

  /** Up to where the file is filled with zeros, or where it ends. */
  private long filled;

  private volatile @Nullable StoreFailedException failure;
  private boolean trailerFollows;
  private byte[] zeros = NOTHING;
  private long batchStart;
  private int[] batchCrcs = new int[16];
  private int batchCount;
  private int lastCrc;
  private int lastMetaCrc;

  /**
   * @param lock the store's, which guards this too
   * @param end where the next record goes
   * @param trailerFollows whether a trailer lies there, to be cut off before anything is written
   */
  Appender(
      ReentrantLock lock,
      Path path,
      Storage.OpenFile file,
      RecordHeader.Home home,
      int epoch,
      long end,
      boolean trailerFollows) {
    this.lock = lock;
    this.path = path;
    this.file = file;
    this.home = home;
    this.epoch = epoch;
    this.written = end;
    this.filled = end;
    this.forced = end;
    this.batchStart = end;
    this.trailerFollows = trailerFollows;
  }

  long written() {
    return written;
  }

  /** Up to where the file is known to be forced. */
  long forced() {
    return forced;
  }

  long tail() {
    return written + buffer.length();
  }

  int epoch() {
    return epoch;
  }

  int buffered() {
    return buffer.length();
  }

  long batchStart() {
    return batchStart;
  }

  int batchCount() {
    return batchCount;
  }

  int batchCrc() {
    return CommitLayout.batchCrc(batchCrcs, batchCount);
  }

  /** Whether a trailer lies at the end still, since nothing was written yet. */
  boolean isUntouched() {
    return trailerFollows && buffer.length() == 0;
  }

  /** Refuses to go on after a failure that left it unknown what is on the device. */
  void requireSound() throws StoreFailedException {
    StoreFailedException earlier = failure;
    if (earlier != null) {
      throw new StoreFailedException("store refuses writes after a failure: file=" + path, earlier);
    }
  }

  boolean isFailed() {
    return failure != null;
  }

  void latch(StoreFailedException cause) {
    if (failure == null) {
      failure = cause;
    }
  }

  /** Appends a record without content; answers its offset. */
  long append(int kind, long number, byte[] meta) {
    return append(kind, number, meta, NOTHING, 0, 0);
  }

  /** Appends a record to the batch; answers its offset. */
  long append(int kind, long number, byte[] meta, byte[] content, int offset, int length) {
    if (meta.length > RecordHeader.MAX_META || length > RecordHeader.MAX_CONTENT) {
      throw new IllegalArgumentException(
          "record is too long: metaLength=" + meta.length + " contentLength=" + length);
    }
    long at = tail();
    appendHead(kind, number, meta, length);
    buffer.raw(content, offset, length);
    return at;
  }

  /** Appends a block to the batch; answers its offset. */
  long append(long number, EntryBlock.Packed block) {
    long at = tail();
    appendHead(RecordKind.BLOCK, number, block.meta(), block.contentLength());
    for (PackedChunk chunk : block.contents()) {
      buffer.raw(chunk.bytes(), chunk.offset(), chunk.length());
    }
    return at;
  }

  /** Appends header and meta bytes. */
  private void appendHead(int kind, long number, byte[] meta, int contentLength) {
    lastMetaCrc = PackedChunk.checksum(meta, 0, meta.length);
    lastCrc =
        RecordHeader.encode(
            buffer, home, tail(), kind, epoch, number, meta.length, contentLength, lastMetaCrc);
    buffer.raw(meta);
    if (batchCount == batchCrcs.length) {
      batchCrcs = Arrays.copyOf(batchCrcs, 2 * batchCount);
    }
    batchCrcs[batchCount++] = lastCrc;
  }

  /** The CRC of the meta bytes last appended. */
  int lastMetaCrc() {
    return lastMetaCrc;
  }

  /** The CRC of the header last appended, as stored. */
  int lastCrc() {
    return lastCrc;
  }

  /** Content of a record, copied from elsewhere in pieces. */
  interface LongContent {
    void read(long position, byte[] target, int length) throws StoreException;
  }

  /**
   * Appends and writes out a record whose content may be too long for memory; answers its offset.
   * If that fails, what was written of it is a tail without meaning.
   */
  long appendLong(int kind, long number, long length, LongContent content) throws StoreException {
    if (length > RecordHeader.MAX_CONTENT) {
      throw new IllegalArgumentException("record is too long: contentLength=" + length);
    }
    long at = tail();
    appendHead(kind, number, NOTHING, (int) length);
    byte[] piece = new byte[(int) Math.min(length, PIECE)];
    for (long position = 0; position < length; position += piece.length) {
      int count = (int) Math.min(piece.length, length - position);
      content.read(position, piece, count);
      buffer.raw(piece, 0, count);
      if (buffer.length() >= KEPT_BUFFER) {
        write();
      }
    }
    return at;
  }

  /** Begins a new batch behind what was appended: a commit frame that can no longer fail. */
  void endBatch() {
    batchStart = tail();
    batchCount = 0;
    batchCrcs = batchCrcs.length > 1 << 16 ? new int[16] : batchCrcs;
  }

  /** Goes on with the batch of an appender that wrote up to here: what is staged belongs to it. */
  void continueBatch(Appender before) {
    batchStart = before.batchStart;
    batchCrcs = before.batchCrcs.clone();
    batchCount = before.batchCount;
  }

  Mark mark() {
    return new Mark(tail(), batchCount);
  }

  /** Forgets what was appended to the batch since the mark; none of it may have been written. */
  void rollback(Mark mark) {
    buffer.cut(Math.toIntExact(mark.tail - written), KEPT_BUFFER);
    batchCount = mark.batchCount;
  }

  /** Writes the buffer out. If that fails the file is as before, and the buffer too. */
  void write() throws StoreException {
    requireSound();
    int length = buffer.length();
    long start = written;
    if (length == 0) {
      return;
    }
    try {
      if (trailerFollows) {
        file.truncate(start);
        trailerFollows = false;
      }
      file.write(start, buffer.bytes(), 0, length);
    } catch (IOException e) {
      cutBack(e);
      throw Failures.writing(path, length, e);
    }
    written = start + length;
    filled = Math.max(filled, written);
    buffer.cut(0, KEPT_BUFFER);
  }

  /**
   * From now on the file is filled with zeros that far ahead of what {@link #writeForced} writes:
   * forcing what overwrites them needs no change of the file's length, which about halves the time
   * it takes.
   */
  void fillAhead(int bytes) {
    zeros = new byte[bytes];
  }

  /** Writes the buffer out, to be forced; and makes room for more of the kind. */
  void writeForced() throws StoreException {
    boolean small = buffer.length() <= zeros.length / 4;
    write();
    if (!small || filled > written || zeros.length == 0) {
      return;
    }
    try {
      file.write(written, zeros, 0, zeros.length);
      filled = written + zeros.length;
    } catch (IOException e) {
      trim(); // No room ahead is no failure.
    }
  }

  /** Ends the file where what was written ends. */
  void trim() throws StoreException {
    try {
      file.truncate(written);
      filled = written;
    } catch (IOException e) {
      StoreFailedException failed =
          new StoreFailedException("cannot cut what lies ahead: file=" + path, e);
      latch(failed);
      throw failed;
    }
  }

  /** Whether zeros lie behind what was written. */
  boolean isFilledAhead() {
    return filled > written;
  }

  /** Takes back what was appended from an offset on, written or not, and never forced. */
  void cutTo(long offset) throws StoreException {
    try {
      if (written > offset) {
        file.truncate(offset);
        written = offset;
        filled = offset;
      }
      buffer.cut(Math.toIntExact(offset - written), KEPT_BUFFER);
      endBatch();
    } catch (IOException e) {
      StoreFailedException failed =
          new StoreFailedException("failed write cannot be undone: file=" + path, e);
      latch(failed);
      throw failed;
    }
  }

  private void cutBack(IOException cause) throws StoreFailedException {
    try {
      if (!trailerFollows) {
        file.truncate(written);
        filled = written;
      }
    } catch (IOException e) {
      e.addSuppressed(cause);
      StoreFailedException failed =
          new StoreFailedException("failed write cannot be undone: file=" + path, e);
      latch(failed);
      throw failed;
    }
  }

  /** Writes the buffer out and makes everything durable. Called without the lock. */
  void force() throws StoreException {
    forceLock.lock();
    try {
      long upTo;
      lock.lock();
      try {
        write();
        upTo = written;
      } finally {
        lock.unlock();
      }
      if (upTo > forced) {
        file.force(false);
        forced = upTo;
      }
    } catch (StoreException e) {
      throw e;
    } catch (IOException e) {
      StoreFailedException failed = new StoreFailedException("cannot force store: file=" + path, e);
      latch(failed);
      throw failed;
    } finally {
      forceLock.unlock();
    }
  }

  /** Copies bytes that are not written yet; false if they have been by now. */
  boolean readBuffered(long offset, byte[] target, int targetOffset, int length) {
    lock.lock();
    try {
      if (offset < written) {
        return false;
      }
      System.arraycopy(
          buffer.bytes(), Math.toIntExact(offset - written), target, targetOffset, length);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** A place in the batch to roll back to. */
  record Mark(long tail, int batchCount) {}
}
