package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;

/** Where the bytes of a part are read from: a mapping, or positional reads. Thread-safe. */
interface PartSource {

  /** How many bytes the part has. */
  long length();

  /**
   * Copies a range in bulk.
   *
   * @throws dev.coffer.vfs.StoreCorruptException if the range does not lie within the part
   */
  void read(long offset, byte[] target, int targetOffset, int length) throws StoreException;
}
