package dev.coffer.backends.log;

/**
 * Sizes that decide when the engine does what it does in the background; tests make them small.
 *
 * @param freezeBytes how much of the index, in bytes of heap, is kept in memory before it becomes a
 *     run
 * @param replayBytes how long a stretch of log may be that no run covers when a store is closed:
 *     replaying so little costs less than a run
 * @param mergeRatio runs are merged while the older is less than this many times as long as all
 *     newer ones together
 * @param partRows the most rows of a part of a run
 * @param aheadBytes how far ahead of forced commits the file is filled with zeros
 * @param inBackground whether runs are written by a thread of their own, or where tests must
 *     repeat, by the one that commits; so it is with compaction
 * @param minSegment a segment of a folder store is finished from this length in bytes on, if the
 *     store is small
 * @param maxSegment and from this length on in any store
 * @param reserveBytes how much room is kept for deletions on a full device
 * @param blockChanges the fewest changes of a commit that go into metadata blocks
 */
record Tuning(
    long freezeBytes,
    long replayBytes,
    int mergeRatio,
    int partRows,
    int aheadBytes,
    boolean inBackground,
    long minSegment,
    long maxSegment,
    int reserveBytes,
    int blockChanges) {

  static final Tuning DEFAULT =
      new Tuning(
          4L * 1024 * 1024,
          64L * 1024,
          1,
          EntryPartWriter.MAX_ROWS,
          1024 * 1024,
          true,
          2L * 1024 * 1024,
          256L * 1024 * 1024,
          128 * 1024,
          64);
}
