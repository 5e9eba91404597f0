package dev.coffer.backends.log;

import java.util.Arrays;

/** Makes the blocks of one level of a part, one after the other. Not thread-safe. */
final class PartBlockWriter {
  private static final int KEEP = 64 * 1024;
  private static final byte[] NO_BODY = new byte[0];

  private final int level;
  private final int maxCount;
  private final int minCount;
  private final BytesOut out = new BytesOut(4096);
  private byte[] first = NO_BODY;
  private byte[] previous = NO_BODY;
  private int previousStart;
  private int previousEnd;
  private int count;

  /**
   * @param minCount how many entries a block has room for however long they are
   */
  PartBlockWriter(int level, int minCount, int maxCount) {
    this.level = level;
    this.minCount = minCount;
    this.maxCount = maxCount;
    reset();
  }

  int level() {
    return level;
  }

  int count() {
    return count;
  }

  /** The array that held the block's first key. */
  byte[] first() {
    return first;
  }

  /** Whether an entry of so many bytes still belongs into the block. */
  boolean hasRoom(int bytes, int target) {
    return count < minCount || (count < maxCount && out.length() + bytes <= target);
  }

  /** Adds a fence. */
  void add(byte[] key, BytesOut tail) {
    add(key, 0, key.length, tail, NO_BODY, 0);
  }

  /**
   * Adds an entry: its key is a range of an array that must not change from now on, its tail {@code
   * tail} and what {@code body} holds from {@code bodyStart} on.
   */
  void add(byte[] key, int start, int end, BytesOut tail, byte[] body, int bodyStart) {
    int shared = 0;
    if (count == 0) {
      first = key;
    } else {
      int mismatch = Arrays.mismatch(previous, previousStart, previousEnd, key, start, end);
      shared = mismatch < 0 ? end - start : mismatch;
    }
    int bodyLength = body.length - bodyStart;
    out.varint(shared).varint(end - start - shared).varint(tail.length() + bodyLength);
    out.raw(key, start + shared, end - start - shared);
    out.raw(tail.bytes(), 0, tail.length()).raw(body, bodyStart, bodyLength);
    previous = key;
    previousStart = start;
    previousEnd = end;
    count++;
  }

  /** Ends the block, which shall lie at a unit; its bytes are there until {@link #reset}. */
  BytesOut finish(PartCrc crc, int salt, int unit) {
    int filled = out.length() + PartLayout.CRC_LENGTH;
    int units = (filled + PartLayout.UNIT - 1) / PartLayout.UNIT;
    int length = units * PartLayout.UNIT;
    for (int at = out.length(); at < length; at++) {
      out.u8(0);
    }
    PartLayout.u32(out.bytes(), 0, PartLayout.head(units, level, count));
    crc.seal(out.bytes(), 0, length, salt, unit);
    return out;
  }

  void reset() {
    out.cut(0, KEEP);
    out.u32(0);
    count = 0;
  }
}
