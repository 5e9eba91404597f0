package dev.coffer.vfs.spi;

import java.util.Objects;
import java.util.zip.CRC32C;

/**
 * Packed bytes with what is needed to check and unpack them. Immutable as long as nobody writes to
 * {@code bytes[offset, offset + length)}, which holders must not.
 *
 * @param page whether this is a page of a chunk table ({@link TablePage}), rather than file content
 * @param codecId the codec that packed it (the transform); 0 means the bytes are stored raw
 * @param dictionaryId the dictionary it was packed with, or 0
 * @param plainLength the length of the plain bytes
 * @param checksum the CRC32C of the packed bytes
 */
public record PackedChunk(
    boolean page,
    int codecId,
    long dictionaryId,
    int plainLength,
    int checksum,
    byte[] bytes,
    int offset,
    int length) {

  public PackedChunk {
    Objects.checkFromIndexSize(offset, length, bytes.length);
  }

  /** A chunk of these packed bytes, its checksum computed here. */
  public static PackedChunk of(
      boolean page, int codecId, long dictionaryId, int plainLength, byte[] packed) {
    return new PackedChunk(
        page,
        codecId,
        dictionaryId,
        plainLength,
        checksum(packed, 0, packed.length),
        packed,
        0,
        packed.length);
  }

  /** The CRC32C of a range of bytes. */
  public static int checksum(byte[] bytes, int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, offset, length);
    return (int) crc.getValue();
  }
}
