package dev.coffer.testkit;

import dev.coffer.vfs.spi.PackedChunk;
import java.util.Random;

/** Makes packed chunks. A backend never looks inside, so their bytes are just random. */
final class Chunks {
  static final int RAW = 0;
  static final int ZSTD = 1;

  private Chunks() {}

  static byte[] bytes(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  static PackedChunk raw(long seed, int length) {
    return PackedChunk.of(false, RAW, 0, length, bytes(seed, length));
  }

  static PackedChunk packed(long seed, int packedLength, int plainLength) {
    return PackedChunk.of(false, ZSTD, 0, plainLength, bytes(seed, packedLength));
  }

  /** A chunk in the middle of an array, as a packer with one big buffer would give it. */
  static PackedChunk slice(long seed, int length) {
    byte[] around = bytes(seed, length + 30);
    return new PackedChunk(
        false, RAW, 0, length, PackedChunk.checksum(around, 13, length), around, 13, length);
  }
}
