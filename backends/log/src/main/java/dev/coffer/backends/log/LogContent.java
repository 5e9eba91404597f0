package dev.coffer.backends.log;

import dev.coffer.vfs.spi.Content;

/** A small file's packed bytes at a place in a file of a generation. Immutable. */
final class LogContent extends Content.Located {
  final Generation generation;
  final long offset;
  final int plainLength;
  final int codecId;
  final long dictionaryId;
  final int length;
  final int crc;

  LogContent(
      Generation generation,
      long offset,
      int plainLength,
      int codecId,
      long dictionaryId,
      int length,
      int crc) {
    this.generation = generation;
    this.offset = offset;
    this.plainLength = plainLength;
    this.codecId = codecId;
    this.dictionaryId = dictionaryId;
    this.length = length;
    this.crc = crc;
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
        && generation == that.generation
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
    return "LogContent[offset=" + offset + " length=" + length + " codecId=" + codecId + "]";
  }
}
