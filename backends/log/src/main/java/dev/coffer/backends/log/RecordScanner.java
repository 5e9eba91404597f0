package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.PackedChunk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Walks over the records of a file without reading their content. Not thread-safe. */
final class RecordScanner {
  private static final int WINDOW = 256 * 1024;

  /** What is at an offset. */
  enum Status {
    /** A record whose header and meta bytes are sound. */
    RECORD,
    /** The end of the file. */
    END,
    /** No sound header. */
    NO_HEADER,
    /** A sound header of a record that the file is too short for. */
    CUT_OFF,
    /** A sound header whose meta bytes are not. */
    BAD_META
  }

  private final Path path;
  private final Storage.OpenFile file;
  private final RecordHeader.Home home;
  private final long limit;
  private final byte[] window = new byte[WINDOW];
  private long windowStart;
  private int windowLength;
  private @Nullable RecordHeader header;
  private byte[] meta = new byte[0];

  /**
   * @param limit up to where to read, at most the file's length
   */
  RecordScanner(Path path, Storage.OpenFile file, RecordHeader.Home home, long limit) {
    this.path = path;
    this.file = file;
    this.home = home;
    this.limit = limit;
  }

  long limit() {
    return limit;
  }

  /** The header last found. */
  RecordHeader header() {
    if (header == null) {
      throw new IllegalStateException("no record was found yet");
    }
    return header;
  }

  /** The meta bytes of the record last found; the caller's to keep. */
  byte[] meta() {
    return meta;
  }

  /** Looks at an offset. */
  Status at(long offset) throws StoreException {
    header = null;
    if (offset >= limit) {
      return Status.END;
    }
    if (limit - offset < RecordHeader.LENGTH) {
      return Status.NO_HEADER;
    }
    load(offset, RecordHeader.LENGTH);
    RecordHeader found = RecordHeader.decode(window, (int) (offset - windowStart), home, offset);
    if (found == null) {
      return Status.NO_HEADER;
    }
    header = found;
    if (found.length() > limit - offset) {
      return Status.CUT_OFF;
    }
    meta = bytes(offset + RecordHeader.LENGTH, found.metaLength());
    return PackedChunk.checksum(meta, 0, meta.length) == found.metaCrc()
        ? Status.RECORD
        : Status.BAD_META;
  }

  /** The first offset from {@code from} on with a sound header of {@code epoch} or later, or -1. */
  long find(long from, int epoch) throws StoreException {
    for (long start = from; limit - start >= RecordHeader.LENGTH; ) {
      load(start, RecordHeader.LENGTH);
      int first = (int) (start - windowStart);
      int last = windowLength - RecordHeader.LENGTH;
      for (int at = first; at <= last; at++) {
        if (RecordHeader.hasMagic(window, at)) {
          long offset = windowStart + at;
          RecordHeader found = RecordHeader.decode(window, at, home, offset);
          if (found != null && found.epoch() >= epoch && found.length() <= limit - offset) {
            return offset;
          }
        }
      }
      start = windowStart + last + 1;
    }
    return -1;
  }

  /**
   * Learns from the records beyond a break up to where the file had been forced.
   *
   * @param epoch the one in force at the break
   * @param known what is known of that already
   */
  long forcedBeyond(long offset, int epoch, long known) throws StoreException {
    long forced = known;
    long position = find(offset, epoch);
    while (position >= 0) {
      if (at(position) != Status.RECORD) {
        position = find(position + 1, epoch);
        continue;
      }
      switch (header().kind()) {
        case RecordKind.COMMIT, RecordKind.MOVE -> {
          if (meta.length == CommitLayout.LENGTH) {
            long upTo = CommitLayout.decode(meta).durableUpTo();
            forced = Math.max(forced, Math.min(position, upTo));
          }
        }
        case RecordKind.TRAILER, RecordKind.EPOCH -> forced = Math.max(forced, position);
        default -> {}
      }
      position = find(position + header().length(), epoch);
    }
    return forced;
  }

  /** The last commit before the file, as its first record has it; 0 if that is damaged. */
  long startSequence() throws StoreException {
    boolean sound = at(FileHeader.LENGTH) == Status.RECORD && header().kind() == RecordKind.EPOCH;
    return sound ? EpochLayout.decode(meta).sequence() : 0;
  }

  private byte[] bytes(long offset, int length) throws StoreException {
    if (length <= WINDOW) {
      load(offset, length);
      int at = (int) (offset - windowStart);
      return Arrays.copyOfRange(window, at, at + length);
    }
    byte[] bytes = new byte[length];
    read(offset, bytes, length);
    return bytes;
  }

  /** Makes the window hold a range, which lies within the limit. */
  private void load(long offset, int length) throws StoreException {
    if (offset < windowStart || offset + length > windowStart + windowLength) {
      windowLength = 0;
      int count = (int) Math.min(WINDOW, limit - offset);
      read(offset, window, count);
      windowStart = offset;
      windowLength = count;
    }
  }

  private void read(long offset, byte[] target, int length) throws StoreException {
    int count;
    try {
      count = file.read(offset, target, 0, length);
    } catch (IOException e) {
      throw Failures.reading(path, e);
    }
    Arrays.fill(target, count, length, (byte) 0); // Cut meanwhile: no header is all zeros.
  }
}
