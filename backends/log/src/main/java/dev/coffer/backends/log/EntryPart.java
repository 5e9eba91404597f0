package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An entry part ({@link PartLayout}) for reading: at most two reads a look-up where the key is, and
 * one where it is not, all but rarely. Thread-safe; holds nothing but its source.
 *
 * <p>Whatever of it is damaged, what is answered is right, or a {@link StoreCorruptException} with
 * the offset in the part.
 */
final class EntryPart {
  /** After so many blocks that do not have a key their slots promised, order decides. */
  private static final int MAX_WRONG = 3;

  private static final int MAX_USUAL = 4096;

  private final PartSource source;
  private final EntryPartInfo info;
  private final int lines;
  private final int unitBits;
  private final long tableOffset;

  /** Most blocks are not longer, and need one read. */
  private final int usualLength;

  /**
   * @throws StoreCorruptException if the source is not the part described
   */
  EntryPart(PartSource source, EntryPartInfo info) throws StoreException {
    this.source = source;
    this.info = info;
    this.lines = PartLayout.lines(info.rows());
    this.unitBits = PartLayout.unitBits(info.endUnit());
    this.tableOffset = info.tableOffset();
    int mean = info.endUnit() / info.blocks() * PartLayout.UNIT;
    this.usualLength = Math.min(MAX_USUAL, mean + mean / 4 + PartLayout.UNIT);
    if (source.length() != info.length()) {
      throw PartLayout.damaged(
          "has a wrong length: expected=" + info.length() + " found=" + source.length(), 0);
    }
    byte[] header = new byte[PartLayout.HEADER_LENGTH];
    source.read(0, header, 0, header.length);
    PartLayout.checkHeader(header, info.salt());
  }

  EntryPartInfo info() {
    return info;
  }

  /** The hash to look a key up by, the same for all parts. */
  static long hash(byte[] key) {
    return KeyHash.of(key, 0, key.length);
  }

  /** The row of a key, a deletion too, or null. */
  @Nullable Row get(byte[] key, long hash) throws StoreException {
    PartScratch scratch = PartScratch.take();
    try {
      return get(key, hash, scratch);
    } finally {
      scratch.give();
    }
  }

  /** As above, for who asks several parts. */
  @Nullable Row get(byte[] key, long hash, PartScratch scratch) throws StoreException {
    int wanted = PartLayout.fingerprint(hash, unitBits) >>> unitBits;
    int line = PartLayout.line(hash, lines);
    int wrong = 0;
    for (int probe = 0; probe < PartLayout.PROBES; probe++) {
      ByteBuffer slots = readLine(line, scratch);
      for (int i = 0; i < PartLayout.LINE_SLOTS; i++) {
        int slot = slots.getInt(i * Integer.BYTES);
        if (slot == 0) {
          return null;
        }
        if (slot >>> unitBits == wanted) {
          PartBlock block = scratch.block;
          block.read(source, info, slot & ((1 << unitBits) - 1), usualLength);
          if (block.find(key)) {
            return block.row(key);
          }
          if (++wrong == MAX_WRONG) {
            return search(key, scratch);
          }
        }
      }
      line = line + 1 == lines ? 0 : line + 1;
    }
    return search(key, scratch);
  }

  private ByteBuffer readLine(int line, PartScratch scratch) throws StoreException {
    byte[] bytes = scratch.line;
    long offset = tableOffset + (long) line * PartLayout.LINE_LENGTH;
    source.read(offset, bytes, 0, bytes.length);
    int unit = (int) (offset / PartLayout.UNIT);
    scratch.lineCrc.check(bytes, 0, bytes.length, info.salt(), unit);
    return scratch.slots;
  }

  /** Looks a key up by the order of keys alone. */
  private @Nullable Row search(byte[] key, PartScratch scratch) throws StoreException {
    descend(key, scratch.block);
    return scratch.block.find(key) ? scratch.block.row(key) : null;
  }

  /** Opens the block of rows that has a key, if any has. */
  private void descend(byte[] key, PartBlock block) throws StoreException {
    block.read(source, info, info.rootUnit(), usualLength);
    while (block.level() > 0) {
      int level = block.level();
      int child = block.child(key);
      block.read(source, info, child, usualLength);
      if (block.level() != level - 1) {
        throw PartLayout.damaged(
            "has a fence to a wrong level: level=" + block.level(), (long) child * PartLayout.UNIT);
      }
    }
  }

  /** The rows from the first whose key is not below {@code key}. */
  PartCursor from(byte[] key) throws StoreException {
    if (Arrays.compareUnsigned(key, info.firstKey()) <= 0) {
      return new PartCursor(source, info, 1, key);
    }
    PartScratch scratch = PartScratch.take();
    try {
      descend(key, scratch.block);
      return new PartCursor(source, info, scratch.block.unit(), key);
    } finally {
      scratch.give();
    }
  }

  /**
   * Checks every byte that anything depends on: each block and line, the order and number of rows,
   * and that each row is found, by its hash and by order. Takes about a second for a million rows.
   *
   * @throws StoreCorruptException for the first damage found
   */
  void verify() throws StoreException {
    PartScratch scratch = PartScratch.take();
    try {
      verifyRows(scratch);
      int slots = 0;
      for (int line = 0; line < lines; line++) {
        ByteBuffer found = readLine(line, scratch);
        for (int i = 0; i < PartLayout.LINE_SLOTS; i++) {
          slots += found.getInt(i * Integer.BYTES) == 0 ? 0 : 1;
        }
      }
      if (slots > info.rows()) {
        throw PartLayout.damaged("has too many slots: slots=" + slots, tableOffset);
      }
    } finally {
      scratch.give();
    }
  }

  private void verifyRows(PartScratch scratch) throws StoreException {
    PartCursor cursor = new PartCursor(source, info, 1, new byte[0]);
    Row before = null;
    int rows = 0;
    while (cursor.next()) {
      Row row = cursor.row();
      if (before != null && before.compareKey(row) >= 0) {
        throw wrong("has rows that are not in order", cursor);
      }
      byte[] key = row.key();
      Row found = get(key, hash(key), scratch);
      if (found == null || !same(found, row)) {
        throw wrong("does not find a row by its hash", cursor);
      }
      descend(key, scratch.block);
      if (scratch.block.unit() != cursor.unit()) {
        throw wrong("does not find a row by its order", cursor);
      }
      if (before == null && !Arrays.equals(key, info.firstKey())) {
        throw wrong("does not start with its first key", cursor);
      }
      before = row;
      rows++;
    }
    if (rows != info.rows()
        || cursor.blocks() != info.blocks()
        || before == null
        || before.compareKey(info.lastKey()) != 0) {
      throw wrong("is not whole: rows=" + rows + " blocks=" + cursor.blocks(), cursor);
    }
  }

  private static boolean same(Row a, Row b) {
    return Arrays.equals(a.meta(), b.meta())
        && a.version() == b.version()
        && a.segment() == b.segment()
        && a.contentOffset() == b.contentOffset();
  }

  private static StoreCorruptException wrong(String what, PartCursor cursor) {
    return PartLayout.damaged(what, (long) cursor.unit() * PartLayout.UNIT);
  }
}
