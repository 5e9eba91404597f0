package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;

/** How keys and values of a {@link LayeredTable} become rows of one width, and back. */
interface TableFormat<K extends Comparable<K>, V> {

  /** Content ids and where their chunks lie; key 8 bytes. */
  TableFormat<Long, ChunkInfo> CHUNKS = new ChunkFormat();

  /** Places that several entries share, and how many; key 12 bytes. */
  TableFormat<Location, Integer> SHARED = new SharedFormat();

  /** How many bytes of a row are its key, most significant byte first. */
  int keyLength();

  /** How long a row is in bytes. */
  int width();

  byte[] key(K key);

  byte[] row(K key, V value);

  K key(byte[] row, int offset);

  V value(byte[] row, int offset) throws StoreCorruptException;

  /** Writes a number most significant byte first, so that bytes compare as numbers do. */
  private static void putKey(byte[] target, int offset, long value, int length) {
    for (int i = 0; i < length; i++) {
      target[offset + i] = (byte) (value >>> (8 * (length - 1 - i)));
    }
  }

  private static long key(byte[] bytes, int offset, int length) {
    long value = 0;
    for (int i = 0; i < length; i++) {
      value = value << 8 | (bytes[offset + i] & 0xff);
    }
    return value;
  }

  /**
   * A chunk's row.
   *
   * <pre>
   *   0      8         12       20       24            28    32             40      41      42           46
   *   +------+---------+--------+--------+-------------+-----+--------------+-------+-------+------------+
   *   | id   | segment | offset | length | plainLength | crc | dictionaryId | codec | flags | references |
   *   | u64b | u32     | u64    | u32    | u32         | u32 | u64          | u8    | u8    | u32        |
   *   +------+---------+--------+--------+-------------+-----+--------------+-------+-------+------------+
   *   u64b: most significant byte first        flags: 1 page, 2 children counted, 4 dead
   * </pre>
   */
  final class ChunkFormat implements TableFormat<Long, ChunkInfo> {
    private static final int KEY_LENGTH = 8;
    private static final int WIDTH = 46;
    private static final int PAGE = 1;
    private static final int COUNTED = 2;
    private static final int DEAD = 4;

    private ChunkFormat() {}

    @Override
    public int keyLength() {
      return KEY_LENGTH;
    }

    @Override
    public int width() {
      return WIDTH;
    }

    @Override
    public byte[] key(Long id) {
      byte[] bytes = new byte[KEY_LENGTH];
      putKey(bytes, 0, id, KEY_LENGTH);
      return bytes;
    }

    @Override
    public byte[] row(Long id, ChunkInfo chunk) {
      ChunkLayout layout = chunk.layout();
      int flags =
          (layout.page() ? PAGE : 0)
              | (chunk.childrenCounted() ? COUNTED : 0)
              | (chunk.dead() ? DEAD : 0);
      return new BytesOut(WIDTH)
          .raw(key(id))
          .u32(chunk.segment())
          .u64(chunk.offset())
          .u32(chunk.length())
          .u32(layout.plainLength())
          .u32(layout.crc())
          .u64(layout.dictionaryId())
          .u8(layout.codecId())
          .u8(flags)
          .u32(chunk.references())
          .toByteArray();
    }

    @Override
    public Long key(byte[] row, int offset) {
      return TableFormat.key(row, offset, KEY_LENGTH);
    }

    @Override
    public ChunkInfo value(byte[] row, int offset) throws StoreCorruptException {
      BytesIn in = new BytesIn(row, offset + KEY_LENGTH, WIDTH - KEY_LENGTH);
      int segment = in.u32();
      long place = in.u64();
      int length = in.u32();
      int plainLength = in.u32();
      int crc = in.u32();
      long dictionaryId = in.u64();
      int codecId = in.u8();
      int flags = in.u8();
      int references = in.u32();
      if (place < 0 || length < 0 || plainLength < 0 || references < 0) {
        throw BytesIn.malformed("of the chunk index is malformed: length=" + length);
      }
      return new ChunkInfo(
          segment,
          place,
          length,
          new ChunkLayout(plainLength, crc, dictionaryId, codecId, (flags & PAGE) != 0),
          references,
          (flags & COUNTED) != 0,
          (flags & DEAD) != 0);
    }
  }

  /**
   * A shared place's row.
   *
   * <pre>
   *   0         4        12      16
   *   +---------+--------+-------+
   *   | segment | offset | count |   segment, offset: most significant byte first;
   *   | u32b    | u64b   | u32   |   count: how many entries name the place, 0 no longer shared
   *   +---------+--------+-------+
   * </pre>
   */
  final class SharedFormat implements TableFormat<Location, Integer> {
    private static final int KEY_LENGTH = 12;
    private static final int WIDTH = 16;

    private SharedFormat() {}

    @Override
    public int keyLength() {
      return KEY_LENGTH;
    }

    @Override
    public int width() {
      return WIDTH;
    }

    @Override
    public byte[] key(Location location) {
      byte[] bytes = new byte[KEY_LENGTH];
      putKey(bytes, 0, location.segment(), 4);
      putKey(bytes, 4, location.offset(), 8);
      return bytes;
    }

    @Override
    public byte[] row(Location location, Integer count) {
      return new BytesOut(WIDTH).raw(key(location)).u32(count).toByteArray();
    }

    @Override
    public Location key(byte[] row, int offset) {
      return new Location(
          (int) TableFormat.key(row, offset, 4), TableFormat.key(row, offset + 4, 8));
    }

    @Override
    public Integer value(byte[] row, int offset) throws StoreCorruptException {
      return new BytesIn(row, offset + KEY_LENGTH, 4).u32();
    }
  }
}
