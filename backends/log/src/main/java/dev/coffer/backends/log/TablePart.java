package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.PackedChunk;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A part of a run: rows of one width in the order of their keys, in checked blocks.
 *
 * <pre>
 *   block 0                                     block 1
 *   +-------+-------+- - -+--------+-----------+-------+- - -
 *   | row 0 | row 1 |     | row 31 | crc (u32) | row 32|          the last block may be shorter
 *   +-------+-------+- - -+--------+-----------+-------+- - -
 *   crc: CRC32C of the block's rows
 * </pre>
 *
 * Thread-safe.
 */
final class TablePart {
  static final int BLOCK_ROWS = 32;
  static final int CRC_LENGTH = 4;

  private final PartSource source;
  private final long rows;
  private final int width;
  private final int keyLength;

  /** A part of {@code rows} rows, which must be as long as that says. */
  TablePart(PartSource source, long rows, TableFormat<?, ?> format) throws StoreCorruptException {
    this.source = source;
    this.rows = rows;
    this.width = format.width();
    this.keyLength = format.keyLength();
    if (rows < 0 || rows > source.length() / width || length(rows, width) != source.length()) {
      throw BytesIn.malformed(
          "of the index has a part of a wrong length: rows=" + rows + " found=" + source.length());
    }
  }

  long rows() {
    return rows;
  }

  private static long length(long rows, int width) {
    return rows * width + (rows + BLOCK_ROWS - 1) / BLOCK_ROWS * CRC_LENGTH;
  }

  private long blocks() {
    return (rows + BLOCK_ROWS - 1) / BLOCK_ROWS;
  }

  /** The row of a key, or null. */
  byte @Nullable [] find(byte[] key) throws StoreException {
    long low = 0;
    long high = blocks() - 1;
    byte[] first = new byte[keyLength];
    while (low < high) {
      long middle = (low + high + 1) >>> 1;
      source.read(middle * (BLOCK_ROWS * width + CRC_LENGTH), first, 0, keyLength);
      if (Arrays.compareUnsigned(first, key) <= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return rows == 0 ? null : findNear(low, key);
  }

  /** The keys looked at on the way were not checked; so the neighbours must agree. */
  private byte @Nullable [] findNear(long block, byte[] key) throws StoreException {
    byte[] bytes = block(block);
    int count = bytes.length / width;
    if (compare(bytes, 0, key) > 0) {
      if (block > 0 && compare(block(block - 1), BLOCK_ROWS - 1, key) >= 0) {
        throw misled(block);
      }
      return null;
    }
    for (int i = 0; i < count; i++) {
      int order = compare(bytes, i, key);
      if (order == 0) {
        return Arrays.copyOfRange(bytes, i * width, (i + 1) * width);
      }
      if (order > 0) {
        return null;
      }
    }
    if (block + 1 < blocks() && compare(block(block + 1), 0, key) <= 0) {
      throw misled(block);
    }
    return null;
  }

  private int compare(byte[] block, int row, byte[] key) {
    return Arrays.compareUnsigned(block, row * width, row * width + keyLength, key, 0, keyLength);
  }

  private static StoreCorruptException misled(long block) {
    return BytesIn.malformed("of the index is out of order: block=" + block);
  }

  /** The rows of a block, checked. */
  private byte[] block(long index) throws StoreException {
    int count = (int) Math.min(BLOCK_ROWS, rows - index * BLOCK_ROWS);
    byte[] bytes = new byte[count * width + CRC_LENGTH];
    source.read(index * (BLOCK_ROWS * width + CRC_LENGTH), bytes, 0, bytes.length);
    int crc = new BytesIn(bytes, count * width, CRC_LENGTH).u32();
    if (PackedChunk.checksum(bytes, 0, count * width) != crc) {
      throw BytesIn.malformed("of the index has a wrong checksum: block=" + index);
    }
    return Arrays.copyOf(bytes, count * width);
  }

  /** Walks over all rows. */
  Cursor cursor() {
    return new Cursor();
  }

  /** One walk over the rows, in order; for one thread. */
  final class Cursor {
    private byte[] block = new byte[0];
    private long nextBlock;
    private int at = -1;

    /** Goes on to the next row; false behind the last. */
    boolean next() throws StoreException {
      at++;
      if (at < block.length / width) {
        return true;
      }
      if (nextBlock == blocks()) {
        return false;
      }
      block = block(nextBlock++);
      at = 0;
      return true;
    }

    /** The bytes that {@link #offset} is in. */
    byte[] bytes() {
      return block;
    }

    /** Where the row starts. */
    int offset() {
      return at * width;
    }
  }

  /** Writes a part; for one thread. */
  static final class Writer {
    private final PartSink sink;
    private final BytesOut block;
    private final int width;
    private long rows;

    Writer(PartSink sink, TableFormat<?, ?> format) {
      this.sink = sink;
      this.width = format.width();
      this.block = new BytesOut(BLOCK_ROWS * width + CRC_LENGTH);
    }

    /** Adds a row, whose key is above all before. */
    void add(byte[] row) throws StoreException {
      block.raw(row);
      rows++;
      if (block.length() == BLOCK_ROWS * width) {
        flush();
      }
    }

    private void flush() throws StoreException {
      if (block.length() > 0) {
        block.u32(PackedChunk.checksum(block.bytes(), 0, block.length()));
        sink.write(block.bytes(), 0, block.length());
        block.cut(0, Integer.MAX_VALUE);
      }
    }

    /** Ends the part; answers how many rows it has. */
    long finish() throws StoreException {
      flush();
      return rows;
    }
  }
}
