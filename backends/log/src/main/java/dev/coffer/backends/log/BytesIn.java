package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads what {@link BytesOut} wrote, trusting nothing: whatever does not fit is a {@link
 * StoreCorruptException}. Not thread-safe.
 */
final class BytesIn {
  private final byte[] bytes;
  private final int end;
  private int position;

  BytesIn(byte[] bytes) {
    this(bytes, 0, bytes.length);
  }

  BytesIn(byte[] bytes, int offset, int length) {
    this.bytes = bytes;
    this.position = offset;
    this.end = offset + length;
  }

  int remaining() {
    return end - position;
  }

  int position() {
    return position;
  }

  private int take(int count) throws StoreCorruptException {
    if (count < 0 || count > end - position) {
      throw malformed("is too short: expected=" + count + " found=" + (end - position));
    }
    int at = position;
    position += count;
    return at;
  }

  static StoreCorruptException malformed(String what) {
    return new StoreCorruptException("record " + what);
  }

  int u8() throws StoreCorruptException {
    return bytes[take(1)] & 0xff;
  }

  int u16() throws StoreCorruptException {
    int low = u8();
    return low | u8() << 8;
  }

  int u32() throws StoreCorruptException {
    return LittleEndian.u32(bytes, take(4));
  }

  long u64() throws StoreCorruptException {
    return LittleEndian.u64(bytes, take(8));
  }

  long varint() throws StoreCorruptException {
    if (position < end && bytes[position] >= 0) {
      return bytes[position++]; // Nearly all are below 128.
    }
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      int b = u8();
      if (shift == 63 && b > 1) {
        break;
      }
      value |= (b & 0x7fL) << shift;
      if (b < 0x80) {
        return value;
      }
    }
    throw malformed("holds a number of more than 64 bits: position=" + position);
  }

  long signed() throws StoreCorruptException {
    long value = varint();
    return (value >>> 1) ^ -(value & 1);
  }

  /** A number that must lie between 0 and {@code max}. */
  long upTo(long max, String what) throws StoreCorruptException {
    long value = varint();
    if (value < 0 || value > max) {
      throw malformed("has a wrong " + what + ": max=" + max + " found=" + value);
    }
    return value;
  }

  byte[] raw(int count) throws StoreCorruptException {
    int at = take(count);
    return Arrays.copyOfRange(bytes, at, at + count);
  }

  String text() throws StoreCorruptException {
    return utf8((int) upTo(remaining(), "length"));
  }

  /** The UTF-8 text of the next {@code count} bytes. */
  String utf8(int count) throws StoreCorruptException {
    int at = take(count);
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes, at, count))
          .toString();
    } catch (CharacterCodingException e) {
      throw new StoreCorruptException("record holds text that is not UTF-8", null, -1, e);
    }
  }
}
