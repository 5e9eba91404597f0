package dev.coffer.backends.log;

import dev.coffer.codecs.Dictionary;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.ChunkBuffer;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.PackedChunk;
import dev.coffer.vfs.spi.ScanRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What a store holds after one commit. Immutable; read without locks.
 *
 * @param segments the files that rows and dictionaries point into
 * @param contents where the chunks of content ids lie
 * @param sequence that of the commit
 * @param end where the log ended after it
 * @param index the entries
 * @param entryCount how many there are
 * @param listingHash the sum of {@link Row#hash} over them
 * @param properties the store's properties
 * @param dictionaries where the dictionaries are, by id
 */
record Snapshot(
    SegmentSet segments,
    Contents contents,
    long sequence,
    Location end,
    Index index,
    long entryCount,
    long listingHash,
    SortedMap<String, String> properties,
    Map<Long, DictionaryInfo> dictionaries) {

  /** The same, of a log that ends elsewhere. */
  Snapshot withEnd(Location newEnd) {
    return new Snapshot(
        segments,
        contents,
        sequence,
        newEnd,
        index,
        entryCount,
        listingHash,
        properties,
        dictionaries);
  }

  /** The same entries, from other layers. */
  Snapshot withIndex(Index newIndex) {
    return new Snapshot(
        segments,
        contents,
        sequence,
        end,
        newIndex,
        entryCount,
        listingHash,
        properties,
        dictionaries);
  }

  /** The same entries, in files that go on or end elsewhere. */
  Snapshot in(SegmentSet newSegments, Location newEnd) {
    return new Snapshot(
        newSegments,
        contents,
        sequence,
        newEnd,
        index,
        entryCount,
        listingHash,
        properties,
        dictionaries);
  }

  /** The same, whose chunks are found otherwise. */
  Snapshot withContents(Contents newContents) {
    return new Snapshot(
        segments,
        newContents,
        sequence,
        end,
        index,
        entryCount,
        listingHash,
        properties,
        dictionaries);
  }

  @Nullable Entry lookup(EntryKey key) throws StoreException {
    Row row = index.get(Keys.encode(key));
    return row == null ? null : EntryLayout.decode(segments, row, key);
  }

  List<Entry> scan(ScanRange range, @Nullable EntryKey after, int limit) throws StoreException {
    byte[] prefix = Keys.prefix(range);
    byte[] start = prefix;
    byte[] excluded = null;
    if (after != null) {
      excluded = Keys.encode(after);
      start = Arrays.compareUnsigned(excluded, prefix) > 0 ? excluded : prefix;
    }
    List<Entry> entries = new ArrayList<>(Math.min(limit, 64));
    boolean withRoot = range.scope() == ScanRange.Scope.ALL;
    EntryDecoder decoder = new EntryDecoder(segments);
    RowCursor rows = index.from(start);
    while (entries.size() < limit && rows.next()) {
      RowView row = rows.view();
      if (!row.keyStartsWith(prefix)) {
        break;
      }
      if (excluded != null && row.compareKey(excluded) <= 0) {
        continue;
      }
      excluded = null; // What follows is above it.
      if (withRoot || !row.isRoot()) {
        entries.add(EntryLayout.decode(decoder, row));
      }
    }
    return entries;
  }

  boolean readChunk(long contentId, ChunkBuffer target) throws StoreException {
    return contents.read(contentId, segments, target);
  }

  static boolean readLocated(Content.Located content, ChunkBuffer target) throws StoreException {
    if (!(content instanceof LogContent located)) {
      throw new IllegalArgumentException("content is another backend's: content=" + content);
    }
    long offset = located.offset;
    if (!read(located.segment, offset, located.length, target)) {
      return false;
    }
    target.filled(
        false,
        located.codecId,
        located.dictionaryId,
        located.plainLength,
        located.crc,
        located.length);
    target.locatedAt(offset);
    return true;
  }

  /** Reads into the target's room, which is not made before the range is known to be there. */
  static boolean read(@Nullable Segment segment, long offset, int length, ChunkBuffer target)
      throws StoreException {
    if (segment == null) {
      return false;
    }
    if (length > segment.written() - offset && length > segment.end() - offset) {
      throw new StoreCorruptException(
          "content lies outside the file: length=" + length, null, offset, null);
    }
    return segment.read(offset, target.room(length), length);
  }

  @Nullable Dictionary dictionary(long id) throws StoreException {
    DictionaryInfo info = dictionaries.get(id);
    if (info == null) {
      return null;
    }
    byte[] bytes = dictionaryBytes(info);
    if (bytes.length == 0 || Dictionary.idOf(bytes) != id) {
      throw new StoreCorruptException("dictionary is damaged: id=" + id, null, info.offset(), null);
    }
    return Dictionary.of(bytes);
  }

  /** The bytes of a dictionary, checked against their checksum. */
  byte[] dictionaryBytes(DictionaryInfo info) throws StoreException {
    ChunkBuffer buffer = new ChunkBuffer();
    boolean there = read(segments.find(info.segment()), info.offset(), info.length(), buffer);
    byte[] bytes = there ? Arrays.copyOf(buffer.bytes(), info.length()) : new byte[0];
    if (!there || PackedChunk.checksum(bytes, 0, bytes.length) != info.crc()) {
      throw new StoreCorruptException(
          "dictionary is damaged: length=" + info.length(), null, info.offset(), null);
    }
    return bytes;
  }
}
