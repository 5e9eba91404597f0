package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreLockedException;
import dev.coffer.vfs.spi.ChunkBuffer;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.PackedChunk;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The file that a compaction makes. For one thread. */
final class YoungFile {
  private static final int WRITE_BYTES = 1024 * 1024;

  /** So many rows may need no run. */
  private static final int MAX_FIRST_ROWS = 1000;

  private final Snapshot from;
  private final Segment old;
  private final References oldReferences;
  private final IndexFiles files;
  private final Tuning tuning;
  private final Segment segment;
  private final SegmentSet segments;
  private final Appender out;
  private final Contents contents;
  private final References references;
  private final RunWriter run;
  private final List<Row> firstRows = new ArrayList<>();
  private final BlockAppender entries;

  /** What the batch of a later commit adds. */
  private final List<Row> added = new ArrayList<>();

  private final Map<Location, Location> moved = new HashMap<>();
  private final Map<Long, DictionaryInfo> dictionaries = new HashMap<>();
  private final ChunkBuffer buffer = new ChunkBuffer();
  private Index.Editor index = Index.EMPTY.edit();
  private boolean snapshotDone;
  private long count;
  private long hash;
  private long sequence;
  private long movedBytes;
  private long runRows;
  private Live.Frame frame = Live.Frame.NONE;
  private @Nullable IndexRoot root;

  YoungFile(Storage.OpenFile file, Live live, Snapshot from, IndexFiles files, Tuning tuning)
      throws IOException, StoreException {
    this.from = from;
    this.old = from.segments().active();
    this.oldReferences = live.references();
    this.files = files;
    this.tuning = tuning;
    this.sequence = from.sequence();
    byte[] head = old.header.encode();
    file.write(0, head, 0, head.length);
    segment = new Segment(old.path, file, old.header, 0);
    segments = SegmentSet.of(List.of(segment));
    contents = new Contents(segments, List.of());
    references = new References(contents, List.of());
    run = new RunWriter(files, false, tuning.partRows());
    out = appender(new ReentrantLock(), old.appender().epoch() + 1, FileHeader.LENGTH);
    segment.appendWith(out);
    entries = new BlockAppender(segment, out, sequence, this::appended);
    LogOpener.beginEpoch(out, out.epoch(), from.sequence());
    from.properties().forEach(this::property);
    for (Map.Entry<Long, DictionaryInfo> each : from.dictionaries().entrySet()) {
      dictionary(each.getKey(), from.dictionaryBytes(each.getValue()));
    }
  }

  private Appender appender(ReentrantLock lock, int epoch, long end) {
    return new Appender(lock, old.path, segment.file, segment.home, epoch, end, false);
  }

  long movedBytes() {
    return movedBytes;
  }

  /** About how long it is so far, with what waits for its block. */
  long appendedBytes() {
    return out.tail() + entries.waitingBytes();
  }

  /** How much of what was written may not be on the device yet. */
  long unforcedBytes() {
    return out.written() - out.forced();
  }

  References references() {
    return references;
  }

  Live.Frame frame() {
    return frame;
  }

  /** The root of its run, or null if it has none. */
  @Nullable IndexRoot root() {
    return root;
  }

  private void property(String name, String value) {
    property(sequence, name, value);
  }

  void property(long number, String name, String value) {
    out.append(RecordKind.PROPERTY, number, new PropertyLayout(name, value).encode());
  }

  void dictionary(long id, byte[] bytes) throws StoreException {
    if (!dictionaries.containsKey(id)) {
      dictionaries.put(id, BatchWriter.appendDictionary(segment, id, bytes));
      settle();
    }
  }

  private void settle() throws StoreException {
    if (out.buffered() >= WRITE_BYTES) {
      out.lock.lock();
      try {
        out.write();
      } finally {
        out.lock.unlock();
      }
    }
  }

  /** Copies a chunk, unless it is there. */
  void copyChunk(long id, ChunkInfo chunk) throws StoreException {
    if (contents.get(id) != null) {
      return;
    }
    Location location = new Location(chunk.segment(), chunk.offset());
    byte[] bytes =
        read(location, buffer.room(chunk.length()), chunk.length(), chunk.layout().crc(), null);
    byte[] meta = chunk.layout().encode();
    long offset = out.append(RecordKind.CHUNK, id, meta, bytes, 0, chunk.length());
    long contentOffset = offset + RecordHeader.LENGTH + meta.length;
    references.found(
        id, ChunkInfo.of(segment.number(), contentOffset, chunk.length(), chunk.layout()));
    movedBytes += chunk.length();
    settle();
  }

  /** Copies a row of the snapshot; in the order of their keys. */
  void copyRow(Row row) throws StoreException {
    append(row, true);
    settle();
  }

  /** A row of the snapshot was copied. */
  private void copied(Row copy) throws StoreException {
    references.added(copy);
    run.add(copy);
    runRows++;
    if (firstRows.size() < MAX_FIRST_ROWS) {
      firstRows.add(copy);
    }
    count++;
    hash += copy.hash();
  }

  private void append(Row row, boolean inBlock) throws StoreException {
    ContentRef content = EntryLayout.contentRef(row);
    if (!content.isInline() && !content.isLocated()) {
      append(row, row.meta(), null, inBlock);
      return;
    }
    boolean shared = !snapshotDone && oldReferences.isShared(content.location());
    if (shared) {
      entries.flush(); // It may be there already, with another entry.
    }
    Entry entry = EntryLayout.decode(from.segments(), row);
    LogContent located = (LogContent) entry.content();
    Location movedTo = moved.get(content.location());
    if (movedTo != null) {
      Content there = located.movedTo(segment, movedTo);
      append(row, EntryLayout.encode(entry.withContent(there)), null, inBlock);
      return;
    }
    PackedChunk chunk = read(located, row);
    byte[] meta = EntryLayout.encode(entry.withContent(new Content.Packed(chunk)));
    append(row, meta, chunk, inBlock);
    movedBytes += located.length;
    if (shared) {
      entries.flush();
    }
  }

  private void append(Row row, byte[] meta, @Nullable PackedChunk chunk, boolean inBlock)
      throws StoreException {
    if (inBlock) {
      entries.put(meta, row.version(), chunk, row);
    } else {
      entries.putAlone(meta, row.version(), chunk, row);
    }
  }

  private void appended(Row copy, @Nullable Row old) throws StoreException {
    if (old != null && copy.contentOffset() >= 0) {
      Location place = EntryLayout.contentRef(old).location();
      if (snapshotDone || oldReferences.isShared(place)) {
        moved.put(place, new Location(segment.number(), copy.contentOffset()));
      }
    }
    if (snapshotDone) {
      added.add(copy);
    } else {
      copied(copy);
    }
  }

  private PackedChunk read(LogContent content, Row row) throws StoreException {
    byte[] bytes =
        read(content.location(), new byte[content.length], content.length, content.crc, row.path());
    return new PackedChunk(
        false,
        content.codecId,
        content.dictionaryId,
        content.plainLength,
        content.crc,
        bytes,
        0,
        content.length);
  }

  /** Reads packed bytes, checked, into an array; answers that. */
  private byte[] read(Location location, byte[] bytes, int length, int crc, @Nullable String path)
      throws StoreException {
    if (!from.segments().get(location.segment()).read(location.offset(), bytes, length)
        || PackedChunk.checksum(bytes, 0, length) != crc) {
      throw new StoreCorruptException(
          "content is damaged, so the store cannot be compacted: offset=" + location.offset(),
          path,
          location.offset(),
          null);
    }
    return bytes;
  }

  /** Ends the snapshot with its frame, and its run if it needs one. */
  void endSnapshot(IndexKeeper keeper, long nextContentId) throws StoreException {
    entries.flush();
    commit(sequence, Instant.now(), nextContentId);
    snapshotDone = true;
    if (out.tail() < tuning.replayBytes() && runRows <= firstRows.size()) {
      firstRows.forEach(index::putNew);
      run.discard();
      return;
    }
    Snapshot done = snapshot(Index.EMPTY);
    IndexRoot state = keeper.state(done, references, frame, out.epoch(), nextContentId);
    run.addChunks(contents.table().walk());
    run.addShared(references.shared().walk());
    out.lock.lock();
    try {
      RunInfo info = run.append(segment);
      out.write();
      out.endBatch();
      root = state.withRuns(List.of(info));
      Run only = IndexBase.open(info, segments, files);
      index = Index.of(List.of(only)).edit();
      contents.table().restart(Run.chunks(List.of(only)));
      references.shared().restart(Run.shared(List.of(only)));
    } finally {
      out.lock.unlock();
      run.release();
    }
  }

  private Snapshot snapshot(Index entries) {
    return new Snapshot(
        segments,
        contents,
        sequence,
        new Location(segment.number(), out.tail()),
        entries,
        count,
        hash,
        from.properties(),
        Map.copyOf(dictionaries));
  }

  /** Puts the rows of a later commit; deletions take theirs away. */
  void apply(List<Row> batch) throws StoreException {
    boolean inBlocks = batch.size() >= tuning.blockChanges();
    List<Row> removed = new ArrayList<>();
    for (Row row : batch) {
      if (!row.isDeletion()) {
        append(row, inBlocks);
      } else if (inBlocks) {
        entries.delete(row.meta(), row.version());
      } else {
        out.append(RecordKind.DELETE, row.version(), row.meta());
      }
      if (row.isDeletion()) {
        replaced(index.remove(row.key(), row.version()), removed);
      }
      settle();
    }
    entries.flush();
    for (Row row : added) {
      replaced(index.put(row), removed);
      count++;
      hash += row.hash();
    }
    for (Row row : added) {
      references.added(row);
    }
    for (Row row : removed) {
      references.removed(row);
    }
    added.clear();
  }

  private void replaced(@Nullable Row before, List<Row> removed) {
    if (before != null) {
      removed.add(before);
      count--;
      hash -= before.hash();
    }
  }

  /** Ends a batch. */
  void commit(long number, Instant time, long nextContentId) throws StoreException {
    sequence = number;
    long offset = BatchWriter.appendFrame(out, number, time, count, hash, nextContentId);
    frame = new Live.Frame(offset, out.lastCrc());
    out.endBatch();
    settle();
  }

  /** Ends the copy: what the store holds from now on. */
  Snapshot end(Live live) throws StoreException {
    out.lock.lock();
    try {
      out.write();
    } finally {
      out.lock.unlock();
    }
    references.takeOver(oldReferences);
    Snapshot newest = live.snapshot();
    return new Snapshot(
        segments,
        contents,
        newest.sequence(),
        new Location(segment.number(), out.tail()),
        index.done(),
        count,
        hash,
        newest.properties(),
        Map.copyOf(dictionaries));
  }

  /** Locks the file before it takes the old one's place. */
  void lock() throws StoreException, IOException {
    if (!segment.file.tryLock()) {
      throw new StoreLockedException("new file is locked: by=another process store=" + old.path);
    }
  }

  /** It has taken the old file's place. */
  void renamed() {
    segment.file.renamedTo(old.path);
  }

  /** Makes what was copied durable. */
  void force() throws StoreException {
    out.force();
  }

  /** Lets the store append to it. */
  Appender goOn(Live live) {
    Appender appender = appender(live.lock, out.epoch(), out.written());
    appender.fillAhead(tuning.aheadBytes());
    appender.continueBatch(out);
    segment.appendWith(appender);
    return appender;
  }

  void discard() throws IOException {
    run.discard();
    segment.file.close();
  }
}
