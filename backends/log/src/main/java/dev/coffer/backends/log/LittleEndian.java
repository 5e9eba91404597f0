package dev.coffer.backends.log;

/**
 * Numbers in bytes, the lowest byte first. By shifts, not by a {@link java.lang.invoke.VarHandle}:
 * making one takes longer than opening a store.
 */
final class LittleEndian {
  private LittleEndian() {}

  static int u32(byte[] bytes, int at) {
    return (bytes[at] & 0xff)
        | (bytes[at + 1] & 0xff) << 8
        | (bytes[at + 2] & 0xff) << 16
        | bytes[at + 3] << 24;
  }

  static long u64(byte[] bytes, int at) {
    return (u32(bytes, at) & 0xffffffffL) | (long) u32(bytes, at + 4) << 32;
  }

  static void u32(byte[] bytes, int at, int value) {
    bytes[at] = (byte) value;
    bytes[at + 1] = (byte) (value >> 8);
    bytes[at + 2] = (byte) (value >> 16);
    bytes[at + 3] = (byte) (value >> 24);
  }

  static void u64(byte[] bytes, int at, long value) {
    u32(bytes, at, (int) value);
    u32(bytes, at + 4, (int) (value >> 32));
  }
}
