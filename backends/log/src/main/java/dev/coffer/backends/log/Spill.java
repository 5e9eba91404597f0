package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreFullException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Replays the log of a store that is opened for writing in memory that does not grow with it: what
 * was replayed becomes a run beside the log now and then, as it would have while the store was
 * written, and replay goes on from there. For one thread.
 */
final class Spill {
  private final SegmentSet segments;
  private final IndexFiles files;
  private final Tuning tuning;
  private @Nullable IndexBase base;
  private final @Nullable IndexRoot beside;
  private boolean spilled;

  /**
   * @param base what is known already, or null
   * @param isBeside whether that is beside the log, rather than in it
   */
  Spill(
      SegmentSet segments,
      IndexFiles files,
      Tuning tuning,
      @Nullable IndexBase base,
      boolean isBeside) {
    this.segments = segments;
    this.files = files;
    this.tuning = tuning;
    this.base = base;
    this.beside = base != null && isBeside ? base.root() : null;
  }

  /** What replay went on from in the end, or null. */
  @Nullable IndexBase base() {
    return base;
  }

  /** Whether a run was made, so that the index is beside the log. */
  boolean isBeside() {
    return spilled;
  }

  /**
   * Replays all of it.
   *
   * @param length up to where the last segment counts
   */
  Replay.Result replay(long length) throws StoreException {
    while (true) {
      Replay.Result replayed = Replay.run(segments, length, base, tuning.freezeBytes());
      if (!replayed.partial()) {
        return replayed;
      }
      try {
        if (!spilled) {
          files.keepOnly(beside); // And learns which numbers are taken.
        }
        base = write(replayed);
        spilled = true;
      } catch (StoreFullException e) {
        return Replay.run(segments, length, base); // There is memory, if no room.
      }
    }
  }

  private IndexBase write(Replay.Result replayed) throws StoreException {
    Snapshot snapshot = replayed.snapshot();
    References references = replayed.references();
    IndexMap rows = snapshot.index().delta();
    List<Run> runs = snapshot.index().runs();
    int count = IndexKeeper.mergeable(tuning, rows.size(), runs);
    List<Run> merged = runs.subList(0, count);
    RunWriter writer = new RunWriter(files, true, tuning.partRows());
    boolean done = false;
    try {
      IndexKeeper.merge(writer, rows, merged, count < runs.size());
      writer.addChunks(
          new LayeredTable.Walk<>(
              TableFormat.CHUNKS, references.contents().table().inMemory(), Run.chunks(merged)));
      writer.addShared(
          new LayeredTable.Walk<>(
              TableFormat.SHARED, references.shared().inMemory(), Run.shared(merged)));
      force(segments.get(snapshot.end().segment()));
      List<RunInfo> infos = new ArrayList<>();
      infos.add(writer.store());
      runs.subList(count, runs.size()).forEach(run -> infos.add(run.info()));
      IndexRoot root =
          IndexRoot.of(
                  snapshot,
                  references,
                  replayed.frame(),
                  replayed.features(),
                  replayed.epoch(),
                  replayed.nextContentId())
              .withRuns(infos);
      files.publish(root);
      done = true;
      writer.release();
      files.keepOnly(root);
      return IndexBase.open(root, segments, files);
    } finally {
      if (!done) {
        writer.discard();
      }
    }
  }

  /** A run must never know more of the log than the device does. */
  private static void force(Segment segment) throws StoreException {
    try {
      segment.file.force(false);
    } catch (IOException e) {
      throw Failures.writing(segment.path, 0, e);
    }
  }
}
