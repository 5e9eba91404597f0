package dev.coffer.backends.log;

/**
 * Where the chunk of a content id lies, and who holds it. Immutable.
 *
 * @param segment the number of the segment it lies in
 * @param offset where the packed bytes start in the segment
 * @param length how many packed bytes there are
 * @param layout what its record says about it
 * @param references how many entries and pages name it
 * @param childrenCounted of a page: whether its children count it among their references
 * @param dead whether the last reference is gone: then it is not live and not moved
 */
record ChunkInfo(
    int segment,
    long offset,
    int length,
    ChunkLayout layout,
    int references,
    boolean childrenCounted,
    boolean dead) {

  /** A chunk nobody refers to yet. */
  static ChunkInfo of(int segment, long offset, int length, ChunkLayout layout) {
    return new ChunkInfo(segment, offset, length, layout, 0, false, false);
  }

  boolean page() {
    return layout.page();
  }

  /** The length of its record. */
  long recordLength() {
    return RecordHeader.LENGTH + ChunkLayout.LENGTH + (long) length;
  }

  /** With so many references; with any, it is not dead (any more). */
  ChunkInfo withReferences(int count) {
    return new ChunkInfo(
        segment, offset, length, layout, count, childrenCounted, dead && count == 0);
  }

  ChunkInfo withChildrenCounted() {
    return new ChunkInfo(segment, offset, length, layout, references, true, dead);
  }

  /** Dead; its children are not held by it any more. */
  ChunkInfo withDeath() {
    return new ChunkInfo(segment, offset, length, layout, references, false, true);
  }

  ChunkInfo movedTo(int newSegment, long newOffset) {
    return new ChunkInfo(newSegment, newOffset, length, layout, references, childrenCounted, dead);
  }
}
