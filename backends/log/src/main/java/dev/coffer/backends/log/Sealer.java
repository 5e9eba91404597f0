package dev.coffer.backends.log;

import dev.coffer.codecs.Dictionary;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.EntryReader;
import dev.coffer.vfs.spi.PackedChunk;
import dev.coffer.vfs.spi.ScanRange;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes all that a reader of any backend sees into a new sealed file, entries in key order, each
 * behind the chunks it needs. Packed content is copied as it is. What is kept in memory grows with
 * the number of chunks of large files, not with that of small ones.
 */
final class Sealer implements ChunkCopy.Target {
  private static final int WRITE_BYTES = 1024 * 1024;
  private static final int PAGE = 1000;
  private static final int EPOCH = 1;
  private static final Features FEATURES =
      new Features(0, 0, Features.SEALED).plus(Features.WRITTEN);

  private final EntryReader source;
  private final NewFile target;
  private final Segment segment;
  private final Appender out;
  private final ChunkCopy chunkCopy;
  private final Contents contents;
  private final SegmentSet segments;
  private final References references;
  private final RunWriter run;
  private final BlockAppender entries;
  private final Map<Location, Location> moved = new HashMap<>();
  private final Map<Long, DictionaryInfo> dictionaries = new HashMap<>();
  private final Instant created = Instant.now();
  private long count;
  private long lastContent;
  private long hash;
  private long nextContentId = 1;

  private Sealer(EntryReader source, NewFile target, Tuning tuning) {
    this.source = source;
    this.target = target;
    FileHeader header =
        new FileHeader(FEATURES, target.storeId(), true, 0, created, FileHeader.LENGTH);
    segment = new Segment(target.path(), target.file(), header, 0);
    segments = SegmentSet.of(List.of(segment));
    contents = new Contents(segments, List.of());
    references = new References(contents, List.of());
    run = new RunWriter(target.indexFiles(), false, tuning.partRows());
    out =
        new Appender(
            new ReentrantLock(),
            target.path(),
            target.file(),
            segment.home,
            EPOCH,
            FileHeader.LENGTH,
            false);
    segment.appendWith(out);
    entries = new BlockAppender(segment, out, source.sequence(), this::appended);
    chunkCopy = new ChunkCopy(source, this);
  }

  /** Makes a sealed file, whole or not at all. */
  static void seal(Storage storage, EntryReader source, Path path, Tuning tuning)
      throws StoreException {
    try (NewFile target = NewFile.beside(storage, path)) {
      Sealer sealer = new Sealer(source, target, tuning);
      sealer.write();
      target.publish();
    }
  }

  private void write() throws StoreException {
    writeHeader(FileHeader.LENGTH);
    out.lock.lock();
    try {
      LogOpener.beginEpoch(out, EPOCH, 0);
      long sequence = source.sequence();
      source
          .properties()
          .forEach(
              (name, value) ->
                  out.append(
                      RecordKind.PROPERTY, sequence, new PropertyLayout(name, value).encode()));
      copyEntries();
      Live.Frame frame = Live.Frame.NONE;
      if (sequence > 0) {
        long offset = BatchWriter.appendFrame(out, sequence, created, count, hash, nextContentId);
        frame = new Live.Frame(offset, out.lastCrc());
      }
      out.endBatch();
      finish(frame);
    } finally {
      out.lock.unlock();
      run.discard();
    }
  }

  private void writeHeader(long length) throws StoreException {
    byte[] header = new FileHeader(FEATURES, target.storeId(), true, 0, created, length).encode();
    try {
      target.file().write(0, header, 0, header.length);
    } catch (IOException e) {
      throw Failures.writing(target.path(), header.length, e);
    }
  }

  private void copyEntries() throws StoreException {
    EntryKey after = null;
    List<Entry> page;
    do {
      page = source.scan(ScanRange.ALL, after, PAGE);
      for (Entry entry : page) {
        copy(entry);
        after = entry.key();
        if (out.buffered() >= WRITE_BYTES) {
          out.write();
        }
      }
    } while (page.size() == PAGE);
    entries.flush();
  }

  private void copy(Entry entry) throws StoreException {
    Location from = sharedPlace(entry.content());
    Location known = from == null ? null : moved.get(from);
    if (known != null) {
      LogContent content = (LogContent) entry.content();
      append(entry.withContent(content.movedTo(segment, known)), null);
      return;
    }
    PackedChunk chunk = chunkCopy.copy(entry);
    if (chunk != null) {
      requireDictionary(chunk);
    }
    append(chunk == null ? entry : entry.withContent(new Content.Packed(chunk)), chunk);
    if (from != null) {
      entries.flush(); // The next one that names it has to know where it is.
      moved.put(from, new Location(segment.number(), lastContent));
    }
  }

  private void append(Entry entry, @Nullable PackedChunk chunk) throws StoreException {
    entries.put(EntryLayout.encode(entry), entry.version(), chunk, null);
  }

  private void appended(Row row, @Nullable Row from) throws StoreException {
    references.added(row);
    run.add(row);
    count++;
    hash += row.hash();
    lastContent = row.contentOffset();
  }

  /** Where content lies that other entries may name too, or null. */
  private @Nullable Location sharedPlace(Content content) throws StoreException {
    return content instanceof LogContent located
            && source instanceof LogView view
            && view.isShared(located.location())
        ? located.location()
        : null;
  }

  @Override
  public boolean has(long id) throws StoreException {
    return contents.get(id) != null;
  }

  @Override
  public void take(long id, PackedChunk chunk) throws StoreException {
    requireDictionary(chunk);
    ChunkLayout layout = ChunkLayout.of(chunk);
    byte[] meta = layout.encode();
    long offset =
        out.append(RecordKind.CHUNK, id, meta, chunk.bytes(), chunk.offset(), chunk.length());
    references.found(
        id,
        ChunkInfo.of(
            segment.number(), offset + RecordHeader.LENGTH + meta.length, chunk.length(), layout));
    nextContentId = Math.max(nextContentId, id + 1);
    if (out.buffered() >= WRITE_BYTES) {
      out.write();
    }
  }

  /** Copies the dictionary a chunk was packed with, in front of it. */
  private void requireDictionary(PackedChunk chunk) throws StoreException {
    long id = chunk.dictionaryId();
    if (id == 0 || dictionaries.containsKey(id)) {
      return;
    }
    Dictionary dictionary = source.dictionary(id);
    if (dictionary == null) {
      throw new StoreCorruptException("dictionary is missing: id=" + id);
    }
    dictionaries.put(id, BatchWriter.appendDictionary(segment, id, dictionary.bytes()));
  }

  /** Writes index, seal and trailer. */
  private void finish(Live.Frame frame) throws StoreException {
    Snapshot snapshot =
        new Snapshot(
            segments,
            contents,
            source.sequence(),
            new Location(segment.number(), out.tail()),
            Index.EMPTY,
            count,
            hash,
            source.properties(),
            Map.copyOf(dictionaries));
    IndexRoot root = IndexRoot.of(snapshot, references, frame, FEATURES, EPOCH, nextContentId);
    run.addChunks(contents.table().walk());
    run.addShared(references.shared().walk());
    RunInfo info = run.append(segment);
    List<RunInfo> runs = info.rows() == 0 ? List.of() : List.of(info);
    long rootOffset =
        out.append(RecordKind.INDEX_ROOT, root.sequence(), root.withRuns(runs).encode());
    out.write();
    writeHeader(out.written() + SealLayout.END_LENGTH);
    try {
      byte[] digest = SealLayout.digest(target.file(), out.written());
      out.append(RecordKind.SEAL, snapshot.sequence(), digest);
    } catch (IOException e) {
      throw Failures.reading(target.path(), e);
    }
    LogEnd.appendTrailer(
        out, snapshot, frame.offset(), references.liveBytes(), nextContentId, rootOffset);
    out.write();
  }
}
