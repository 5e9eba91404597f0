package dev.coffer.vfs.internal;

import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.EntryReader;
import dev.coffer.vfs.spi.ScanRange;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a range, page by page. An entry that is damaged is thrown when its turn comes; the
 * next call goes on behind it, as long as the backend can say which it was. For one thread.
 */
final class EntryWalk {
  private static final int PAGE = 1000;

  private final EntryReader reader;
  private final ScanRange range;
  private final Deque<Entry> page = new ArrayDeque<>();
  private @Nullable EntryKey after;
  private int limit = PAGE;
  private boolean ended;
  private @Nullable StoreException pending;

  EntryWalk(EntryReader reader, ScanRange range) {
    this.reader = reader;
    this.range = range;
  }

  /** Whether {@link #next} has an entry to answer or damage to throw. */
  boolean hasNext() {
    if (page.isEmpty() && pending == null && !ended) {
      try {
        fill();
      } catch (StoreException e) {
        pending = e;
      }
    }
    return !page.isEmpty() || pending != null;
  }

  Entry next() throws StoreException {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    if (pending != null) {
      StoreException damage = pending;
      pending = null;
      throw damage;
    }
    return page.remove();
  }

  private void fill() throws StoreException {
    while (true) {
      try {
        page.addAll(reader.scan(range, after, limit));
        ended = page.size() < limit;
        if (!page.isEmpty()) {
          after = page.getLast().key();
        }
        return;
      } catch (StoreCorruptException e) {
        if (limit > 1) {
          limit = 1; // Entry by entry, the good ones before the damage come first.
        } else {
          skip(e);
          throw e;
        }
      } catch (StoreException | RuntimeException e) {
        ended = true;
        throw e;
      }
    }
  }

  /** Goes on behind a damaged entry, if it says where it is and that leads onwards. */
  private void skip(StoreCorruptException damage) {
    String path = damage.path();
    EntryKey key = path == null || !path.startsWith("/") ? null : EntryKey.of(path);
    if (key == null || (after != null && key.compareTo(after) <= 0)) {
      ended = true;
    } else {
      after = key;
      limit = PAGE;
    }
  }
}
