package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a store as of one commit: what came since the newest run, over what is being
 * written as a run, over runs, the newest first. The first that has a row for a key decides.
 * Immutable; read without locks.
 */
record Index(IndexMap delta, IndexMap frozen, List<Run> runs) {

  static final Index EMPTY = new Index(IndexMap.EMPTY, IndexMap.EMPTY, List.of());

  /** An index of runs alone. */
  static Index of(List<Run> runs) {
    return new Index(IndexMap.EMPTY, IndexMap.EMPTY, List.copyOf(runs));
  }

  /** Whether something older may hold rows that deletions must hide. */
  private boolean hasOlder() {
    return !runs.isEmpty() || frozen.size() > 0;
  }

  /** The entry's row at a key, or null. */
  @Nullable Row get(byte[] key) throws StoreException {
    Row row = delta.get(key);
    return row == null ? older(key) : present(row);
  }

  private @Nullable Row older(byte[] key) throws StoreException {
    Row row = frozen.size() == 0 ? null : frozen.get(key);
    if (row == null && !runs.isEmpty()) {
      long hash = EntryPart.hash(key);
      for (int i = 0; row == null && i < runs.size(); i++) {
        row = runs.get(i).get(key, hash);
      }
    }
    return present(row);
  }

  private static @Nullable Row present(@Nullable Row row) {
    return row == null || row.isDeletion() ? null : row;
  }

  /** The entries from the first whose key is not below {@code key}, without deletions. */
  RowCursor from(byte[] key) throws StoreException {
    if (!hasOlder()) {
      return new MapCursor(delta.from(key));
    }
    if (runs.size() == 1 && delta.size() == 0 && frozen.size() == 0) {
      return runs.get(0).from(key); // The oldest run has no deletions.
    }
    RowCursor[] sources = new RowCursor[runs.size() + 2];
    sources[0] = new MapCursor(delta.from(key));
    sources[1] = new MapCursor(frozen.from(key));
    for (int i = 0; i < runs.size(); i++) {
      sources[i + 2] = runs.get(i).from(key);
    }
    return new MergeCursor(false, sources);
  }

  /** What changed since the newest run is set aside, to be written as one. */
  Index frozenNow() {
    if (frozen.size() > 0) {
      throw new IllegalStateException("index is frozen already: rows=" + frozen.size());
    }
    return new Index(IndexMap.EMPTY, delta, runs);
  }

  Index withLayers(IndexMap newFrozen, List<Run> newRuns) {
    return new Index(delta, newFrozen, newRuns);
  }

  Editor edit() {
    return new Editor(this);
  }

  /** Rows of a map, as a cursor. */
  static final class MapCursor implements RowCursor {
    private final Iterator<Row> rows;
    private final RowView view = new RowView();
    private @Nullable Row row;

    MapCursor(Iterator<Row> rows) {
      this.rows = rows;
    }

    @Override
    public boolean next() {
      Row found = rows.hasNext() ? rows.next() : null;
      row = found;
      if (found != null) {
        view.show(found);
      }
      return found != null;
    }

    @Override
    public RowView view() {
      row();
      return view;
    }

    @Override
    public Row row() {
      if (row == null) {
        throw new IllegalStateException("cursor is not at a row");
      }
      return row;
    }
  }

  /** Makes the next index; for one thread, used once. */
  static final class Editor {
    private final Index base;
    private final IndexMap.Editor delta;

    private Editor(Index base) {
      this.base = base;
      this.delta = base.delta.edit();
    }

    /** Puts a row at its key; answers the entry's row that was there, if any. */
    @Nullable Row put(Row row) throws StoreException {
      Row before = delta.put(row);
      if (before != null || !base.hasOlder()) {
        return present(before);
      }
      return base.older(row.key());
    }

    /** Puts a row where there is no entry, as the caller knows. */
    void putNew(Row row) {
      var unused = delta.put(row);
    }

    /** Takes the entry at a key away; answers its row, or null if there was none. */
    @Nullable Row remove(byte[] key, long version) throws StoreException {
      if (!base.hasOlder()) {
        return delta.remove(key);
      }
      Row before = delta.put(Row.deletion(key, version));
      return before != null ? present(before) : base.older(key);
    }

    Index done() {
      return new Index(delta.done(), base.frozen, base.runs);
    }
  }
}
