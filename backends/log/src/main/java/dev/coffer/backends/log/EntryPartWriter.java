package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Writes an entry part ({@link PartLayout}) from its first byte to its last. Holds 8 bytes a row,
 * at the end 15, so at most 16 MiB, and buffers of a few times the longest row. Not thread-safe.
 */
final class EntryPartWriter {
  /** The most rows of a part. */
  static final int MAX_ROWS = 1 << 20;

  /** A part that has reached this many bytes takes no more rows. */
  static final int FULL_LENGTH = 128 << 20;

  private static final int ROWS_PER_BLOCK = 8;
  private static final int FENCES_PER_BLOCK = 64;
  private static final int BLOCK_TARGET = 2048;

  /** About what an entry has besides its key and body. */
  private static final int OVERHEAD = 16;

  private static final int BUFFER = 64 * 1024;

  private final PartSink sink;
  private final int salt;
  private final PartCrc crc = new PartCrc();
  private final BytesOut buffer = new BytesOut(2 * BUFFER);
  private final BytesOut tail = new BytesOut(64);
  private final PartBlockWriter rowBlock = new PartBlockWriter(0, 1, ROWS_PER_BLOCK);

  /** The open block of fences of each level from 1 on. */
  private final List<PartBlockWriter> fenceBlocks = new ArrayList<>();

  private byte[] separator = new byte[0];
  private byte[] firstKey = separator;
  private @Nullable Row last;
  private long[] packed = new long[ROWS_PER_BLOCK];
  private int rows;

  /** The first row that is not in a finished block. */
  private int openRow;

  private int blocks;
  private int longestUnits;
  private int lastFence;
  private long flushed;

  /** Writes a part that can be told from any other by a random number. */
  EntryPartWriter(PartSink sink) {
    this(sink, ThreadLocalRandom.current().nextInt());
  }

  EntryPartWriter(PartSink sink, int salt) {
    this.sink = sink;
    this.salt = salt;
    buffer.raw(PartLayout.header(salt));
  }

  int rows() {
    return rows;
  }

  /** How many bytes the finished blocks and the header have. */
  long length() {
    return flushed + buffer.length();
  }

  /** Whether the part takes no more rows. */
  boolean isFull() {
    return rows == MAX_ROWS || length() >= FULL_LENGTH;
  }

  /**
   * Adds the row of the next key.
   *
   * @throws IllegalArgumentException if its key is not above the last one, or no number of it may
   *     be kept
   * @throws IllegalStateException if the part is full
   */
  void add(Row row) throws StoreException {
    check(row);
    int keyEnd = Row.KEY_OFFSET + row.keyLength();
    Row before = last;
    if (!rowBlock.hasRoom(row.meta().length + OVERHEAD, BLOCK_TARGET)) {
      finishRowBlock();
      if (before != null) {
        separator = separator(before, row);
      }
    }
    if (before == null) {
      firstKey = Arrays.copyOfRange(row.meta(), Row.KEY_OFFSET, keyEnd);
    }
    tail.cut(0, Integer.MAX_VALUE);
    if (row.contentOffset() > 0 || row.segment() > 0) {
      tail.varint(row.version() << 1 | 1).varint(row.segment());
      tail.varint(Math.max(0, row.contentOffset()));
    } else {
      tail.varint(row.version() << 1);
    }
    rowBlock.add(row.meta(), Row.KEY_OFFSET, keyEnd, tail, row.meta(), keyEnd);
    if (rows == packed.length) {
      packed = Arrays.copyOf(packed, 2 * rows);
    }
    packed[rows++] = KeyHash.of(row.meta(), Row.KEY_OFFSET, row.keyLength());
    last = row;
  }

  private void check(Row row) {
    if (isFull()) {
      throw new IllegalStateException("index part is full: rows=" + rows + " bytes=" + length());
    }
    boolean contentFits =
        row.segment() >= 0 && (row.contentOffset() == -1 || row.contentOffset() > 0);
    int keyLength = row.keyLength();
    if (!contentFits
        || row.version() < 0
        || keyLength == 0
        || keyLength > Keys.MAX_LENGTH
        || row.meta().length < Row.KEY_OFFSET + keyLength
        || row.meta().length > RecordHeader.MAX_META) {
      throw new IllegalArgumentException(
          "row cannot be kept: keyLength=%d metaLength=%d version=%d segment=%d offset=%d"
              .formatted(
                  keyLength, row.meta().length, row.version(), row.segment(), row.contentOffset()));
    }
    if (last != null && last.compareKey(row) >= 0) {
      throw new IllegalArgumentException("row is not above the one before: row=" + rows);
    }
  }

  /** The shortest key above one row's and not above the next's. */
  private static byte[] separator(Row before, Row row) {
    int end = Row.KEY_OFFSET + row.keyLength();
    int shared =
        Arrays.mismatch(
            before.meta(),
            Row.KEY_OFFSET,
            Row.KEY_OFFSET + before.keyLength(),
            row.meta(),
            Row.KEY_OFFSET,
            end);
    return Arrays.copyOfRange(row.meta(), Row.KEY_OFFSET, Row.KEY_OFFSET + shared + 1);
  }

  private void finishRowBlock() throws StoreException {
    int unit = write(rowBlock);
    for (; openRow < rows; openRow++) {
      packed[openRow] = PartLayout.pack(packed[openRow], unit);
    }
    fence(1, separator, unit);
  }

  private void fence(int level, byte[] key, int unit) throws StoreException {
    if (fenceBlocks.size() < level) {
      fenceBlocks.add(new PartBlockWriter(level, 2, FENCES_PER_BLOCK));
    }
    PartBlockWriter block = fenceBlocks.get(level - 1);
    if (!block.hasRoom(key.length + OVERHEAD, BLOCK_TARGET)) {
      finishFenceBlock(block);
    }
    tail.cut(0, Integer.MAX_VALUE);
    block.add(key, tail.varint(unit));
    lastFence = unit;
  }

  private void finishFenceBlock(PartBlockWriter block) throws StoreException {
    byte[] key = block.first();
    int unit = write(block);
    fence(block.level() + 1, key, unit);
  }

  private int write(PartBlockWriter block) throws StoreException {
    int unit = (int) (length() / PartLayout.UNIT);
    BytesOut bytes = block.finish(crc, salt, unit);
    longestUnits = Math.max(longestUnits, bytes.length() / PartLayout.UNIT);
    blocks++;
    emit(bytes.bytes(), bytes.length());
    block.reset();
    return unit;
  }

  private void emit(byte[] bytes, int length) throws StoreException {
    buffer.raw(bytes, 0, length);
    if (buffer.length() >= BUFFER) {
      flush();
    }
  }

  private void flush() throws StoreException {
    sink.write(buffer.bytes(), 0, buffer.length());
    flushed += buffer.length();
    buffer.cut(0, 2 * BUFFER);
  }

  /**
   * Writes what is left.
   *
   * @throws IllegalStateException if there are no rows
   */
  EntryPartInfo finish() throws StoreException {
    Row lastRow = last;
    if (lastRow == null) {
      throw new IllegalStateException("index part has no rows");
    }
    finishRowBlock();
    int level = 1;
    while (level < fenceBlocks.size() || fenceBlocks.get(level - 1).count() > 1) {
      finishFenceBlock(fenceBlocks.get(level - 1));
      level++;
    }
    int rootUnit = lastFence;
    int endUnit = (int) (length() / PartLayout.UNIT);
    byte[] lastKey =
        Arrays.copyOfRange(lastRow.meta(), Row.KEY_OFFSET, Row.KEY_OFFSET + lastRow.keyLength());
    EntryPartInfo info =
        new EntryPartInfo(salt, rows, blocks, endUnit, rootUnit, longestUnits, firstKey, lastKey);
    emit(new byte[PartLayout.UNIT], (int) (info.tableOffset() - length()));
    writeTable(info);
    flush();
    return info;
  }

  private void writeTable(EntryPartInfo info) throws StoreException {
    int lines = PartLayout.lines(rows);
    int unitBits = PartLayout.unitBits(info.endUnit());
    int[] slots = new int[lines * PartLayout.LINE_SLOTS];
    byte[] used = new byte[lines];
    for (int i = 0; i < rows; i++) {
      int line = PartLayout.line(packed[i], lines);
      for (int probe = 0; probe < PartLayout.PROBES; probe++) {
        if (used[line] < PartLayout.LINE_SLOTS) {
          slots[line * PartLayout.LINE_SLOTS + used[line]++] =
              PartLayout.packedSlot(packed[i], unitBits);
          break;
        }
        line = line + 1 == lines ? 0 : line + 1;
      }
    }
    byte[] bytes = new byte[PartLayout.LINE_LENGTH];
    for (int line = 0; line < lines; line++) {
      for (int i = 0; i < PartLayout.LINE_SLOTS; i++) {
        PartLayout.u32(bytes, 4 * i, slots[line * PartLayout.LINE_SLOTS + i]);
      }
      int unit = (int) (length() / PartLayout.UNIT);
      crc.seal(bytes, 0, bytes.length, salt, unit);
      emit(bytes, bytes.length);
    }
  }
}
