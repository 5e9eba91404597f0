package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;

/** A walk over rows in the order of their keys, deletions among them; for one thread. */
interface RowCursor {

  /** Goes on to the next row; false behind the last. */
  boolean next() throws StoreException;

  /** The row it is at, as it lies there until the next step. */
  RowView view();

  /** The row it is at, to be kept. */
  default Row row() {
    return view().toRow();
  }
}
