package dev.coffer.vfs.internal;

import dev.coffer.codecs.Dictionary;
import dev.coffer.vfs.spi.ChunkBuffer;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.EntryReader;
import dev.coffer.vfs.spi.PackedChunk;
import dev.coffer.vfs.spi.ScanRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a memory backend keeps, at one moment or over time. Guarded by its holder. */
final class MemoryState implements EntryReader {
  final NavigableMap<EntryKey, Entry> entries;
  final Map<Long, PackedChunk> chunks;
  final Map<Long, Dictionary> dictionaries;
  final SortedMap<String, String> properties;
  long sequence;

  MemoryState() {
    this(new TreeMap<>(), new HashMap<>(), new HashMap<>(), new TreeMap<>(), 0);
  }

  private MemoryState(
      NavigableMap<EntryKey, Entry> entries,
      Map<Long, PackedChunk> chunks,
      Map<Long, Dictionary> dictionaries,
      SortedMap<String, String> properties,
      long sequence) {
    this.entries = entries;
    this.chunks = chunks;
    this.dictionaries = dictionaries;
    this.properties = properties;
    this.sequence = sequence;
  }

  MemoryState copy() {
    return new MemoryState(
        new TreeMap<>(entries),
        new HashMap<>(chunks),
        new HashMap<>(dictionaries),
        new TreeMap<>(properties),
        sequence);
  }

  @Override
  public long sequence() {
    return sequence;
  }

  @Override
  public @Nullable Entry lookup(EntryKey key) {
    return entries.get(key);
  }

  @Override
  public List<Entry> scan(ScanRange range, @Nullable EntryKey after, int limit) {
    List<Entry> page = new ArrayList<>();
    EntryKey first =
        range.scope() == ScanRange.Scope.ALL
            ? EntryKey.ROOT
            : EntryKey.child(range.directory(), "");
    boolean resume = after != null && after.compareTo(first) >= 0;
    EntryKey from = resume && after != null ? after : first;
    for (Entry entry : entries.tailMap(from, !resume).values()) {
      if (page.size() == limit || !range.contains(entry.key())) {
        break;
      }
      page.add(entry);
    }
    return page;
  }

  @Override
  public boolean readChunk(long contentId, ChunkBuffer target) {
    PackedChunk chunk = chunks.get(contentId);
    if (chunk == null) {
      return false;
    }
    byte[] room = target.room(chunk.length());
    System.arraycopy(chunk.bytes(), chunk.offset(), room, 0, chunk.length());
    target.filled(
        chunk.page(),
        chunk.codecId(),
        chunk.dictionaryId(),
        chunk.plainLength(),
        chunk.checksum(),
        chunk.length());
    return true;
  }

  @Override
  public boolean readLocated(Content.Located content, ChunkBuffer target) {
    return false; // This backend hands out no locations.
  }

  @Override
  public @Nullable Dictionary dictionary(long id) {
    return dictionaries.get(id);
  }

  @Override
  public SortedMap<String, String> properties() {
    return new TreeMap<>(properties);
  }
}
