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

  /** So many rows may need no run. */
  private static final int MAX_FIRST_ROWS = 1000;

  private final Storage storage;
  private final Storage.@Nullable Lock lock;
  private final Live live;
  private final IndexKeeper keeper;
  private final IndexFiles files;
  private final Tuning tuning;
  private final Snapshot from;
  private final Segment old;
  private final References oldReferences;
  private final ChunkBuffer buffer = new ChunkBuffer();
  private final Map<Location, Location> movedLocations = new HashMap<>();
  private long movedBytes;

  Compaction(
      Storage storage,
      Storage.@Nullable Lock lock,
      Live live,
      IndexKeeper keeper,
      IndexFiles files,
      Tuning tuning) {
    this.storage = storage;
    this.lock = lock;
    this.live = live;
    this.keeper = keeper;
    this.files = files;
    this.tuning = tuning;
    this.from = live.snapshot();
    this.old = from.segments().active();
    this.oldReferences = live.references();
  }

  CompactStep run() throws StoreException {
    old.appender().requireSound();
    long needed = neededBytes();
    long length = old.end();
    if (from.sequence() == 0 || length - needed <= FIXED_BYTES + needed / WORTH_DIVISOR) {
      return new CompactStep(true, 0, 0);
    }
    Path temporary = LogOpener.temporary(old.path);
    Storage.OpenFile file = null;
    try {
      file = storage.create(temporary);
      Young young = new Young(file);
      young.copy();
      young.replace(temporary);
      return new CompactStep(true, movedBytes, length - young.segment.end());
    } catch (StoreFullException e) {
      throw new StoreFullException(
          "no room to compact: neededBytes=" + needed + " file=" + old.path, e);
    } catch (StoreException e) {
      throw e;
    } catch (IOException e) {
      throw Failures.writing(old.path, needed, e);
    } finally {
      if (live.snapshot().segments() == from.segments()) {
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
    live.lock.lock();
    try {
      for (long each : oldReferences.segmentLiveBytes().values()) {
        bytes += each;
      }
      LayeredTable.Walk<Long, ChunkInfo> chunks = oldReferences.contents().table().walk();
      while (chunks.next()) {
        ChunkInfo chunk = chunks.value();
        boolean staged = chunk.references() == 0 && oldReferences.isAlive(chunks.key(), chunk);
        bytes += staged ? chunk.recordLength() : 0;
      }
    } finally {
      live.lock.unlock();
    }
    for (DictionaryInfo each : from.dictionaries().values()) {
      bytes += RecordHeader.LENGTH + DictionaryLayout.LENGTH + each.length();
    }
    for (Run run : from.index().runs()) {
      for (RunInfo.Place place : run.info().places()) {
        bytes += place.inLog() ? place.length() : 0;
      }
    }
    return bytes;
  }

  /** Reads packed bytes, checked, into an array that the next read uses again. */
  private byte[] read(Location location, int length, int crc, @Nullable String path)
      throws StoreException {
    byte[] bytes = buffer.room(length);
    Segment segment = from.segments().get(location.segment());
    if (!segment.read(location.offset(), bytes, length)
        || PackedChunk.checksum(bytes, 0, length) != crc) {
      throw new StoreCorruptException(
          "content is damaged, so the store cannot be compacted: offset=" + location.offset(),
          path,
          location.offset(),
          null);
    }
    return bytes;
  }

  /** The new file. */
  private final class Young {
    private final Segment segment;
    private final SegmentSet segments;
    private final Appender out;
    private final Contents contents;
    private final References references;
    private final RunWriter run = new RunWriter(files, false, tuning.partRows());
    private final List<Row> firstRows = new ArrayList<>();
    private Map<Long, DictionaryInfo> dictionaries = Map.of();
    private long count;
    private long hash;

    Young(Storage.OpenFile file) throws IOException {
      byte[] head = old.header.encode();
      file.write(0, head, 0, head.length);
      segment = new Segment(old.path, file, old.header, 0);
      segments = SegmentSet.of(List.of(segment));
      contents = new Contents(segments, List.of());
      references = new References(contents, List.of());
      out =
          new Appender(
              live.lock,
              old.path,
              file,
              segment.home,
              old.appender().epoch() + 1,
              FileHeader.LENGTH,
              false);
      segment.appendWith(out);
    }

    void copy() throws StoreException {
      LogOpener.beginEpoch(out, out.epoch(), from.sequence());
      copyProperties();
      copyDictionaries();
      copyChunks();
      RowCursor rows = from.index().from(new byte[0]);
      while (rows.next()) {
        Row copy = copyRow(rows.row());
        references.added(copy);
        run.add(copy);
        if (firstRows.size() < MAX_FIRST_ROWS) {
          firstRows.add(copy);
        }
        count++;
        hash += copy.hash();
        settle();
      }
    }

    private void settle() throws StoreException {
      if (out.buffered() >= WRITE_BYTES) {
        live.lock.lock();
        try {
          out.write();
        } finally {
          live.lock.unlock();
        }
      }
    }

    private void copyProperties() {
      from.properties()
          .forEach(
              (name, value) ->
                  out.append(
                      RecordKind.PROPERTY,
                      from.sequence(),
                      new PropertyLayout(name, value).encode()));
    }

    private void copyDictionaries() throws StoreException {
      Map<Long, DictionaryInfo> copies = new HashMap<>();
      for (Map.Entry<Long, DictionaryInfo> each : from.dictionaries().entrySet()) {
        byte[] bytes = from.dictionaryBytes(each.getValue());
        copies.put(each.getKey(), BatchWriter.appendDictionary(segment, each.getKey(), bytes));
        settle();
      }
      dictionaries = Map.copyOf(copies);
    }

    /** Copies the chunks that are alive and not copied yet, in the order they lie in the file. */
    private void copyChunks() throws StoreException {
      List<Map.Entry<Long, ChunkInfo>> todo = new ArrayList<>();
      live.lock.lock();
      try {
        LayeredTable.Walk<Long, ChunkInfo> walk = oldReferences.contents().table().walk();
        while (walk.next()) {
          if (oldReferences.isAlive(walk.key(), walk.value()) && contents.get(walk.key()) == null) {
            todo.add(Map.entry(walk.key(), walk.value()));
          }
        }
      } finally {
        live.lock.unlock();
      }
      todo.sort(Comparator.comparingLong(each -> each.getValue().offset()));
      for (Map.Entry<Long, ChunkInfo> each : todo) {
        ChunkInfo chunk = each.getValue();
        Location location = new Location(chunk.segment(), chunk.offset());
        byte[] bytes = read(location, chunk.length(), chunk.layout().crc(), null);
        byte[] meta = chunk.layout().encode();
        long offset = out.append(RecordKind.CHUNK, each.getKey(), meta, bytes, 0, chunk.length());
        contents
            .table()
            .put(
                each.getKey(),
                ChunkInfo.of(
                    segment.number(),
                    offset + RecordHeader.LENGTH + meta.length,
                    chunk.length(),
                    chunk.layout()));
        movedBytes += chunk.length();
        settle();
      }
    }

    private Row copyRow(Row row) throws StoreException {
      ContentRef content = EntryLayout.contentRef(row);
      if (!content.isInline() && !content.isLocated()) {
        out.append(RecordKind.PUT, row.version(), row.meta());
        return new Row(row.meta(), row.version(), segment.number(), -1);
      }
      Entry entry = EntryLayout.decode(from.segments(), row);
      LogContent located = (LogContent) entry.content();
      Location movedTo = movedLocations.get(content.location());
      return movedTo == null
          ? copyInline(row, entry, located)
          : copyLocated(row, entry, located, movedTo);
    }

    private Row copyLocated(Row row, Entry entry, LogContent content, Location movedTo) {
      Content located =
          new LogContent(
              segment,
              movedTo,
              content.plainLength,
              content.codecId,
              content.dictionaryId,
              content.length,
              content.crc);
      byte[] meta = EntryLayout.encode(entry.withContent(located));
      out.append(RecordKind.PUT, row.version(), meta);
      return new Row(meta, row.version(), segment.number(), -1);
    }

    private Row copyInline(Row row, Entry entry, LogContent content) throws StoreException {
      byte[] bytes = read(content.location, content.length, content.crc, row.path());
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
      if (oldReferences.isShared(content.location)) {
        movedLocations.put(content.location, new Location(segment.number(), offset));
      }
      movedBytes += content.length;
      return new Row(meta, row.version(), segment.number(), offset);
    }

    /** Ends the new file, makes it durable and puts it in the old one's place. */
    void replace(Path temporary) throws StoreException, IOException {
      live.lock.lock();
      try {
        copyChunks(); // What was staged meanwhile.
        references.takeOver(oldReferences);
        long frameOffset =
            BatchWriter.appendFrame(
                out, from.sequence(), Instant.now(), count, hash, live.nextContentId());
        Live.Frame frame = new Live.Frame(frameOffset, out.lastCrc());
        out.endBatch();
        Location end = new Location(segment.number(), out.tail());
        Snapshot moved = finish(end, frame);
        force(temporary);
        storage.rename(temporary, old.path);
        Appender appender =
            new Appender(
                live.lock, old.path, segment.file, segment.home, out.epoch(), trailerAt, true);
        segment.appendWith(appender);
        live.publish(moved, references, frame);
        keeper.restart(root, rootOffset);
        forceFolder(appender);
      } finally {
        live.lock.unlock();
      }
    }

    private long trailerAt;
    private long rootOffset;
    private @Nullable IndexRoot root;

    /** Writes index and trailer. */
    private Snapshot finish(Location end, Live.Frame frame) throws StoreException {
      Snapshot moved =
          new Snapshot(
              segments,
              contents,
              from.sequence(),
              end,
              Index.EMPTY,
              count,
              hash,
              from.properties(),
              dictionaries);
      if (end.offset() < tuning.replayBytes() && count <= firstRows.size()) {
        IndexMap.Editor rows = IndexMap.EMPTY.edit();
        firstRows.forEach(rows::put);
        run.discard();
        moved = moved.withIndex(new Index(rows.done(), IndexMap.EMPTY, List.of()));
      } else {
        root = keeper.state(moved, references, frame, out.epoch());
        run.addChunks(contents.table().walk());
        run.addShared(references.shared().walk());
        RunInfo info = run.append(segment);
        root = root.withRuns(List.of(info));
        rootOffset = out.append(RecordKind.INDEX_ROOT, root.sequence(), root.encode());
        out.write();
        Run only = IndexBase.open(info, segments, files);
        moved = moved.withIndex(Index.of(List.of(only)));
        contents.table().restart(Run.chunks(List.of(only)));
        references.shared().restart(Run.shared(List.of(only)));
      }
      out.endBatch();
      trailerAt = out.tail();
      LogBackend.appendTrailer(
          out, moved, frame.offset(), references.liveBytes(), live.nextContentId(), rootOffset);
      out.write();
      return moved;
    }

    private void force(Path temporary) throws StoreException, IOException {
      segment.file.force(true);
      if (lock != null) {
        lock.covers(temporary);
      }
    }

    private void forceFolder(Appender appender) throws StoreException {
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
}
