package dev.coffer.backends.log;

import org.jspecify.annotations.Nullable;

/**
 * A place in the log: a segment's number and an offset in bytes.
 *
 * @param segment the number of a segment
 * @param offset where in it
 */
record Location(int segment, long offset) implements Comparable<Location> {

  /** Not left to the record: what that makes at first use takes longer than most commits. */
  @Override
  public int hashCode() {
    return 31 * segment + Long.hashCode(offset);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Location same && same.segment == segment && same.offset == offset;
  }

  @Override
  public int compareTo(Location other) {
    return segment != other.segment
        ? Integer.compareUnsigned(segment, other.segment)
        : Long.compareUnsigned(offset, other.offset);
  }
}
