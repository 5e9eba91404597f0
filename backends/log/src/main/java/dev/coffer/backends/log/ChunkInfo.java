package dev.coffer.backends.log;

/** Where the chunk of a content id lies, and who holds it. */
final class ChunkInfo {
  /** Where the packed bytes start in the file. */
  final long offset;

  final int length;
  final ChunkLayout layout;

  /** How many entries and pages name it. Guarded by the generation's lock, as what follows. */
  int references;

  int pins;

  /** Of a page: whether its children count it among their references. */
  boolean childrenCounted;

  /** Whether it had references once; what is staged and not referred to yet stays. */
  boolean wasReferred;

  /** Whether the last reference is gone: then it is not counted as live and not moved. */
  boolean dead;

  ChunkInfo(long offset, int length, ChunkLayout layout) {
    this.offset = offset;
    this.length = length;
    this.layout = layout;
  }
}
