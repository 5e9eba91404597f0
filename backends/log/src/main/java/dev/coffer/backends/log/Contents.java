package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.ChunkBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where the chunks of content ids lie. Ids are never used twice, so all snapshots share this, until
 * a compaction makes a new file with places of its own. Read without locks.
 */
final class Contents {
  private final LayeredTable<Long, ChunkInfo> chunks;
  private volatile SegmentSet newest;
  private volatile Set<Long> gone = Set.of();
  private volatile Set<TablePart> opened = Set.of();

  Contents(SegmentSet segments, List<TablePart> parts) {
    this.newest = segments;
    this.chunks = new LayeredTable<>(TableFormat.CHUNKS, parts);
  }

  LayeredTable<Long, ChunkInfo> table() {
    return chunks;
  }

  /** The set of segments is another now. */
  void segments(SegmentSet segments) {
    newest = segments;
  }

  @Nullable ChunkInfo get(long id) throws StoreException {
    return chunks.get(id);
  }

  /** A store is open now: what nobody refers to yet, nobody can have known before. */
  void begin() {
    Set<Long> unheld = new HashSet<>();
    for (Map.Entry<Long, ChunkInfo> chunk : chunks.inMemory().entrySet()) {
      if (chunk.getValue().references() == 0) {
        unheld.add(chunk.getKey());
      }
    }
    gone = unheld;
    opened = Set.copyOf(chunks.parts());
  }

  /** A chunk that a reader may know of, or null. */
  private @Nullable ChunkInfo visible(long id) throws StoreException {
    ChunkInfo chunk = chunks.get(id);
    boolean unheld = chunk != null && chunk.references() == 0;
    return unheld && (gone.contains(id) || chunks.isIn(id, opened)) ? null : chunk;
  }

  /** Reads a chunk for a snapshot that holds {@code segments}; false if it is not there. */
  boolean read(long id, SegmentSet segments, ChunkBuffer target) throws StoreException {
    ChunkInfo chunk = visible(id);
    while (chunk != null && !read(chunk, segments, target)) {
      ChunkInfo moved = visible(id);
      chunk = chunk.equals(moved) ? null : moved; // It was on its way to another segment.
    }
    if (chunk == null) {
      return false;
    }
    ChunkLayout layout = chunk.layout();
    target.filled(
        layout.page(),
        layout.codecId(),
        layout.dictionaryId(),
        layout.plainLength(),
        layout.crc(),
        chunk.length());
    target.locatedAt(chunk.offset());
    return true;
  }

  private boolean read(ChunkInfo chunk, SegmentSet segments, ChunkBuffer target)
      throws StoreException {
    Segment segment = segments.find(chunk.segment());
    if (segment != null && Snapshot.read(segment, chunk.offset(), chunk.length(), target)) {
      return true;
    }
    // It was moved since the snapshot, or nobody holds that.
    Segment current = newest.find(chunk.segment());
    return current != segment && Snapshot.read(current, chunk.offset(), chunk.length(), target);
  }

  /** The bytes of a chunk as they lie there, or null if they cannot be had. */
  byte @Nullable [] raw(ChunkInfo chunk) {
    Segment segment = newest.find(chunk.segment());
    byte[] bytes = new byte[chunk.length()];
    try {
      return segment != null && segment.read(chunk.offset(), bytes, bytes.length) ? bytes : null;
    } catch (StoreException e) {
      return null; // Whoever wanted them goes on without; no commit fails for that.
    }
  }
}
