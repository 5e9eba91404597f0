package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;
import java.util.zip.CRC32C;

/** Seals ranges of a part as {@link PartLayout} says, and checks them. Not thread-safe. */
final class PartCrc {
  private static final long PLACES = 0x9e3779b97f4a7c15L;

  private final CRC32C crc = new CRC32C();

  /** Puts the crc into the last bytes of a range that lies at a unit of the part. */
  void seal(byte[] bytes, int offset, int length, int salt, int unit) {
    int at = offset + length - PartLayout.CRC_LENGTH;
    PartLayout.u32(bytes, at, value(bytes, offset, at - offset, salt, unit));
  }

  void check(byte[] bytes, int offset, int length, int salt, int unit)
      throws StoreCorruptException {
    int at = offset + length - PartLayout.CRC_LENGTH;
    int expected = PartLayout.u32(bytes, at);
    int found = value(bytes, offset, at - offset, salt, unit);
    if (found != expected) {
      throw PartLayout.damaged(
          "is damaged: length=" + length + " expectedCrc=" + expected + " foundCrc=" + found,
          (long) unit * PartLayout.UNIT);
    }
  }

  private int value(byte[] bytes, int offset, int length, int salt, int unit) {
    crc.reset();
    crc.update(bytes, offset, length);
    return (int) crc.getValue() ^ (int) Row.mix(Integer.toUnsignedLong(salt) * PLACES + unit);
  }
}
