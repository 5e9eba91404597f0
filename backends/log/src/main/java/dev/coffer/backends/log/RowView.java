package dev.coffer.backends.log;

import java.util.Arrays;

/**
 * A row where a cursor meets it, so that going over rows makes no objects: its key and its body lie
 * in arrays that the cursor's next step may write to. Not thread-safe.
 */
final class RowView {
  private static final int LEAST_ROOM = 128;

  byte[] key = new byte[0];
  int keyStart;
  int keyLength;
  byte[] body = key;
  int bodyStart;
  int bodyLength;
  long version;
  int segment;
  long contentOffset;

  /** Shows a row in memory. */
  void show(Row row) {
    key = row.meta();
    keyStart = Row.KEY_OFFSET;
    keyLength = row.keyLength();
    body = key;
    bodyStart = keyStart + keyLength;
    bodyLength = key.length - bodyStart;
    version = row.version();
    segment = row.segment();
    contentOffset = row.contentOffset();
  }

  /** An array of this view's own for a key so long, that keeps the first bytes of the last one. */
  byte[] keyRoom(int length, int kept) {
    if (key.length < length) {
      byte[] longer = new byte[Math.max(LEAST_ROOM, 2 * length)];
      System.arraycopy(key, 0, longer, 0, kept);
      key = longer;
    }
    keyStart = 0;
    keyLength = length;
    return key;
  }

  boolean isDeletion() {
    return bodyLength == 0;
  }

  boolean isRoot() {
    return keyLength == 1;
  }

  int compareKey(RowView other) {
    return Arrays.compareUnsigned(
        key,
        keyStart,
        keyStart + keyLength,
        other.key,
        other.keyStart,
        other.keyStart + other.keyLength);
  }

  int compareKey(byte[] other) {
    return Arrays.compareUnsigned(key, keyStart, keyStart + keyLength, other, 0, other.length);
  }

  boolean keyStartsWith(byte[] prefix) {
    return keyLength >= prefix.length
        && Arrays.equals(key, keyStart, keyStart + prefix.length, prefix, 0, prefix.length);
  }

  /** A row that stays. */
  Row toRow() {
    byte[] meta = new byte[Row.KEY_OFFSET + keyLength + bodyLength];
    meta[0] = (byte) keyLength;
    meta[1] = (byte) (keyLength >> Byte.SIZE);
    System.arraycopy(key, keyStart, meta, Row.KEY_OFFSET, keyLength);
    System.arraycopy(body, bodyStart, meta, Row.KEY_OFFSET + keyLength, bodyLength);
    return new Row(meta, version, segment, contentOffset);
  }
}
