package dev.coffer.backends.log;

import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.PackedChunk;
import dev.coffer.vfs.spi.TablePage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts who refers to which content, and how many bytes are live. Guarded by the lock of the
 * store.
 */
final class References {
  private final Contents contents;

  /** How many rows name a place; the row with the content itself alone where there is nothing. */
  private final LayeredTable<Location, Integer> shared;

  private final Map<Integer, Long> segmentLive = new HashMap<>();

  /** How many pins an id has. */
  private final Map<Long, Integer> pins = new HashMap<>();

  /** Pages staged and not referred to yet; they count as holders of their children. */
  private final Set<Long> staged = new LinkedHashSet<>();

  /** What only pins keep: nobody refers to it any more. */
  private final Set<Long> pinnedOnly = new LinkedHashSet<>();

  /** Pages whose children could not be counted. */
  private final Set<Long> unreadable = new LinkedHashSet<>();

  /** References to ids that are not there, while a log is replayed: they may have been moved. */
  private final Map<Long, Integer> awaited = new HashMap<>();

  private long liveBytes;
  private long firstOwnId;

  References(Contents contents, List<TablePart> sharedParts) {
    this.contents = contents;
    this.shared = new LayeredTable<>(TableFormat.SHARED, sharedParts);
  }

  /** Takes over what an index root knows. */
  void restore(IndexRoot root) {
    liveBytes = root.liveBytes();
    segmentLive.putAll(root.segmentLiveBytes());
    staged.addAll(root.orphans());
  }

  Contents contents() {
    return contents;
  }

  LayeredTable<Location, Integer> shared() {
    return shared;
  }

  long liveBytes() {
    return liveBytes;
  }

  /** Bytes of live records in a segment. */
  long liveBytes(int segment) {
    return segmentLive.getOrDefault(segment, 0L);
  }

  /** Bytes of live records, by segment; a copy. */
  Map<Integer, Long> segmentLiveBytes() {
    return Map.copyOf(segmentLive);
  }

  /** Pages to let go of if nobody refers to them until the store is opened again. */
  List<Long> orphans() {
    List<Long> orphans = new ArrayList<>(staged);
    orphans.addAll(pinnedOnly);
    return orphans;
  }

  /** Whether some content that is referred to is not there, or a page of it is damaged. */
  boolean isIncomplete() {
    return !awaited.isEmpty() || !unreadable.isEmpty();
  }

  /** Names the entries whose content is not all there; answers whether there are any. */
  boolean reportLost(Index index, Consumer<Problem> problems) throws StoreException {
    boolean any = false;
    RowCursor cursor = isIncomplete() ? index.from(new byte[0]) : null;
    while (cursor != null && cursor.next()) {
      ContentRef content = EntryLayout.contentRef(cursor.row());
      String lost = content.hasId() ? problemOf(content.id()) : null;
      if (lost != null) {
        any = true;
        problems.accept(new Problem(cursor.row().path(), -1, lost));
      }
    }
    return any;
  }

  /** What is wrong with the content of an id, or null. */
  private @Nullable String problemOf(long id) {
    if (awaited.containsKey(id)) {
      return "content is missing: contentId=" + id;
    }
    return unreadable.contains(id) ? "chunk table is damaged: contentId=" + id : null;
  }

  /**
   * A store is open now: what was staged before with ids below this and has no reference is dead.
   */
  void begin(long firstId) throws StoreException {
    firstOwnId = firstId;
    buryOrphans();
    contents.begin();
  }

  private void live(int segment, long bytes) {
    segmentLive.merge(segment, bytes, Long::sum);
  }

  /** Whether several rows name a place. */
  boolean isShared(Location location) throws StoreException {
    Integer count = shared.get(location);
    return count != null && count > 1;
  }

  /** Rows came to be in a segment that hold their content or have none. */
  void added(int segment, long recordBytes, long contentBytes) {
    if (recordBytes > 0) {
      live(segment, recordBytes + contentBytes);
      liveBytes += contentBytes;
    }
  }

  /** A row came to be. To be called for all of a commit before {@link #removed}. */
  void added(Row row) throws StoreException {
    ContentRef content = EntryLayout.contentRef(row);
    live(row.segment(), row.recordLength());
    if (content.isInline()) {
      liveBytes += content.packedLength();
      live(row.segment(), content.packedLength());
    } else if (content.isLocated()) {
      Integer count = shared.get(content.location());
      shared.put(content.location(), count == null ? 2 : count + 1);
    } else if (content.hasId()) {
      retain(content.id());
    }
  }

  /** A row is no more. */
  void removed(Row row) throws StoreException {
    ContentRef content = EntryLayout.contentRef(row);
    live(row.segment(), -row.recordLength());
    if (content.isInline() || content.isLocated()) {
      Integer count = shared.get(content.location());
      if (count != null) {
        shared.put(content.location(), Math.max(0, count - 1));
      }
      if (count == null || count < 2) {
        liveBytes -= content.packedLength();
        live(content.location().segment(), -content.packedLength());
      }
    } else if (content.hasId()) {
      release(content.id());
    }
  }

  static long id(Content content) {
    if (content instanceof Content.Chunk chunk) {
      return chunk.id();
    }
    return content instanceof Content.Table table ? table.rootId() : 0;
  }

  /** A chunk's record was read again, here or elsewhere. */
  void found(long id, ChunkInfo chunk) throws StoreException {
    ChunkInfo known = contents.get(id);
    if (known != null) {
      if (known.references() > 0) {
        live(known.segment(), -known.recordLength());
        live(chunk.segment(), chunk.recordLength());
      }
      contents.table().put(id, known.movedTo(chunk.segment(), chunk.offset()));
      return;
    }
    contents.table().put(id, chunk);
    Integer waiting = awaited.remove(id);
    for (int i = 0; waiting != null && i < waiting; i++) {
      retain(id);
    }
  }

  /**
   * Adds a reference to an id, and for a page not referred to before to its children, unless they
   * were counted when it was staged.
   */
  private void retain(long id) throws StoreException {
    Deque<Long> todo = new ArrayDeque<>();
    todo.add(id);
    while (!todo.isEmpty()) {
      long next = todo.pop();
      ChunkInfo chunk = contents.get(next);
      if (chunk == null) {
        awaited.merge(next, 1, Integer::sum);
        continue;
      }
      staged.remove(next);
      pinnedOnly.remove(next);
      ChunkInfo held = chunk.withReferences(chunk.references() + 1);
      if (chunk.references() == 0) {
        liveBytes += chunk.length();
        live(chunk.segment(), chunk.recordLength());
        if (chunk.page() && !chunk.childrenCounted()) {
          byte[] page = page(chunk);
          held = held.withChildrenCounted();
          if (page == null) {
            unreadable.add(next);
          } else {
            pushChildren(page, todo);
          }
        }
      }
      contents.table().put(next, held);
    }
  }

  /** Counts a page just staged as a holder of its children. */
  void staged(long id, ChunkInfo page, byte[] bytes) throws StoreException {
    contents.table().put(id, page.withChildrenCounted());
    staged.add(id);
    Deque<Long> children = new ArrayDeque<>();
    pushChildren(bytes, children);
    for (long child : children) {
      retain(child);
    }
  }

  /** Drops a reference to an id, and with the last one what it refers to. */
  void release(long id) throws StoreException {
    Deque<Long> todo = new ArrayDeque<>();
    todo.add(id);
    while (!todo.isEmpty()) {
      long next = todo.pop();
      ChunkInfo chunk = contents.get(next);
      if (chunk == null) {
        awaited.computeIfPresent(next, (lost, count) -> count == 1 ? null : count - 1);
        continue;
      }
      if (chunk.references() == 0) {
        continue;
      }
      ChunkInfo released = chunk.withReferences(chunk.references() - 1);
      contents.table().put(next, released);
      if (released.references() == 0) {
        liveBytes -= chunk.length();
        live(chunk.segment(), -chunk.recordLength());
        if (pins.containsKey(next)) {
          pinnedOnly.add(next);
        } else {
          drop(next, released, todo);
        }
      }
    }
  }

  private void drop(long id, ChunkInfo chunk, Deque<Long> todo) {
    contents.table().put(id, chunk.withDeath());
    if (chunk.page() && chunk.childrenCounted()) {
      byte[] page = page(chunk);
      if (page != null) {
        pushChildren(page, todo);
      }
    }
  }

  /** Lets go of an id that nobody refers to, and of what it refers to. */
  private void bury(long id) throws StoreException {
    ChunkInfo chunk = contents.get(id);
    if (chunk == null || chunk.dead()) {
      return;
    }
    Deque<Long> todo = new ArrayDeque<>();
    drop(id, chunk, todo);
    for (long child : todo) {
      release(child);
    }
  }

  /** Whether content may still be read, and counted on, by those who know its id. */
  boolean isAlive(long id, @Nullable ChunkInfo chunk) {
    return chunk != null
        && !chunk.dead()
        && (chunk.references() > 0 || id >= firstOwnId || pins.containsKey(id));
  }

  /** Bytes of records that nobody refers to, but that are alive. */
  long unheldBytes() throws StoreException {
    long bytes = 0;
    for (long id : orphans()) {
      ChunkInfo chunk = contents.get(id);
      bytes += chunk == null ? 0 : chunk.recordLength();
    }
    return bytes;
  }

  /** Takes over pins, and who holds what without being held, from before the content was moved. */
  void takeOver(References before) throws StoreException {
    firstOwnId = before.firstOwnId;
    pins.putAll(before.pins);
    pinnedOnly.addAll(before.pinnedOnly);
    for (long id : before.orphans()) {
      ChunkInfo chunk = contents.get(id);
      if (chunk == null || chunk.references() > 0 || !chunk.page() || chunk.childrenCounted()) {
        continue;
      }
      byte[] page = page(chunk);
      if (page != null) {
        staged(id, chunk, page);
      }
    }
    staged.removeAll(pinnedOnly);
  }

  /** Keeps content that is alive. */
  void pin(long id) {
    pins.merge(id, 1, Integer::sum);
  }

  void unpin(long id) throws StoreException {
    Integer left = pins.computeIfPresent(id, (pinned, count) -> count == 1 ? null : count - 1);
    if (left != null) {
      return;
    }
    if (pinnedOnly.remove(id)) {
      bury(id);
    }
  }

  /** Gives up what nobody refers to; what is staged when the store is closed, for one. */
  void buryOrphans() throws StoreException {
    List<Long> orphans = orphans();
    staged.clear();
    pinnedOnly.clear();
    for (long id : orphans) {
      ChunkInfo chunk = contents.get(id);
      if (chunk != null && chunk.references() == 0) {
        bury(id);
      }
    }
  }

  /** A page's bytes, or null if they cannot be had as they were; its children then stay. */
  private byte @Nullable [] page(ChunkInfo chunk) {
    if (!TablePage.isValidLength(chunk.length())) {
      return null;
    }
    byte[] bytes = contents.raw(chunk);
    return bytes != null && PackedChunk.checksum(bytes, 0, bytes.length) == chunk.layout().crc()
        ? bytes
        : null;
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
