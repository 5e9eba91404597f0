package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;

/**
 * One segment as a manifest lists it.
 *
 * <pre>
 *   +--------+--------+---------------+--------------+---------------+-----------+-------+
 *   | number | length | firstSequence | lastSequence | lowestVersion | liveBytes | flags |
 *   | varint | varint | varint        | varint       | varint        | varint    | u8    |
 *   +--------+--------+---------------+--------------+---------------+-----------+-------+
 *
 *   flags: bit 0 finished, bit 1 sealed
 * </pre>
 *
 * @param number its number, above 0
 * @param length the length of its file in bytes if it is finished, otherwise 0
 * @param firstSequence of the first commit in it, or 0 if there is none yet
 * @param lastSequence of the last commit in it, or 0 if there is none yet
 * @param lowestVersion of any put in it, or 0 if there is none yet
 * @param liveBytes about how many bytes of it were in use when the manifest was written
 * @param finished whether nothing is appended any more
 * @param sealed whether its own header says that it is sealed
 */
record SegmentInfo(
    int number,
    long length,
    long firstSequence,
    long lastSequence,
    long lowestVersion,
    long liveBytes,
    boolean finished,
    boolean sealed) {

  private static final int FINISHED = 1;
  private static final int SEALED = 2;

  /** A segment that nothing is in yet. */
  static SegmentInfo fresh(int number) {
    return new SegmentInfo(number, 0, 0, 0, 0, 0, false, false);
  }

  void encode(BytesOut out) {
    out.varint(number).varint(length).varint(firstSequence).varint(lastSequence);
    out.varint(lowestVersion).varint(liveBytes);
    out.u8((finished ? FINISHED : 0) | (sealed ? SEALED : 0));
  }

  static SegmentInfo decode(BytesIn in) throws StoreCorruptException {
    int number = (int) in.upTo(Integer.MAX_VALUE, "segment number");
    long length = in.upTo(Long.MAX_VALUE, "segment length");
    long firstSequence = in.upTo(Long.MAX_VALUE, "first sequence");
    long lastSequence = in.upTo(Long.MAX_VALUE, "last sequence");
    long lowestVersion = in.upTo(Long.MAX_VALUE, "lowest version");
    long liveBytes = in.upTo(Long.MAX_VALUE, "live bytes");
    int flags = in.u8();
    if (number == 0 || firstSequence > lastSequence || (flags & ~(FINISHED | SEALED)) != 0) {
      throw BytesIn.malformed(
          "of a manifest has a wrong segment: number=" + number + " flags=" + flags);
    }
    return new SegmentInfo(
        number,
        length,
        firstSequence,
        lastSequence,
        lowestVersion,
        liveBytes,
        (flags & FINISHED) != 0,
        (flags & SEALED) != 0);
  }
}
