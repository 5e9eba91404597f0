package dev.coffer.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.EntryReader;
import dev.coffer.vfs.spi.ScanRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An entry and its content by value: what a reader must give back for what was committed.
 *
 * @param entry the entry without its content
 */
record Stored(Entry entry, long packedLength, int codecId, Body body) {

  static Stored of(Entry entry, Body body) {
    Content content = entry.content();
    return new Stored(
        entry.withContent(Content.NONE), content.packedLength(), content.codecId(), body);
  }

  /** What a reader has under the entry it returned. */
  static Stored read(EntryReader reader, Entry entry) throws StoreException {
    return of(entry, Body.read(reader, entry));
  }

  Stored with(Entry changed) {
    return new Stored(changed.withContent(Content.NONE), packedLength, codecId, body);
  }

  /** Everything a reader has. */
  static SortedMap<EntryKey, Stored> readAll(EntryReader reader) throws StoreException {
    SortedMap<EntryKey, Stored> found = new TreeMap<>();
    for (Entry entry : scan(reader, ScanRange.ALL, 100)) {
      if (found.put(entry.key(), read(reader, entry)) != null) {
        fail("scanned twice: key=" + entry.key());
      }
    }
    return found;
  }

  /** A whole range, page by page. */
  static List<Entry> scan(EntryReader reader, ScanRange range, int limit) throws StoreException {
    List<Entry> all = new ArrayList<>();
    EntryKey after = null;
    while (true) {
      List<Entry> page = reader.scan(range, after, limit);
      all.addAll(page);
      if (page.size() < limit) {
        return all;
      }
      assertEquals(limit, page.size(), "entries in a page");
      after = page.get(page.size() - 1).key();
    }
  }

  static void assertSame(
      Map<EntryKey, Stored> expected, Map<EntryKey, Stored> actual, String where) {
    if (expected.equals(actual)) {
      return;
    }
    for (EntryKey key : expected.keySet()) {
      @Nullable Stored found = actual.get(key);
      assertEquals(expected.get(key), found, () -> where + ": key=" + OddNames.escape(key.path()));
    }
    for (EntryKey key : actual.keySet()) {
      if (!expected.containsKey(key)) {
        fail(where + ": nobody put this there: key=" + OddNames.escape(key.path()));
      }
    }
    fail(where + ": maps differ, entries do not");
  }
}
