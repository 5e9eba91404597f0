package dev.coffer.backends.log;

import dev.coffer.vfs.spi.Content;
import org.jspecify.annotations.Nullable;

/** A small file's packed bytes at a place in a segment. Immutable. */
final class LogContent extends Content.Located {
  /** The segment they lie in, or null if it is not there any more. */
  final @Nullable Segment segment;

  final int segmentNumber;
  final long offset;
  final int plainLength;
  final int codecId;
  final long dictionaryId;
  final int length;
  final int crc;

  LogContent(
      @Nullable Segment segment,
      int segmentNumber,
      long offset,
      int plainLength,
      int codecId,
      long dictionaryId,
      int length,
      int crc) {
    this.segment = segment;
    this.segmentNumber = segmentNumber;
    this.offset = offset;
    this.plainLength = plainLength;
    this.codecId = codecId;
    this.dictionaryId = dictionaryId;
    this.length = length;
    this.crc = crc;
  }

  /** The same content where it was copied to. */
  LogContent movedTo(@Nullable Segment newSegment, Location to) {
    return new LogContent(
        newSegment, to.segment(), to.offset(), plainLength, codecId, dictionaryId, length, crc);
  }

  Location location() {
    return new Location(segmentNumber, offset);
  }

  @Override
  public long packedLength() {
    return length;
  }

  @Override
  public int codecId() {
    return codecId;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LogContent that
        && segment == that.segment
        && segmentNumber == that.segmentNumber
        && offset == that.offset
        && length == that.length
        && crc == that.crc;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(offset);
  }

  @Override
  public String toString() {
    return "LogContent[location=" + location() + " length=" + length + " codecId=" + codecId + "]";
  }
}
