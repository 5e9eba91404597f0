package dev.coffer.backends.duckdb;

import dev.coffer.vfs.spi.Change;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Entries of the newest commit that were looked up lately, and a filter of all keys, since DuckDB
 * plans every look-up anew: folders are looked up for each file written to them, and most files
 * written are not there yet. Thread-safe.
 *
 * <p>While a commit is about to become visible the cache forgets what it changes and takes up
 * nothing, so it never mixes two commits.
 */
final class EntryCache {
  private static final long MOST_BYTES = 8 << 20;
  private static final int ENTRY_BYTES = 400;

  private final Map<EntryKey, Entry> recent = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;
  private long commits;
  private boolean committing;
  private @Nullable KeyFilter filter;

  synchronized @Nullable Entry get(EntryKey key) {
    return recent.get(key);
  }

  /** A number to give to {@link #put} with what is read after this call. */
  synchronized long moment() {
    return commits;
  }

  /** Keeps an entry that was read since a moment, unless there were commits since. */
  synchronized void put(Entry entry, long moment) {
    if (committing || commits != moment) {
      return;
    }
    if (recent.put(entry.key(), entry) == null) {
      bytes += weight(entry);
    }
    Iterator<Entry> oldest = recent.values().iterator();
    while (bytes > MOST_BYTES && oldest.hasNext()) {
      bytes -= weight(oldest.next());
      oldest.remove();
    }
  }

  private static long weight(Entry entry) {
    return ENTRY_BYTES + (entry.content() instanceof Content.Packed p ? p.packedLength() : 0);
  }

  /** To be called before changes become visible, and followed by {@link #endCommit}. */
  synchronized void beginCommit(List<Change> changes) {
    committing = true;
    commits++;
    KeyFilter keys = filter;
    for (Change change : changes) {
      Entry forgotten = recent.remove(change.key());
      if (forgotten != null) {
        bytes -= weight(forgotten);
      }
      if (keys != null && change.after() != null) {
        keys.add(EntryRow.keyHash(change.key()));
      }
    }
  }

  synchronized void endCommit() {
    committing = false;
    commits++; // What was read meanwhile may be of before.
  }

  /** Whether a key is certain to be of no entry. */
  synchronized boolean isAbsent(EntryKey key) {
    return filter != null && !filter.mayContain(EntryRow.keyHash(key));
  }

  synchronized boolean hasFilter() {
    return filter != null;
  }

  /** Takes a filter of the newest commit, while no commit is under way. */
  synchronized void use(KeyFilter keys) {
    filter = keys;
  }
}
