package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.spi.PackedChunk;

/**
 * The meta bytes of a chunk record, whose number is the content id and whose content bytes are the
 * packed ones.
 *
 * <pre>
 *   0             4     8              16      17      18
 *   +-------------+-----+--------------+-------+-------+
 *   | plainLength | crc | dictionaryId | codec | flags |   flags: 1 = page of a chunk table
 *   +-------------+-----+--------------+-------+-------+   crc: CRC32C of the content bytes
 * </pre>
 */
record ChunkLayout(int plainLength, int crc, long dictionaryId, int codecId, boolean page) {

  static final int LENGTH = 18;

  private static final int PAGE = 1;

  static ChunkLayout of(PackedChunk chunk) {
    return new ChunkLayout(
        chunk.plainLength(), chunk.checksum(), chunk.dictionaryId(), chunk.codecId(), chunk.page());
  }

  byte[] encode() {
    return new BytesOut(LENGTH)
        .u32(plainLength)
        .u32(crc)
        .u64(dictionaryId)
        .u8(codecId)
        .u8(page ? PAGE : 0)
        .toByteArray();
  }

  static ChunkLayout decode(byte[] meta) throws StoreCorruptException {
    if (meta.length != LENGTH) {
      throw BytesIn.malformed(
          "of a chunk has a wrong length: expected=" + LENGTH + " found=" + meta.length);
    }
    BytesIn in = new BytesIn(meta);
    int plainLength = in.u32();
    int crc = in.u32();
    long dictionaryId = in.u64();
    int codecId = in.u8();
    int flags = in.u8();
    if (plainLength < 0 || (flags & ~PAGE) != 0) {
      throw BytesIn.malformed(
          "of a chunk is malformed: plainLength=" + plainLength + " flags=" + flags);
    }
    return new ChunkLayout(plainLength, crc, dictionaryId, codecId, flags == PAGE);
  }
}
