package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.spi.PackedChunk;
import java.time.Instant;

/**
 * The meta bytes of a commit frame, whose number is the commit's sequence.
 *
 * <pre>
 *   0         8       12         16            24           32            40
 *   +---------+-------+----------+-------------+------------+-------------+--
 *   | seconds | nanos | batchCrc | recordCount | batchStart | durableUpTo |
 *   +---------+-------+----------+-------------+------------+-------------+--
 *   40           48            56              64
 *   +------------+-------------+---------------+
 *   | entryCount | listingHash | nextContentId |
 *   +------------+-------------+---------------+
 * </pre>
 *
 * @param time when the commit was made
 * @param batchCrc the CRC32C over the header CRCs of the batch's records, 4 bytes each, in order
 * @param recordCount how many records the batch has, without this one
 * @param batchStart where the batch's first record lies; the batch ends where this record starts
 * @param durableUpTo up to which offset the file was known to be forced when this was written
 * @param entryCount how many entries there are after this commit
 * @param listingHash the sum of {@link Row#hash} over them
 * @param nextContentId above every content id used so far
 */
record CommitLayout(
    Instant time,
    int batchCrc,
    long recordCount,
    long batchStart,
    long durableUpTo,
    long entryCount,
    long listingHash,
    long nextContentId) {

  static final int LENGTH = 64;

  byte[] encode() {
    return new BytesOut(LENGTH)
        .u64(time.getEpochSecond())
        .u32(time.getNano())
        .u32(batchCrc)
        .u64(recordCount)
        .u64(batchStart)
        .u64(durableUpTo)
        .u64(entryCount)
        .u64(listingHash)
        .u64(nextContentId)
        .toByteArray();
  }

  static CommitLayout decode(byte[] meta) throws StoreCorruptException {
    if (meta.length != LENGTH) {
      throw BytesIn.malformed(
          "of a commit has a wrong length: expected=" + LENGTH + " found=" + meta.length);
    }
    BytesIn in = new BytesIn(meta);
    long seconds = in.u64();
    Instant time = Times.instant(seconds, in.u32());
    int batchCrc = in.u32();
    long recordCount = in.u64();
    long batchStart = in.u64();
    long durableUpTo = in.u64();
    long entryCount = in.u64();
    long listingHash = in.u64();
    return new CommitLayout(
        time, batchCrc, recordCount, batchStart, durableUpTo, entryCount, listingHash, in.u64());
  }

  /** The CRC of a batch from the header CRCs of its records. */
  static int batchCrc(int[] headerCrcs, int count) {
    BytesOut out = new BytesOut(4 * count + 1);
    for (int i = 0; i < count; i++) {
      out.u32(headerCrcs[i]);
    }
    return PackedChunk.checksum(out.bytes(), 0, out.length());
  }
}
