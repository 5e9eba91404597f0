package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.PackedChunk;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Appends to the active segment what is needed of one that is to be dropped, in batches that change
 * no entry. Entries keep their versions, content keeps its ids.
 */
final class SegmentMover {
  private final Live live;
  private final Segment victim;

  /** Where content that several entries may name went, by its offset in the victim. */
  private final Map<Long, Moved> moved = new HashMap<>();

  /** Content in the active segment, and the entry it was moved with. */
  private record Moved(Location to, byte[] key) {}

  SegmentMover(Live live, Segment victim) {
    this.live = live;
    this.victim = victim;
  }

  /**
   * Moves what is still needed; called while nobody commits.
   *
   * @param hidesOlder whether older segments may hold puts that a deletion of a sequence hides
   * @param hasOlder whether there are older segments
   * @return what was done
   */
  Result move(List<Move> moves, LongPredicate hidesOlder, boolean hasOlder) throws StoreException {
    live.lock.lock();
    try {
      Batch batch = new Batch(hidesOlder, hasOlder);
      return batch.run(moves);
    } finally {
      live.lock.unlock();
    }
  }

  /**
   * What one batch did.
   *
   * @param bytes how long the records are that were appended
   * @param keptBytes how long those of them are that nobody counts as live
   * @param heapBytes about what the index took of heap for it
   */
  record Result(long bytes, long keptBytes, long heapBytes) {}

  private final class Batch {
    private final LongPredicate hidesOlder;
    private final boolean hasOlder;
    private final Segment active = live.active();
    private final Appender appender = active.appender();
    private final References references = live.references();
    private final Snapshot before = live.snapshot();
    private final Index.Editor index = before.index().edit();
    private final Map<Long, DictionaryInfo> dictionaries = new HashMap<>(before.dictionaries());
    private final List<Row> added = new ArrayList<>();
    private final List<Row> removed = new ArrayList<>();
    private final Map<Long, ChunkInfo> chunks = new HashMap<>();
    private final Map<Long, Moved> movedNow = new HashMap<>();

    private final BlockAppender entries =
        new BlockAppender(active, appender, before.sequence(), this::replace);

    /** The victim may have an entry twice: it grew while an older segment was emptied into it. */
    private final Set<ByteBuffer> keys = new HashSet<>();

    private long hash = before.listingHash();
    private long kept;

    Batch(LongPredicate hidesOlder, boolean hasOlder) {
      this.hidesOlder = hidesOlder;
      this.hasOlder = hasOlder;
    }

    Result run(List<Move> moves) throws StoreException {
      appender.requireSound();
      Appender.Mark mark = appender.mark();
      long start = appender.tail();
      boolean done = false;
      try {
        for (Move move : moves) {
          append(move);
        }
        entries.flush();
        Snapshot after = after();
        Live.Frame frame = Roller.appendMoveFrame(appender, live, after);
        after = after.withEnd(new Location(active.number(), appender.tail()));
        appender.write();
        appender.endBatch();
        live.frame(frame);
        done = true;
        return publish(after, start);
      } finally {
        if (!done) {
          appender.rollback(mark);
        }
      }
    }

    private Snapshot after() {
      return new Snapshot(
          before.segments(),
          before.contents(),
          before.sequence(),
          before.end(),
          index.done(),
          before.entryCount(),
          hash,
          before.properties(),
          Map.copyOf(dictionaries));
    }

    private Result publish(Snapshot after, long start) throws StoreException {
      for (Map.Entry<Long, ChunkInfo> each : chunks.entrySet()) {
        references.found(each.getKey(), each.getValue());
      }
      for (Row row : added) {
        references.added(row);
      }
      for (Row row : removed) {
        references.removed(row);
      }
      moved.putAll(movedNow);
      live.publish(after);
      return new Result(appender.tail() - start, kept, BatchWriter.heapBytes(added));
    }

    private void append(Move move) throws StoreException {
      switch (move.kind()) {
        case RecordKind.PUT -> put(move);
        case RecordKind.CHUNK -> chunk(move);
        case RecordKind.DICTIONARY -> {
          dictionaries.put(
              move.number(), BatchWriter.appendDictionary(active, move.number(), move.content()));
          kept += move.length();
        }
        case RecordKind.DELETE -> {
          boolean absent = before.index().get(EntryLayout.decodeKey(move.meta())) == null;
          if (absent && hidesOlder.test(move.number())) {
            entries.delete(move.meta(), move.number());
            kept += Row.BLOCK_SHARE;
          }
        }
        default -> property(PropertyLayout.decode(move.meta()).name());
      }
    }

    private void property(String name) {
      String value = before.properties().getOrDefault(name, "");
      if (!value.isEmpty() || hasOlder) {
        byte[] meta = new PropertyLayout(name, value).encode();
        appender.append(RecordKind.PROPERTY, before.sequence(), meta);
        kept += RecordHeader.LENGTH + meta.length;
      }
    }

    private void chunk(Move move) throws StoreException {
      long id = move.number();
      ChunkInfo chunk = references.contents().get(id);
      if (chunk == null
          || chunk.segment() != victim.number()
          || chunk.offset() != move.contentOffset()
          || !references.isAlive(id, chunk)) {
        return;
      }
      long offset = append(RecordKind.CHUNK, id, move.meta(), move.content());
      chunks.put(id, ChunkInfo.of(active.number(), offset, chunk.length(), chunk.layout()));
      if (chunk.references() == 0) {
        kept += move.length();
      }
    }

    /** Appends a record; answers where its content starts. */
    private long append(int kind, long number, byte[] meta, byte[] content) {
      return appender.append(kind, number, meta, content, 0, content.length)
          + RecordHeader.LENGTH
          + meta.length;
    }

    private void put(Move move) throws StoreException {
      byte[] key = SegmentReader.keyOf(move.meta());
      Row row = before.index().get(key);
      if (row == null || row.version() != move.number() || keys.contains(ByteBuffer.wrap(key))) {
        return;
      }
      LogContent content = SegmentReader.contentOf(row);
      if (content != null && content.segmentNumber == victim.number()) {
        withContent(row, content, move.content(), key);
      } else if (row.segment() == victim.number()) {
        put(row, row.meta(), null);
      }
    }

    private void put(Row row, byte[] meta, @Nullable PackedChunk chunk) throws StoreException {
      active.noteVersion(row.version());
      keys.add(ByteBuffer.wrap(row.key()));
      entries.put(meta, row.version(), chunk, row);
    }

    private void withContent(Row row, LogContent content, byte[] bytes, byte[] key)
        throws StoreException {
      boolean shared = references.shared().get(content.location()) != null;
      boolean located = EntryLayout.form(row) == EntryLayout.FORM_LOCATED;
      if (shared || located) {
        entries.flush(); // It may be moved already, with another entry.
      }
      Moved there = located ? movedTo(content.offset) : null;
      Entry entry = EntryLayout.decode(null, row);
      if (there != null) {
        put(row, EntryLayout.encode(entry.withContent(content.movedTo(null, there.to))), null);
        return;
      }
      PackedChunk chunk =
          new PackedChunk(
              false,
              content.codecId,
              content.dictionaryId,
              content.plainLength,
              content.crc,
              bytes,
              0,
              content.length);
      put(row, EntryLayout.encode(entry.withContent(new Content.Packed(chunk))), chunk);
      if (shared) {
        entries.flush();
        Row copy = added.get(added.size() - 1);
        Location to = new Location(active.number(), copy.contentOffset());
        movedNow.put(content.offset, new Moved(to, key));
      }
    }

    /** Where content of the victim is now, if it is still held there. */
    private @Nullable Moved movedTo(long offset) throws StoreException {
      Moved there = movedNow.get(offset);
      if (there != null) {
        return there;
      }
      there = moved.get(offset);
      if (there == null) {
        return null;
      }
      Integer count = references.shared().get(there.to);
      if (count != null) {
        return count > 0 ? there : null;
      }
      Row owner = before.index().get(there.key);
      boolean held =
          owner != null
              && owner.segment() == there.to.segment()
              && owner.contentOffset() == there.to.offset();
      return held ? there : null;
    }

    private void replace(Row copy, @Nullable Row row) throws StoreException {
      var unused = index.put(copy);
      added.add(copy);
      hash += copy.hash();
      if (row != null) {
        hash -= row.hash();
        removed.add(row);
      }
    }
  }
}
