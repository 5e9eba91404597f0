package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;

/**
 * Several walks as one: of the rows of one key, that of the first source. There are few sources, so
 * they are compared one by one.
 */
final class MergeCursor implements RowCursor {
  private static final int NONE = -1;

  private final boolean withDeletions;
  private final RowCursor[] sources;
  private int count;
  private boolean started;

  /** The source whose row is the row here. */
  private int least = NONE;

  /** The first of the others. */
  private int second = NONE;

  /** Whether others are at the same key. */
  private boolean shared;

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
    } while (least != NONE && !withDeletions && view().isDeletion());
    return least != NONE;
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
    choose();
  }

  private void remove(int source) {
    System.arraycopy(sources, source + 1, sources, source, count - source - 1);
    count--;
  }

  /** Goes past the current key everywhere; mostly only one source has it, and the next one too. */
  private void pass() throws StoreException {
    if (shared) {
      passOthers();
    }
    if (!sources[least].next()) {
      remove(least);
      choose();
    } else if (shared || (second != NONE && compare(least, second) >= 0)) {
      choose();
    }
  }

  private void passOthers() throws StoreException {
    for (int i = count - 1; i >= 0; i--) {
      if (i != least && compare(i, least) == 0 && !sources[i].next()) {
        remove(i);
        least -= i < least ? 1 : 0;
      }
    }
  }

  private int compare(int a, int b) {
    return sources[a].view().compareKey(sources[b].view());
  }

  private void choose() {
    least = NONE;
    second = NONE;
    for (int i = 0; i < count; i++) {
      if (least == NONE || compare(i, least) < 0) {
        second = least;
        least = i;
      } else if (second == NONE || compare(i, second) < 0) {
        second = i;
      }
    }
    shared = second != NONE && compare(least, second) == 0;
  }

  private RowCursor current() {
    if (least == NONE) {
      throw new IllegalStateException("cursor is not at a row");
    }
    return sources[least];
  }

  @Override
  public RowView view() {
    return current().view();
  }

  @Override
  public Row row() {
    return current().row();
  }
}
