package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;
import java.util.Arrays;

/**
 * All that must be known of an entry part to read it; kept, under a checksum, by what names the
 * part.
 *
 * <pre>
 *   u32 salt, varints rows, blocks, endUnit, rootUnit, longestUnits,
 *   varint length of first key, first key, varint length of last key, last key
 * </pre>
 *
 * @param salt what tells this part from others ({@link PartLayout})
 * @param rows how many rows it has, deletions among them
 * @param blocks how many blocks it has, those of fences among them
 * @param endUnit the unit at which the blocks end
 * @param rootUnit the unit of the topmost block
 * @param longestUnits how many units the longest block has
 */
record EntryPartInfo(
    int salt,
    int rows,
    int blocks,
    int endUnit,
    int rootUnit,
    int longestUnits,
    byte[] firstKey,
    byte[] lastKey) {

  /** How many bytes the part has. */
  long length() {
    return tableOffset() + (long) PartLayout.lines(rows) * PartLayout.LINE_LENGTH;
  }

  /** Where the hash table starts. */
  long tableOffset() {
    long end = (long) endUnit * PartLayout.UNIT;
    return (end + PartLayout.LINE_LENGTH - 1) / PartLayout.LINE_LENGTH * PartLayout.LINE_LENGTH;
  }

  void encode(BytesOut out) {
    out.u32(salt).varint(rows).varint(blocks);
    out.varint(endUnit).varint(rootUnit).varint(longestUnits);
    out.varint(firstKey.length).raw(firstKey).varint(lastKey.length).raw(lastKey);
  }

  static EntryPartInfo decode(BytesIn in) throws StoreCorruptException {
    int salt = in.u32();
    int rows = (int) in.upTo(EntryPartWriter.MAX_ROWS, "number of rows");
    int blocks = (int) in.upTo(4L * rows, "number of blocks");
    int endUnit = (int) in.upTo(PartLayout.MAX_UNITS - 1, "end of blocks");
    int rootUnit = (int) in.upTo(endUnit - 1L, "root");
    int longestUnits = (int) in.upTo(PartLayout.MAX_BLOCK_UNITS, "length of a block");
    if (rows == 0
        || blocks == 0
        || rootUnit == 0
        || longestUnits == 0
        || longestUnits >= endUnit
        || blocks >= endUnit) {
      throw BytesIn.malformed(
          "describes an impossible index part: rows=%d blocks=%d end=%d root=%d longest=%d"
              .formatted(rows, blocks, endUnit, rootUnit, longestUnits));
    }
    byte[] firstKey = key(in);
    byte[] lastKey = key(in);
    if (Arrays.compareUnsigned(firstKey, lastKey) > 0) {
      throw BytesIn.malformed("describes an index part whose last key is not its last");
    }
    return new EntryPartInfo(
        salt, rows, blocks, endUnit, rootUnit, longestUnits, firstKey, lastKey);
  }

  private static byte[] key(BytesIn in) throws StoreCorruptException {
    byte[] key = in.raw((int) in.upTo(Keys.MAX_LENGTH, "length of a key"));
    Keys.check(key, 0, key.length);
    return key;
  }
}
