package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;

/** A walk over rows in the order of their keys, deletions among them; for one thread. */
interface RowCursor {

  /** Goes on to the next row; false behind the last. */
  boolean next() throws StoreException;

  /** The row it is at. */
  Row row();
}
