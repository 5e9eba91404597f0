package dev.coffer.backends.log;

/**
 * A place in the log: a segment's number and an offset in bytes.
 *
 * @param segment the number of a segment
 * @param offset where in it
 */
record Location(int segment, long offset) implements Comparable<Location> {

  @Override
  public int compareTo(Location other) {
    return segment != other.segment
        ? Integer.compareUnsigned(segment, other.segment)
        : Long.compareUnsigned(offset, other.offset);
  }
}
