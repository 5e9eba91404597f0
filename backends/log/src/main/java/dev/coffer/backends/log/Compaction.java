package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreFailedException;
import dev.coffer.vfs.StoreFullException;
import dev.coffer.vfs.spi.ChunkBuffer;
import dev.coffer.vfs.spi.CompactStep;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.PackedChunk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Copies what is live into a new file, which then takes the old one's place: a crash leaves the one
 * or the other, whole. The old file stays readable to whoever holds it. Used once, with no commit
 * under way; chunks may be staged meanwhile.
 */
final class Compaction {
  private static final int WRITE_BYTES = 1024 * 1024;

  /** Files smaller than this share above what is live are left alone. */
  private static final int WORTH_DIVISOR = 100;

  private static final int FIXED_BYTES = 512;

  private final Storage storage;
  private final Storage.@Nullable Lock lock;
  private final Live live;
  private final Snapshot from;
  private final Generation old;
  private final ChunkBuffer buffer = new ChunkBuffer();
  private final Map<Long, Long> movedLocations = new HashMap<>();
  private long movedBytes;
  private long frameOffset;

  Compaction(Storage storage, Storage.@Nullable Lock lock, Live live) {
    this.storage = storage;
    this.lock = lock;
    this.live = live;
    this.from = live.snapshot();
    this.old = from.generation();
  }

  /** Where the new file's commit frame lies. */
  long frameOffset() {
    return frameOffset;
  }

  @SuppressWarnings("ReferenceEquality") // Whether this very snapshot is still the newest.
  CompactStep run() throws StoreException {
    old.appender().requireSound();
    long needed = neededBytes();
    long length = old.end();
    if (from.sequence() == 0 || length - needed <= FIXED_BYTES + needed / WORTH_DIVISOR) {
      return new CompactStep(true, 0, 0);
    }
    Path temporary = LogOpener.temporary(old.path);
    Storage.OpenFile file = null;
    boolean moved = false;
    try {
      file = storage.create(temporary);
      Generation young = copy(file, temporary);
      moved = true;
      return new CompactStep(true, movedBytes, length - young.end());
    } catch (StoreFullException e) {
      throw new StoreFullException(
          "no room to compact: neededBytes=" + needed + " file=" + old.path, e);
    } catch (StoreException e) {
      throw e;
    } catch (IOException e) {
      throw Failures.writing(old.path, needed, e);
    } finally {
      if (!moved && live.snapshot() == from) {
        discard(file, temporary);
      }
    }
  }

  private void discard(Storage.@Nullable OpenFile file, Path temporary) {
    try {
      if (file != null) {
        file.close();
      }
      storage.delete(temporary);
    } catch (IOException e) {
      // The next opening deletes it.
    }
  }

  /** About how long the file would be without what is dead. */
  private long neededBytes() throws StoreException {
    long bytes = FIXED_BYTES;
    for (Row row : from.index()) {
      bytes += RecordHeader.LENGTH + row.meta().length;
    }
    for (DictionaryInfo each : from.dictionaries().values()) {
      bytes += RecordHeader.LENGTH + DictionaryLayout.LENGTH + each.length();
    }
    long chunkBytes = 0;
    for (ChunkInfo each : old.chunks.values()) {
      if (!each.dead) {
        bytes += RecordHeader.LENGTH + ChunkLayout.LENGTH;
        chunkBytes += each.references == 0 ? each.length : 0;
      }
    }
    return bytes + chunkBytes + live.liveBytes();
  }

  private Generation copy(Storage.OpenFile file, Path temporary)
      throws StoreException, IOException {
    byte[] head = old.header.encode();
    file.write(0, head, 0, head.length);
    Generation young = new Generation(old.path, file, old.header, 0);
    int epoch = old.appender().epoch() + 1;
    Appender out = new Appender(old.path, file, young.home, epoch, FileHeader.LENGTH, false);
    young.appendWith(out);
    LogOpener.beginEpoch(out, epoch, from.sequence());
    copyProperties(out);
    Map<Long, DictionaryInfo> dictionaries = copyDictionaries(out);
    copyChunks(young, out);
    IndexMap.Editor index = IndexMap.EMPTY.edit();
    long hash = 0;
    for (Row row : from.index()) {
      Row copy = copyRow(young, out, row);
      index.put(copy);
      hash += copy.hash();
    }
    Snapshot moved =
        new Snapshot(young, from.sequence(), index.done(), hash, from.properties(), dictionaries);
    old.lock().lock();
    try {
      copyChunks(young, out);
      replace(moved, out, temporary);
    } finally {
      old.lock().unlock();
    }
    old.release();
    return young;
  }

  private void copyProperties(Appender out) {
    from.properties()
        .forEach(
            (name, value) ->
                out.append(
                    RecordKind.PROPERTY,
                    from.sequence(),
                    new PropertyLayout(name, value).encode()));
  }

  private Map<Long, DictionaryInfo> copyDictionaries(Appender out) throws StoreException {
    Map<Long, DictionaryInfo> copies = new HashMap<>();
    for (Map.Entry<Long, DictionaryInfo> each : from.dictionaries().entrySet()) {
      byte[] bytes = from.dictionaryBytes(each.getValue());
      copies.put(each.getKey(), BatchWriter.appendDictionary(out, each.getKey(), bytes));
      settle(out);
    }
    return Map.copyOf(copies);
  }

  private static void settle(Appender out) throws StoreException {
    if (out.buffered() >= WRITE_BYTES) {
      out.write();
    }
  }

  /** Copies the chunks that are in use and not copied yet, in the order they lie in the file. */
  private void copyChunks(Generation young, Appender out) throws StoreException {
    List<Map.Entry<Long, ChunkInfo>> todo = new ArrayList<>(old.chunks.entrySet());
    todo.removeIf(each -> each.getValue().dead || young.chunks.containsKey(each.getKey()));
    todo.sort(Comparator.comparingLong(each -> each.getValue().offset));
    for (Map.Entry<Long, ChunkInfo> each : todo) {
      ChunkInfo chunk = each.getValue();
      byte[] bytes = read(chunk.offset, chunk.length, chunk.layout.crc(), null);
      byte[] meta = chunk.layout.encode();
      long offset = out.append(RecordKind.CHUNK, each.getKey(), meta, bytes, 0, chunk.length);
      young.chunks.put(
          each.getKey(),
          new ChunkInfo(offset + RecordHeader.LENGTH + meta.length, chunk.length, chunk.layout));
      movedBytes += chunk.length;
      settle(out);
    }
  }

  /** Reads packed bytes, checked, into an array that the next read uses again. */
  private byte[] read(long offset, int length, int crc, @Nullable String path)
      throws StoreException {
    byte[] bytes = buffer.room(length);
    if (!old.read(offset, bytes, length) || PackedChunk.checksum(bytes, 0, length) != crc) {
      throw new StoreCorruptException(
          "content is damaged, so the store cannot be compacted: offset=" + offset,
          path,
          offset,
          null);
    }
    return bytes;
  }

  private Row copyRow(Generation young, Appender out, Row row) throws StoreException {
    if (row.contentOffset() < 0) {
      out.append(RecordKind.PUT, row.version(), row.meta());
      settle(out);
      return row;
    }
    Entry entry = EntryLayout.decode(old, row);
    LogContent content = (LogContent) entry.content();
    Long movedTo = movedLocations.get(content.offset);
    Row copy;
    if (movedTo != null) {
      Content located =
          new LogContent(
              young,
              movedTo,
              content.plainLength,
              content.codecId,
              content.dictionaryId,
              content.length,
              content.crc);
      byte[] meta = EntryLayout.encode(entry.withContent(located));
      out.append(RecordKind.PUT, row.version(), meta);
      copy = new Row(meta, row.version(), 0, movedTo);
    } else {
      copy = copyInline(out, row, entry, content);
    }
    settle(out);
    return copy;
  }

  private Row copyInline(Appender out, Row row, Entry entry, LogContent content)
      throws StoreException {
    byte[] bytes = read(content.offset, content.length, content.crc, row.path());
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
    long offset =
        out.append(RecordKind.PUT, row.version(), meta, bytes, 0, content.length)
            + RecordHeader.LENGTH
            + meta.length;
    if (live.references().isShared(content.offset)) {
      movedLocations.put(content.offset, offset);
    }
    movedBytes += content.length;
    return new Row(meta, row.version(), 0, offset);
  }

  /** Ends the new file, makes it durable and puts it in the old one's place. */
  private void replace(Snapshot moved, Appender out, Path temporary)
      throws StoreException, IOException {
    Generation young = moved.generation();
    References references = new References(young);
    references.recount(moved.index(), problem -> {});
    references.recountStaged();
    old.chunks.forEach(
        (id, chunk) -> {
          ChunkInfo copy = young.chunks.get(id);
          if (copy != null) {
            copy.pins = chunk.pins;
            copy.wasReferred = chunk.wasReferred;
          }
        });
    frameOffset =
        BatchWriter.appendFrame(
            out,
            from.sequence(),
            Instant.now(),
            moved.index().size(),
            moved.listingHash(),
            live.nextContentId());
    out.endBatch();
    long end = out.tail();
    LogBackend.appendTrailer(out, moved, frameOffset, references.liveBytes(), live.nextContentId());
    out.write();
    young.file.force(true);
    if (lock != null) {
      lock.covers(temporary);
    }
    storage.rename(temporary, old.path);
    Appender appender = new Appender(old.path, young.file, young.home, out.epoch(), end, true);
    young.appendWith(appender);
    live.publish(moved, references);
    try {
      storage.forceDirectory(java.util.Objects.requireNonNull(old.path.getParent()));
    } catch (IOException e) {
      StoreFailedException failed =
          new StoreFailedException("cannot force folder of store: file=" + old.path, e);
      appender.latch(failed);
      throw failed;
    }
  }
}
