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

  private final Snapshot before;
  private final Generation generation;
  private final Commit commit;
  private final List<Encoded> encoded;
  private final List<Row> added = new ArrayList<>();
  private final List<Row> removed = new ArrayList<>();

  /** A change ready to be appended; {@code key} is null for a put. */
  private record Encoded(byte[] meta, byte @Nullable [] key, @Nullable PackedChunk chunk) {}

  /** Encodes everything, which needs no lock. */
  BatchWriter(Snapshot before, Commit commit) throws StoreException {
    this.before = before;
    this.generation = before.generation();
    this.commit = commit;
    this.encoded = new ArrayList<>(commit.changes().size());
    for (Change change : commit.changes()) {
      encoded.add(encode(change));
    }
  }

  private Encoded encode(Change change) throws StoreException {
    Entry after = change.after();
    if (after == null) {
      byte[] key = Keys.encode(change.key());
      return new Encoded(EntryLayout.encodeKey(key), key, null);
    }
    Content content = after.content();
    if (content instanceof LogContent located && located.generation != generation) {
      content = reread(located);
      after = after.withContent(content);
    }
    byte[] meta = EntryLayout.encode(after.withKey(change.key()));
    return new Encoded(meta, null, content instanceof Content.Packed p ? p.chunk() : null);
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

  /** Appends the batch and its frame; called with the generation's lock held. */
  Snapshot append(Appender appender, long nextContentId) throws StoreException {
    Map<Long, DictionaryInfo> dictionaries = appendDictionaries(appender);
    SortedMap<String, String> properties = appendProperties(appender);
    IndexMap.Editor index = before.index().edit();
    long hash = before.listingHash();
    for (Encoded change : encoded) {
      Row after = append(appender, change);
      Row replaced = after == null ? index.remove(keyOf(change)) : index.put(after);
      if (replaced != null) {
        removed.add(replaced);
        hash -= replaced.hash();
      }
      if (after != null) {
        added.add(after);
        hash += after.hash();
      }
    }
    IndexMap done = index.done();
    appendFrame(appender, commit.sequence(), commit.time(), done.size(), hash, nextContentId);
    return new Snapshot(generation, commit.sequence(), done, hash, properties, dictionaries);
  }

  private static byte[] keyOf(Encoded change) {
    byte[] key = change.key;
    return key == null ? NOTHING : key;
  }

  private @Nullable Row append(Appender appender, Encoded change) {
    long sequence = commit.sequence();
    if (change.key != null) {
      appender.append(RecordKind.DELETE, sequence, change.meta);
      return null;
    }
    PackedChunk chunk = change.chunk;
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
    long contentOffset = offset + RecordHeader.LENGTH + change.meta.length;
    try {
      return EntryLayout.row(
          generation, change.meta, sequence, contentOffset, chunk == null ? 0 : chunk.length());
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

  private Map<Long, DictionaryInfo> appendDictionaries(Appender appender) {
    if (commit.dictionaries().isEmpty()) {
      return before.dictionaries();
    }
    Map<Long, DictionaryInfo> dictionaries = new HashMap<>(before.dictionaries());
    for (Dictionary dictionary : commit.dictionaries()) {
      if (!dictionaries.containsKey(dictionary.id())) {
        dictionaries.put(
            dictionary.id(), appendDictionary(appender, dictionary.id(), dictionary.bytes()));
      }
    }
    return Map.copyOf(dictionaries);
  }

  static DictionaryInfo appendDictionary(Appender appender, long id, byte[] bytes) {
    int crc = PackedChunk.checksum(bytes, 0, bytes.length);
    long offset =
        appender.append(
            RecordKind.DICTIONARY, id, DictionaryLayout.encode(crc), bytes, 0, bytes.length);
    return new DictionaryInfo(
        offset + RecordHeader.LENGTH + DictionaryLayout.LENGTH, bytes.length, crc);
  }

  /** Appends the frame that makes the batch count; answers its offset. */
  static long appendFrame(
      Appender appender,
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
    return appender.append(RecordKind.COMMIT, sequence, frame.encode());
  }

  /** Counts references anew; called with the lock held, once the commit is safe. */
  void count(References references) throws StoreException {
    for (Row row : added) {
      references.added(row);
    }
    for (Row row : removed) {
      references.removed(row);
    }
  }
}
