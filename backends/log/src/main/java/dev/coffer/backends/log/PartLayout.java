package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;

/**
 * An entry part: sorted rows in blocks, a tree of fences over the blocks, and a hash table.
 *
 * <pre>
 *   0        32                                 end, rounded up to 64
 *   +--------+-------+-------+- - -+-------+---+------+------+- - -+------+
 *   | header | block | block |     | block | 0 | line | line |     | line |
 *   +--------+-------+-------+- - -+-------+---+------+------+- - -+------+
 *
 *   header  0       8         12     16              28
 *           +-------+---------+------+---------------+-----+
 *           | magic | version | salt | 12 bytes of 0 | crc |     version 1
 *           +-------+---------+------+---------------+-----+
 *
 *   block   0      4                                    32 * units
 *           +------+-------+-------+- - -+----------+-----+      head: bits 0-19 units,
 *           | head | entry | entry |     | 0 bytes  | crc |      20-24 level, 25-31 count
 *           +------+-------+-------+- - -+----------+-----+
 *
 *   entry   +--------+--------------+------------+--------+------+
 *           | shared | suffixLength | tailLength | suffix | tail |     varints, then bytes
 *           +--------+--------------+------------+--------+------+
 *
 *   tail in a block of level 0, a row: varint version * 2, plus 1 if the record lies in a segment
 *   above 0 or has content; if so varint segment and varint offset of the content, 0 if there is
 *   none; then the put's meta bytes from the type on, to the end:
 *   none for a deletion
 *
 *   tail above level 0, a fence: varint unit where a block of the level below starts
 *
 *   line    0      4            60    64
 *           +------+------+- - -+-----+      slot: a block's unit in the low bits, as many as
 *           | slot | slot |     | crc |      the unit of the end takes, then bits of the hash
 *           +------+------+- - -+-----+      from its lowest; 0 is free, and the rest too
 * </pre>
 *
 * <p>A block starts at a <em>unit</em> of 32 bytes. <em>shared</em> is how many bytes the key has
 * in common with that of the entry before it in the block, exactly; 0 in the first. A fence's key
 * is above all keys before its block, and not above any key in it; the very first is empty. Blocks
 * of rows lie in order, with the blocks of fences among them, each after all it names.
 *
 * <p>A row is in the line that the top 24 bits of its key's hash choose, or, where that was full,
 * in one of the {@link #PROBES} - 1 after it, the first following the last. A row that found them
 * all full is in no line. Lines are as few as hold ten rows each.
 *
 * <p>Each crc is the CRC32C of what lies before it in its header, block or line, exclusive-or the
 * low half of {@code mix(salt * A + unit)}: bytes of another part or place are damage too.
 */
final class PartLayout {
  private static final int UNIT_BITS = 23;

  /** The bytes in which positions of blocks are counted. */
  static final int UNIT = 32;

  static final int HEADER_LENGTH = UNIT;
  static final int HEAD_LENGTH = 4;
  static final int CRC_LENGTH = 4;

  /** A line of the hash table is a line of the processor's cache. */
  static final int LINE_LENGTH = 64;

  static final int LINE_SLOTS = LINE_LENGTH / 4 - 1;

  /** How many rows a line has on average, at most. */
  static final int ROWS_PER_LINE = 10;

  /** How many lines one after the other may hold a row. */
  static final int PROBES = 8;

  /** The most units of a block; enough for the longest meta bytes. */
  static final int MAX_BLOCK_UNITS = (1 << 20) - 1;

  /** Above the unit of any block. */
  static final int MAX_UNITS = 1 << UNIT_BITS;

  private static final long MAGIC = 0x0a1a74726150fe8eL;
  private static final int VERSION = 1;
  private static final int SALT_OFFSET = 12;
  private static final int LEVEL_SHIFT = 20;
  private static final int LEVEL_MASK = 31;
  private static final int COUNT_SHIFT = 25;
  private static final int LINE_BITS = 24;
  private static final int FINGERPRINT_MASK = (1 << 17) - 1;

  private PartLayout() {}

  static int u32(byte[] bytes, int at) {
    return LittleEndian.u32(bytes, at);
  }

  static void u32(byte[] bytes, int at, int value) {
    LittleEndian.u32(bytes, at, value);
  }

  static byte[] header(int salt) {
    byte[] header =
        new BytesOut(HEADER_LENGTH).u64(MAGIC).u32(VERSION).u32(salt).raw(new byte[16]).bytes();
    new PartCrc().seal(header, 0, HEADER_LENGTH, salt, 0);
    return header;
  }

  static void checkHeader(byte[] header, int salt) throws StoreCorruptException {
    BytesIn in = new BytesIn(header);
    if (in.u64() != MAGIC || in.u32() != VERSION || u32(header, SALT_OFFSET) != salt) {
      throw damaged("is not the one its index means", 0);
    }
    new PartCrc().check(header, 0, HEADER_LENGTH, salt, 0);
  }

  static int head(int units, int level, int count) {
    return units | level << LEVEL_SHIFT | count << COUNT_SHIFT;
  }

  static int units(int head) {
    return head & MAX_BLOCK_UNITS;
  }

  static int level(int head) {
    return head >>> LEVEL_SHIFT & LEVEL_MASK;
  }

  static int count(int head) {
    return head >>> COUNT_SHIFT;
  }

  static int lines(int rows) {
    return (rows + ROWS_PER_LINE - 1) / ROWS_PER_LINE;
  }

  /** How many of a slot's bits are a unit's, in a part whose blocks end at this one. */
  static int unitBits(int endUnit) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(endUnit);
  }

  /** The first line that may hold a row. */
  static int line(long hash, int lines) {
    return (int) (((hash >>> (Long.SIZE - LINE_BITS)) * lines) >>> LINE_BITS);
  }

  /** All that is ever used of a hash, and a unit, in one number. */
  static long pack(long hash, int unit) {
    long line = hash >>> (Long.SIZE - LINE_BITS) << (Long.SIZE - LINE_BITS);
    return line | (hash & FINGERPRINT_MASK) << UNIT_BITS | unit;
  }

  /** The slot of a packed number. */
  static int packedSlot(long packed, int unitBits) {
    return fingerprint(packed >>> UNIT_BITS, unitBits) | ((int) packed & (MAX_UNITS - 1));
  }

  /** The bits of a hash that a slot holds, where it holds them. */
  static int fingerprint(long hash, int unitBits) {
    return (int) (hash & FINGERPRINT_MASK) << unitBits;
  }

  static StoreCorruptException damaged(String what, long offset) {
    return new StoreCorruptException(
        "index part " + what + ": offset=" + offset, null, offset, null);
  }
}
