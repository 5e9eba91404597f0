package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Several walks as one: of the rows of one key, that of the first source. There are few sources, so
 * each step compares them all.
 */
final class MergeCursor implements RowCursor {
  private final boolean withDeletions;
  private final RowCursor[] sources;
  private int count;
  private @Nullable Row row;
  private boolean started;

  /**
   * @param withDeletions whether deletions are rows too
   * @param sources the newest first
   */
  MergeCursor(boolean withDeletions, RowCursor... sources) {
    this.withDeletions = withDeletions;
    this.sources = sources.clone();
    this.count = sources.length;
  }

  @Override
  public boolean next() throws StoreException {
    do {
      if (started) {
        pass();
      } else {
        start();
      }
      row = least();
    } while (row != null && !withDeletions && row.isDeletion());
    return row != null;
  }

  private void start() throws StoreException {
    started = true;
    for (int i = 0; i < count; ) {
      if (sources[i].next()) {
        i++;
      } else {
        remove(i);
      }
    }
  }

  private void remove(int source) {
    System.arraycopy(sources, source + 1, sources, source, count - source - 1);
    count--;
  }

  /** Goes past the current key everywhere. */
  private void pass() throws StoreException {
    Row passed = row();
    for (int i = 0; i < count; ) {
      if (sources[i].row().compareKey(passed) == 0 && !sources[i].next()) {
        remove(i);
      } else {
        i++;
      }
    }
  }

  private @Nullable Row least() {
    Row least = null;
    for (int i = 0; i < count; i++) {
      Row candidate = sources[i].row();
      if (least == null || candidate.compareKey(least) < 0) {
        least = candidate;
      }
    }
    return least;
  }

  @Override
  public Row row() {
    if (row == null) {
      throw new IllegalStateException("cursor is not at a row");
    }
    return row;
  }
}
