package dev.coffer.backends.log;

import dev.coffer.codecs.Dictionary;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Change;
import dev.coffer.vfs.spi.ChunkBuffer;
import dev.coffer.vfs.spi.Commit;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.PackedChunk;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Turns one commit into records and the next snapshot; used once, by one thread. */
final class BatchWriter {
  private static final byte[] NOTHING = new byte[0];

  /** What a row takes besides its meta bytes: its header, the array's, its place in the index. */
  private static final int ROW_HEAP = 80;

  /** Room for nearly any entry's meta bytes. */
  private static final int SCRATCH = 512;

  private final Snapshot before;
  private final Commit commit;
  private final List<Encoded> encoded;
  private final List<EntryBlock.Packed> blocks = new ArrayList<>();

  /** What takes in the changes of a large batch, or null. */
  private final @Nullable EntryBlock block;

  private final BytesOut scratch = new BytesOut(SCRATCH);

  /** Rows that name content elsewhere. */
  private final List<Row> referring = new ArrayList<>();

  private final List<Row> removed = new ArrayList<>();

  /** The segment appended to; bytes there of records and content that nothing else names. */
  private int segment;

  private long ownRecordBytes;
  private long ownContentBytes;
  private long addedHeap;

  /**
   * A change ready to be appended.
   *
   * @param key null for a put
   * @param block in which of the blocks it lies, or -1
   * @param start where in that block's content its own starts
   */
  private record Encoded(
      byte[] meta, byte @Nullable [] key, Content content, boolean isNew, int block, int start) {
    @Nullable PackedChunk chunk() {
      return content instanceof Content.Packed packed ? packed.chunk() : null;
    }
  }

  /**
   * Encodes everything, which needs no lock.
   *
   * @param blockChanges so many changes go into metadata blocks
   */
  BatchWriter(Snapshot before, Commit commit, int blockChanges) throws StoreException {
    this.before = before;
    this.commit = commit;
    this.encoded = new ArrayList<>(commit.changes().size());
    this.block = commit.changes().size() < blockChanges ? null : new EntryBlock();
    for (Change change : commit.changes()) {
      encoded.add(encode(change));
    }
    if (block != null && !block.isEmpty()) {
      blocks.add(block.pack());
    }
  }

  private Encoded encode(Change change) throws StoreException {
    Entry after = change.after();
    if (after == null) {
      byte[] key = Keys.encode(change.key());
      return place(EntryLayout.encodeKey(key), key, Content.NONE, false);
    }
    Content content = after.content();
    if (content instanceof LogContent located && !isCurrent(located)) {
      content = reread(located);
      after = after.withContent(content);
    }
    if (!after.key().equals(change.key())) {
      after = after.withKey(change.key());
    }
    if (content instanceof Content.Packed packed) {
      Live.requireNotEmpty(packed.chunk());
    }
    byte[] meta = EntryLayout.encode(scratch, after, block != null);
    return place(meta, null, content, change.before() == null);
  }

  /** Gives a change its place in a block, or none. */
  private Encoded place(byte[] meta, byte @Nullable [] key, Content content, boolean isNew) {
    if (block == null || !EntryBlock.takes(meta)) {
      byte[] alone = key == null ? EntryLayout.placed(meta, false) : meta;
      return new Encoded(alone, key, content, isNew, -1, 0);
    }
    PackedChunk chunk = content instanceof Content.Packed packed ? packed.chunk() : null;
    int start = block.add(meta, commit.sequence(), chunk);
    Encoded change = new Encoded(meta, key, content, isNew, blocks.size(), start);
    if (block.isFull()) {
      blocks.add(block.pack());
    }
    return change;
  }

  private boolean isCurrent(LogContent located) {
    return located.segment != null
        && !located.segment.isRetiring()
        && before.segments().find(located.segmentNumber) == located.segment;
  }

  /** Content that compaction has moved since it was looked up. */
  private static Content reread(LogContent located) throws StoreException {
    ChunkBuffer buffer = new ChunkBuffer();
    if (!Snapshot.readLocated(located, buffer)) {
      throw new StoreCorruptException(
          "content is gone: length=" + located.length, null, located.offset, null);
    }
    return new Content.Packed(buffer.toChunk());
  }

  /** Appends the batch and its frame; called with the store's lock held. */
  Snapshot append(Segment active, long nextContentId) throws StoreException {
    segment = active.number();
    Appender appender = active.appender();
    Map<Long, DictionaryInfo> dictionaries = appendDictionaries(active);
    SortedMap<String, String> properties = appendProperties(appender);
    long[] contents = appendBlocks(appender);
    Index.Editor index = before.index().edit();
    long hash = before.listingHash();
    long count = before.entryCount();
    for (Encoded change : encoded) {
      Row after =
          change.block < 0
              ? append(active, change)
              : row(active, change, contents[change.block] + change.start);
      Row replaced = null;
      if (after == null) {
        replaced = index.remove(keyOf(change), commit.sequence());
      } else if (change.isNew) {
        index.putNew(after);
      } else {
        replaced = index.put(after);
      }
      if (replaced != null) {
        removed.add(replaced);
        hash -= replaced.hash();
        count--;
      }
      if (after != null) {
        addedHeap += heapBytes(after);
        hash += change.block < 0 ? Row.hash(appender.lastMetaCrc(), after.version()) : after.hash();
        count++;
      }
    }
    appendFrame(appender, commit.sequence(), commit.time(), count, hash, nextContentId);
    return new Snapshot(
        before.segments(),
        before.contents(),
        commit.sequence(),
        new Location(active.number(), appender.tail()),
        index.done(),
        count,
        hash,
        properties,
        dictionaries);
  }

  private static byte[] keyOf(Encoded change) {
    byte[] key = change.key;
    return key == null ? NOTHING : key;
  }

  /** Appends the blocks; answers where the content of each starts. */
  private long[] appendBlocks(Appender appender) {
    long[] contents = new long[blocks.size()];
    for (int i = 0; i < contents.length; i++) {
      EntryBlock.Packed each = blocks.get(i);
      long offset = appender.append(commit.sequence(), each);
      contents[i] = offset + RecordHeader.LENGTH + each.meta().length;
    }
    return contents;
  }

  /** Appends a change as a record of its own; answers its row, or null for a deletion. */
  private @Nullable Row append(Segment active, Encoded change) {
    Appender appender = active.appender();
    long sequence = commit.sequence();
    if (change.key != null) {
      appender.append(RecordKind.DELETE, sequence, change.meta);
      return null;
    }
    PackedChunk chunk = change.chunk();
    long offset =
        chunk == null
            ? appender.append(RecordKind.PUT, sequence, change.meta)
            : appender.append(
                RecordKind.PUT,
                sequence,
                change.meta,
                chunk.bytes(),
                chunk.offset(),
                chunk.length());
    return row(active, change, offset + RecordHeader.LENGTH + change.meta.length);
  }

  /** The row of a change that was appended; null for a deletion. */
  private @Nullable Row row(Segment active, Encoded change, long contentOffset) {
    if (change.key != null) {
      return null;
    }
    long sequence = commit.sequence();
    PackedChunk chunk = change.chunk();
    active.noteVersion(sequence);
    if (chunk != null || change.content instanceof Content.None) {
      Row row = new Row(change.meta, sequence, active.number(), chunk == null ? -1 : contentOffset);
      ownRecordBytes += row.recordLength();
      ownContentBytes += chunk == null ? 0 : chunk.length();
      return row;
    }
    Row row = referring(change.meta, active.number(), contentOffset);
    referring.add(row);
    return row;
  }

  /** A row that names content elsewhere, which must be one that can be. */
  private Row referring(byte[] meta, int segment, long end) {
    try {
      return EntryLayout.row(meta, commit.sequence(), segment, end, 0);
    } catch (StoreCorruptException e) {
      throw new IllegalArgumentException("entry cannot be kept: " + e.getMessage(), e);
    }
  }

  private SortedMap<String, String> appendProperties(Appender appender) {
    if (commit.properties().isEmpty()) {
      return before.properties();
    }
    SortedMap<String, String> properties = new TreeMap<>(before.properties());
    commit
        .properties()
        .forEach(
            (name, value) -> {
              appender.append(
                  RecordKind.PROPERTY, commit.sequence(), new PropertyLayout(name, value).encode());
              if (value.isEmpty()) {
                properties.remove(name);
              } else {
                properties.put(name, value);
              }
            });
    return Collections.unmodifiableSortedMap(properties);
  }

  private Map<Long, DictionaryInfo> appendDictionaries(Segment active) {
    if (commit.dictionaries().isEmpty()) {
      return before.dictionaries();
    }
    Map<Long, DictionaryInfo> dictionaries = new HashMap<>(before.dictionaries());
    for (Dictionary dictionary : commit.dictionaries()) {
      if (!dictionaries.containsKey(dictionary.id())) {
        dictionaries.put(
            dictionary.id(), appendDictionary(active, dictionary.id(), dictionary.bytes()));
      }
    }
    return Map.copyOf(dictionaries);
  }

  static DictionaryInfo appendDictionary(Segment active, long id, byte[] bytes) {
    int crc = PackedChunk.checksum(bytes, 0, bytes.length);
    long offset =
        active
            .appender()
            .append(
                RecordKind.DICTIONARY, id, DictionaryLayout.encode(crc), bytes, 0, bytes.length);
    return new DictionaryInfo(
        active.number(), offset + RecordHeader.LENGTH + DictionaryLayout.LENGTH, bytes.length, crc);
  }

  /** Appends the frame that makes the batch count; answers its offset. */
  static long appendFrame(
      Appender appender,
      long sequence,
      Instant time,
      long entryCount,
      long listingHash,
      long nextContentId) {
    return appendFrame(
        appender, RecordKind.COMMIT, sequence, time, entryCount, listingHash, nextContentId);
  }

  /** Appends a frame of a kind; answers its offset. */
  static long appendFrame(
      Appender appender,
      int kind,
      long sequence,
      Instant time,
      long entryCount,
      long listingHash,
      long nextContentId) {
    CommitLayout frame =
        new CommitLayout(
            time,
            appender.batchCrc(),
            appender.batchCount(),
            appender.batchStart(),
            appender.forced(),
            entryCount,
            listingHash,
            nextContentId);
    return appender.append(kind, sequence, frame.encode());
  }

  /** About how many bytes of heap the rows take. */
  long heapBytes() {
    return addedHeap + (long) removed.size() * ROW_HEAP;
  }

  /** About how many bytes of heap rows take. */
  static long heapBytes(List<Row> rows) {
    long bytes = 0;
    for (Row row : rows) {
      bytes += heapBytes(row);
    }
    return bytes;
  }

  private static long heapBytes(Row row) {
    return (long) row.meta().length + ROW_HEAP;
  }

  /** Counts references anew; called with the lock held, once the commit is safe. */
  void count(References references) throws StoreException {
    references.added(segment, ownRecordBytes, ownContentBytes);
    for (Row row : referring) {
      references.added(row);
    }
    for (Row row : removed) {
      references.removed(row);
    }
  }
}
