package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.PackedChunk;
import dev.coffer.vfs.spi.TablePage;
import java.util.List;

/**
 * What of an open store changes: the newest snapshot, who refers to what, the next content id.
 * References and ids are guarded by the lock of the newest generation; only compaction changes the
 * generation, under that lock too.
 */
final class Live {
  private static final int STAGE_BUFFER = 1024 * 1024;

  private volatile Snapshot snapshot;
  private References references;
  private long nextContentId;

  Live(Snapshot snapshot, References references, long nextContentId) {
    this.snapshot = snapshot;
    this.references = references;
    this.nextContentId = nextContentId;
  }

  Snapshot snapshot() {
    return snapshot;
  }

  References references() {
    return references;
  }

  long nextContentId() {
    return nextContentId;
  }

  /** Makes a commit visible. */
  void publish(Snapshot newer) {
    snapshot = newer;
  }

  /** Goes over to a new generation. */
  void publish(Snapshot moved, References movedReferences) {
    references = movedReferences;
    snapshot = moved;
  }

  /** Locks the newest generation; the caller unlocks it. */
  @SuppressWarnings("LockNotBeforeTry") // It hands the lock on.
  Generation lockGeneration() {
    while (true) {
      Generation generation = snapshot.generation();
      generation.lock().lock();
      if (generation == snapshot.generation()) {
        return generation;
      }
      generation.lock().unlock();
    }
  }

  /** Takes a snapshot and a hold on its generation. */
  Snapshot hold() {
    while (true) {
      Snapshot held = snapshot;
      if (held.generation().hold()) {
        return held;
      }
    }
  }

  long liveBytes() {
    Generation generation = lockGeneration();
    try {
      return references.liveBytes();
    } finally {
      generation.lock().unlock();
    }
  }

  /** Appends chunks; in the buffer or in the file, as there is room. */
  long[] stage(List<PackedChunk> chunks) throws StoreException {
    Generation generation = lockGeneration();
    Appender appender = generation.appender();
    long[] ids = new long[chunks.size()];
    int done = 0;
    Appender.Mark mark = appender.mark();
    boolean staged = false;
    try {
      appender.requireSound();
      chunks.forEach(chunk -> requireChildren(generation, chunk));
      for (; done < ids.length; done++) {
        ids[done] = nextContentId++;
        append(generation, ids[done], chunks.get(done));
        if (appender.buffered() >= STAGE_BUFFER) {
          appender.write();
          mark = appender.mark();
        }
      }
      for (int i = 0; i < ids.length; i++) {
        countChildren(generation, ids[i], chunks.get(i));
      }
      staged = true;
      return ids;
    } finally {
      if (!staged) {
        for (int i = 0; i <= Math.min(done, ids.length - 1); i++) {
          generation.chunks.remove(ids[i]);
        }
        appender.rollback(mark);
      }
      generation.lock().unlock();
    }
  }

  private static void append(Generation generation, long id, PackedChunk chunk) {
    byte[] meta = ChunkLayout.of(chunk).encode();
    long offset =
        generation
            .appender()
            .append(RecordKind.CHUNK, id, meta, chunk.bytes(), chunk.offset(), chunk.length());
    ChunkInfo info =
        new ChunkInfo(
            offset + RecordHeader.LENGTH + meta.length, chunk.length(), ChunkLayout.of(chunk));
    generation.chunks.put(id, info);
  }

  private static byte[] bytes(PackedChunk page) {
    return java.util.Arrays.copyOfRange(page.bytes(), page.offset(), page.offset() + page.length());
  }

  private static void requireChildren(Generation generation, PackedChunk chunk) {
    if (!chunk.page()) {
      return;
    }
    if (!TablePage.isValidLength(chunk.length())) {
      throw new IllegalArgumentException("page has a wrong length: length=" + chunk.length());
    }
    byte[] page = bytes(chunk);
    for (int i = 0; i < TablePage.count(page.length); i++) {
      long child = TablePage.id(page, i);
      ChunkInfo info = child == 0 ? null : generation.chunks.get(child);
      if (child != 0 && (info == null || info.dead)) {
        throw new IllegalArgumentException("page names unknown content: contentId=" + child);
      }
    }
  }

  private void countChildren(Generation generation, long id, PackedChunk chunk) {
    ChunkInfo info = generation.chunks.get(id);
    if (chunk.page() && info != null) {
      references.staged(info, bytes(chunk));
    }
  }
}
