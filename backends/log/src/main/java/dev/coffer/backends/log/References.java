package dev.coffer.backends.log;

import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.PackedChunk;
import dev.coffer.vfs.spi.TablePage;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts who refers to which content of one generation, and how many packed bytes are live. Guarded
 * by the generation's lock.
 */
final class References {
  private final Generation generation;

  /** How many rows name a location, where that is more than one. */
  private final Map<Long, Integer> shared = new HashMap<>();

  private long liveBytes;

  References(Generation generation) {
    this.generation = generation;
  }

  long liveBytes() {
    return liveBytes;
  }

  /** Whether several rows name a location. */
  boolean isShared(long offset) {
    return shared.containsKey(offset);
  }

  /** Counts everything afresh from the rows. */
  void recount(IndexMap index, Consumer<Problem> problems) throws StoreException {
    countLocations(index);
    for (Row row : index) {
      int form = EntryLayout.form(row);
      if (form == EntryLayout.FORM_CHUNK || form == EntryLayout.FORM_TABLE) {
        long id = id(EntryLayout.content(generation, row));
        String lost = retain(id);
        if (lost != null) {
          problems.accept(new Problem(row.path(), -1, lost));
        }
      }
    }
  }

  /** Forgets what no entry refers to: what was staged when the store was last open. */
  void sweep() {
    generation.chunks.values().removeIf(chunk -> chunk.references == 0);
  }

  /** After {@link #recount}, counts pages that no entry refers to yet as holders too. */
  void recountStaged() {
    for (ChunkInfo chunk : generation.chunks.values()) {
      byte[] page = chunk.layout.page() && !chunk.childrenCounted ? page(chunk) : null;
      if (page != null) {
        staged(chunk, page);
      }
    }
  }

  private void countLocations(IndexMap index) throws StoreException {
    for (Row row : index) {
      if (EntryLayout.form(row) == EntryLayout.FORM_LOCATED) {
        shared.merge(row.contentOffset(), 1, Integer::sum);
      }
    }
    Map<Long, Boolean> counted = new HashMap<>();
    for (Row row : index) {
      if (row.contentOffset() >= 0) {
        boolean inline = EntryLayout.form(row) == EntryLayout.FORM_INLINE;
        if (inline) {
          shared.computeIfPresent(row.contentOffset(), (offset, count) -> count + 1);
        }
        if (!shared.containsKey(row.contentOffset())
            || counted.put(row.contentOffset(), true) == null) {
          liveBytes += EntryLayout.content(generation, row).packedLength();
        }
      }
    }
    shared.values().removeIf(count -> count == 1);
  }

  /** A row came to be. To be called for all of a commit before {@link #removed}. */
  void added(Row row) throws StoreException {
    switch (EntryLayout.form(row)) {
      case EntryLayout.FORM_INLINE ->
          liveBytes += EntryLayout.content(generation, row).packedLength();
      case EntryLayout.FORM_LOCATED ->
          shared.merge(row.contentOffset(), 2, (count, ignored) -> count + 1);
      case EntryLayout.FORM_CHUNK, EntryLayout.FORM_TABLE ->
          retain(id(EntryLayout.content(generation, row)));
      default -> {}
    }
  }

  /** A row is no more. */
  void removed(Row row) throws StoreException {
    if (row.contentOffset() >= 0) {
      Integer count = shared.get(row.contentOffset());
      if (count == null) {
        liveBytes -= EntryLayout.content(generation, row).packedLength();
      } else if (count == 2) {
        shared.remove(row.contentOffset());
      } else {
        shared.put(row.contentOffset(), count - 1);
      }
    } else if (EntryLayout.form(row) != EntryLayout.FORM_NONE) {
      release(id(EntryLayout.content(generation, row)));
    }
  }

  static long id(Content content) {
    if (content instanceof Content.Chunk chunk) {
      return chunk.id();
    }
    return content instanceof Content.Table table ? table.rootId() : 0;
  }

  /**
   * Adds a reference to an id, and for a page not referred to before to its children, unless they
   * were counted when it was staged.
   *
   * @return what is missing or damaged, or null
   */
  private @Nullable String retain(long id) {
    String lost = null;
    Deque<Long> todo = new ArrayDeque<>();
    todo.add(id);
    while (!todo.isEmpty()) {
      long next = todo.pop();
      ChunkInfo chunk = generation.chunks.get(next);
      if (chunk == null) {
        lost = "content is missing: contentId=" + next;
        continue;
      }
      if (chunk.references++ > 0) {
        continue;
      }
      liveBytes += chunk.length;
      if (chunk.layout.page() && !chunk.childrenCounted) {
        chunk.childrenCounted = true;
        byte[] page = page(chunk);
        if (page == null) {
          lost = "chunk table is damaged: contentId=" + next + " offset=" + chunk.offset;
        } else {
          pushChildren(page, todo);
        }
      }
    }
    return lost;
  }

  /** Counts a page just staged as a holder of its children. */
  void staged(ChunkInfo page, byte[] bytes) {
    page.childrenCounted = true;
    Deque<Long> children = new ArrayDeque<>();
    pushChildren(bytes, children);
    for (long child : children) {
      retain(child);
    }
  }

  /** Drops a reference to an id, and with the last one what it refers to. */
  void release(long id) {
    Deque<Long> todo = new ArrayDeque<>();
    todo.add(id);
    while (!todo.isEmpty()) {
      ChunkInfo chunk = generation.chunks.get(todo.pop());
      if (chunk == null || chunk.references == 0) {
        continue;
      }
      if (--chunk.references == 0) {
        liveBytes -= chunk.length;
        drop(chunk, todo);
      }
    }
  }

  /** Lets go of what nobody refers to and nobody pins. */
  void unpinned(ChunkInfo chunk) {
    if (chunk.references == 0 && chunk.wasReferred && !chunk.dead) {
      Deque<Long> todo = new ArrayDeque<>();
      drop(chunk, todo);
      while (!todo.isEmpty()) {
        release(todo.pop());
      }
    }
  }

  private void drop(ChunkInfo chunk, Deque<Long> todo) {
    chunk.wasReferred = true;
    if (chunk.pins > 0) {
      return;
    }
    chunk.dead = true;
    if (chunk.layout.page() && chunk.childrenCounted) {
      byte[] page = page(chunk);
      if (page != null) {
        pushChildren(page, todo);
      }
    }
  }

  /** A page's bytes, or null if they cannot be had as they were. */
  private byte @Nullable [] page(ChunkInfo chunk) {
    if (!TablePage.isValidLength(chunk.length)) {
      return null;
    }
    byte[] bytes = new byte[chunk.length];
    try {
      boolean there = generation.read(chunk.offset, bytes, chunk.length);
      return there && PackedChunk.checksum(bytes, 0, bytes.length) == chunk.layout.crc()
          ? bytes
          : null;
    } catch (StoreException e) {
      return null; // Its children then stay; no commit fails for that.
    }
  }

  private static void pushChildren(byte[] page, Deque<Long> todo) {
    for (int i = 0; i < TablePage.count(page.length); i++) {
      long child = TablePage.id(page, i);
      if (child != 0) {
        todo.push(child);
      }
    }
  }
}
