package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;

/**
 * The meta bytes of a dictionary record, whose number is the dictionary's id and whose content
 * bytes are the dictionary: 4 bytes, the CRC32C of the content bytes.
 */
final class DictionaryLayout {
  static final int LENGTH = 4;

  private DictionaryLayout() {}

  static byte[] encode(int crc) {
    return new BytesOut(LENGTH).u32(crc).toByteArray();
  }

  static int crc(byte[] meta) throws StoreCorruptException {
    if (meta.length != LENGTH) {
      throw BytesIn.malformed(
          "of a dictionary has a wrong length: expected=" + LENGTH + " found=" + meta.length);
    }
    return new BytesIn(meta).u32();
  }
}
