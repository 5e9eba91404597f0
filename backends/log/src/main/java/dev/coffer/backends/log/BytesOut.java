package dev.coffer.backends.log;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing array of bytes, written little-endian. Not thread-safe. */
final class BytesOut {

  /** The longest number: 64 bits, 7 a byte. */
  private static final int MAX_VARINT = 10;

  private byte[] bytes;
  private int length;

  BytesOut(int capacity) {
    bytes = new byte[capacity];
  }

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  byte[] toByteArray() {
    return Arrays.copyOf(bytes, length);
  }

  /** Forgets everything from {@code newLength} on. */
  void cut(int newLength) {
    length = newLength;
  }

  /** Forgets everything from {@code newLength} on; keeps at most {@code keep} bytes of room. */
  void cut(int newLength, int keep) {
    length = newLength;
    if (bytes.length > keep && newLength <= keep) {
      bytes = Arrays.copyOf(bytes, keep);
    }
  }

  private int grow(int by) {
    int at = length;
    if (bytes.length - length < by) {
      bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(length, by), 2 * bytes.length));
    }
    length += by;
    return at;
  }

  BytesOut u8(int value) {
    int at = grow(1);
    bytes[at] = (byte) value;
    return this;
  }

  BytesOut u16(int value) {
    int at = grow(2);
    bytes[at] = (byte) value;
    bytes[at + 1] = (byte) (value >> 8);
    return this;
  }

  BytesOut u32(int value) {
    int at = grow(4);
    LittleEndian.u32(bytes, at, value);
    return this;
  }

  BytesOut u64(long value) {
    int at = grow(8);
    LittleEndian.u64(bytes, at, value);
    return this;
  }

  /** An unsigned number in LEB128: 7 bits a byte, the lowest first. */
  BytesOut varint(long value) {
    int at = grow(MAX_VARINT);
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      bytes[at++] = (byte) ((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    bytes[at++] = (byte) rest;
    length = at;
    return this;
  }

  /** A signed number, zigzag-coded as {@link #varint}. */
  BytesOut signed(long value) {
    return varint((value << 1) ^ (value >> 63));
  }

  BytesOut raw(byte[] source, int offset, int count) {
    int at = grow(count);
    System.arraycopy(source, offset, bytes, at, count);
    return this;
  }

  BytesOut raw(byte[] source) {
    return raw(source, 0, source.length);
  }

  /** Text as its length in bytes and its UTF-8. */
  BytesOut text(String value) {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    return varint(utf8.length).raw(utf8);
  }
}
