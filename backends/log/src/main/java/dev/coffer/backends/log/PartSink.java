package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;

/** Where the bytes of a part are written to, from its first to its last. */
@FunctionalInterface
interface PartSink {

  /** Appends a range; the array is the caller's again on return. */
  void write(byte[] bytes, int offset, int length) throws StoreException;
}
