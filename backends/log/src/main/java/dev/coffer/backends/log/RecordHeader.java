package dev.coffer.backends.log;

import dev.coffer.vfs.spi.PackedChunk;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The header of every record, 32 bytes, little-endian; then come the meta bytes, then the content
 * bytes. Records follow one another without gaps or alignment.
 *
 * <pre>
 *   0       2      3       4       8        16           20              24        28          32
 *   +-------+------+-------+-------+--------+------------+---------------+---------+-----------+
 *   | magic | kind | flags | epoch | number | metaLength | contentLength | metaCrc | headerCrc |
 *   +-------+------+-------+-------+--------+------------+---------------+---------+-----------+
 * </pre>
 *
 * <p>{@code metaCrc} is the CRC32C of the meta bytes. {@code headerCrc} is the CRC32C of bytes 0 to
 * 27 and then of what the header does not hold: store id (8 bytes), segment (4) and the record's
 * own offset in the file (8), so that a record found in another file or elsewhere in this one is
 * none. Content bytes carry their checksum in the meta bytes: opening does not read them.
 *
 * @param number the content id, sequence or epoch, by kind
 */
record RecordHeader(
    int kind, int epoch, long number, int metaLength, int contentLength, int metaCrc, int crc) {

  static final int LENGTH = 32;
  static final int MAGIC = 0xc0f1;

  /** The most meta bytes a record may have. */
  static final int MAX_META = 16 * 1024 * 1024;

  /** The most content bytes a record may have. */
  static final int MAX_CONTENT = 1 << 30;

  /** Store id, segment and offset. */
  private static final int IMPLIED_LENGTH = 8 + 4 + 8;

  private static final int KIND_OFFSET = 2;
  private static final int FLAGS_OFFSET = KIND_OFFSET + 1;
  private static final int EPOCH_OFFSET = FLAGS_OFFSET + 1;
  private static final int NUMBER_OFFSET = EPOCH_OFFSET + 4;
  private static final int META_LENGTH_OFFSET = NUMBER_OFFSET + 8;
  private static final int CONTENT_LENGTH_OFFSET = META_LENGTH_OFFSET + 4;
  private static final int META_CRC_OFFSET = CONTENT_LENGTH_OFFSET + 4;
  private static final int CRC_OFFSET = META_CRC_OFFSET + 4;

  long length() {
    return (long) LENGTH + metaLength + contentLength;
  }

  /** The CRC of header bytes at {@code at} of a record that lies at {@code offset} of its file. */
  static int crc(byte[] bytes, int at, Home home, long offset) {
    BytesOut covered = new BytesOut(CRC_OFFSET + IMPLIED_LENGTH);
    covered.raw(bytes, at, CRC_OFFSET);
    covered.u64(home.storeId()).u32(home.segment()).u64(offset);
    return PackedChunk.checksum(covered.bytes(), 0, covered.length());
  }

  /** Appends a header; answers its CRC. */
  static int encode(
      BytesOut out,
      Home home,
      long offset,
      int kind,
      int epoch,
      long number,
      int metaLength,
      int contentLength,
      int metaCrc) {
    int at = out.length();
    out.u16(MAGIC).u8(kind).u8(0).u32(epoch).u64(number);
    out.u32(metaLength).u32(contentLength).u32(metaCrc);
    out.u64(home.storeId()).u32(home.segment()).u64(offset);
    int crc = PackedChunk.checksum(out.bytes(), at, CRC_OFFSET + IMPLIED_LENGTH);
    out.cut(at + CRC_OFFSET);
    out.u32(crc);
    return crc;
  }

  /** Whether the bytes at {@code at} could start a record; cheap. */
  static boolean hasMagic(byte[] bytes, int at) {
    return bytes[at] == (byte) MAGIC && bytes[at + 1] == (byte) (MAGIC >> 8);
  }

  /** The header at {@code at}, or null if there is no sound one. */
  static @org.jspecify.annotations.Nullable RecordHeader decode(
      byte[] bytes, int at, Home home, long offset) {
    ByteBuffer view = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int crc = view.getInt(at + CRC_OFFSET);
    if (!hasMagic(bytes, at) || crc != crc(bytes, at, home, offset)) {
      return null;
    }
    int metaLength = view.getInt(at + META_LENGTH_OFFSET);
    int contentLength = view.getInt(at + CONTENT_LENGTH_OFFSET);
    if (metaLength < 0
        || metaLength > MAX_META
        || contentLength < 0
        || contentLength > MAX_CONTENT
        || bytes[at + FLAGS_OFFSET] != 0) {
      return null;
    }
    return new RecordHeader(
        bytes[at + KIND_OFFSET] & 0xff,
        view.getInt(at + EPOCH_OFFSET),
        view.getLong(at + NUMBER_OFFSET),
        metaLength,
        contentLength,
        view.getInt(at + META_CRC_OFFSET),
        crc);
  }

  /** What ties a record to its file without being in it. */
  record Home(long storeId, int segment) {}
}
