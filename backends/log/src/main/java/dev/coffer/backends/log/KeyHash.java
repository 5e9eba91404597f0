package dev.coffer.backends.log;

/**
 * The hash of keys in index parts; part of the format.
 *
 * <p>Eight bytes at a time, little-endian, the last eight overlapping those before: {@code h =
 * rotateLeft(h ^ word * A, 29) * B}, begun with the length times A, ended by {@link Row#mix}. A key
 * of less than eight bytes is one word, filled up with zeros. It need not withstand keys made to
 * collide, since a part then falls back on its order.
 */
final class KeyHash {
  private static final long A = 0x9e3779b97f4a7c15L;
  private static final long B = 0xc2b2ae3d27d4eb4fL;
  private static final int ROTATION = 29;

  private KeyHash() {}

  static long of(byte[] bytes, int offset, int length) {
    long hash = length * A;
    if (length < Long.BYTES) {
      long word = 0;
      for (int i = length - 1; i >= 0; i--) {
        word = word << Byte.SIZE | (bytes[offset + i] & 0xff);
      }
      return Row.mix(step(hash, word));
    }
    int last = offset + length - Long.BYTES;
    for (int at = offset; at < last; at += Long.BYTES) {
      hash = step(hash, LittleEndian.u64(bytes, at));
    }
    return Row.mix(step(hash, LittleEndian.u64(bytes, last)));
  }

  private static long step(long hash, long word) {
    return Long.rotateLeft(hash ^ word * A, ROTATION) * B;
  }
}
