package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;
import java.time.Instant;

/**
 * The meta bytes of a trailer, whose number is the last commit's sequence. It is the last record of
 * a file that was closed cleanly, forced with everything before it, and cut off again before
 * anything is appended: so no proper prefix of a closed file looks closed.
 *
 * <pre>
 *   0             8            16            24          32              40
 *   +-------------+------------+-------------+-----------+---------------+--
 *   | frameOffset | entryCount | listingHash | liveBytes | nextContentId |
 *   +-------------+------------+-------------+-----------+---------------+--
 *   40               48        56      60      64
 *   +----------------+---------+-------+-------+
 *   | indexRunOffset | seconds | nanos | flags |
 *   +----------------+---------+-------+-------+
 * </pre>
 *
 * @param frameOffset where the last commit frame lies, or 0 if there is none
 * @param entryCount as in that frame
 * @param listingHash as in that frame
 * @param liveBytes packed bytes reachable from entries
 * @param nextContentId above every content id used so far
 * @param indexRunOffset where the newest index run lies, or 0 if there is none
 * @param time when the file was closed
 */
record TrailerLayout(
    long frameOffset,
    long entryCount,
    long listingHash,
    long liveBytes,
    long nextContentId,
    long indexRunOffset,
    Instant time) {

  static final int LENGTH = 64;

  byte[] encode() {
    return new BytesOut(LENGTH)
        .u64(frameOffset)
        .u64(entryCount)
        .u64(listingHash)
        .u64(liveBytes)
        .u64(nextContentId)
        .u64(indexRunOffset)
        .u64(time.getEpochSecond())
        .u32(time.getNano())
        .u32(0)
        .toByteArray();
  }

  static TrailerLayout decode(byte[] meta) throws StoreCorruptException {
    if (meta.length != LENGTH) {
      throw BytesIn.malformed(
          "of a trailer has a wrong length: expected=" + LENGTH + " found=" + meta.length);
    }
    BytesIn in = new BytesIn(meta);
    long frameOffset = in.u64();
    long entryCount = in.u64();
    long listingHash = in.u64();
    long liveBytes = in.u64();
    long nextContentId = in.u64();
    long indexRunOffset = in.u64();
    long seconds = in.u64();
    return new TrailerLayout(
        frameOffset,
        entryCount,
        listingHash,
        liveBytes,
        nextContentId,
        indexRunOffset,
        Times.instant(seconds, in.u32()));
  }
}
