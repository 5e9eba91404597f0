package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;
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
            appender.append(RecordKind.DELETE, move.number(), move.meta());
            kept += move.length();
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
        var unused = replace(row, row.meta(), new byte[0]);
      }
    }

    private void withContent(Row row, LogContent content, byte[] bytes, byte[] key)
        throws StoreException {
      Moved there = movedTo(content.offset);
      Entry entry = EntryLayout.decode(null, row);
      if (there != null && EntryLayout.form(row) == EntryLayout.FORM_LOCATED) {
        Content located = content.movedTo(null, there.to);
        var unused = replace(row, EntryLayout.encode(entry.withContent(located)), new byte[0]);
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
      byte[] meta = EntryLayout.encode(entry.withContent(new Content.Packed(chunk)));
      Row copy = replace(row, meta, bytes);
      if (references.shared().get(content.location()) != null) {
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

    private Row replace(Row row, byte[] meta, byte[] content) throws StoreException {
      long offset = append(RecordKind.PUT, row.version(), meta, content);
      active.noteVersion(row.version());
      Row copy;
      try {
        copy = EntryLayout.row(meta, row.version(), active.number(), offset, content.length);
      } catch (StoreCorruptException e) {
        throw new IllegalStateException("entry cannot be moved: " + e.getMessage(), e);
      }
      var unused = index.put(copy);
      keys.add(ByteBuffer.wrap(copy.key()));
      hash += copy.hash() - row.hash();
      added.add(copy);
      removed.add(row);
      return copy;
    }
  }
}
