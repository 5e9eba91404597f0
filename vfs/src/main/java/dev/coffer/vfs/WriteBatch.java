package dev.coffer.vfs;

import java.io.Closeable;
import java.io.IOException;

/**
 * Changes that become visible together. They are checked, in the order they were made, when the
 * batch commits: if one does not hold, none happens. Content is packed when given, and staged in
 * the store invisibly when it is much, so a batch may be larger than memory.
 *
 * <p>Thread-safe: several threads may add to one batch. The caller closes it; closing before commit
 * abandons it.
 */
public interface WriteBatch extends FileOperations, Closeable {

  /**
   * Demands that a path is still the version the caller knows when the batch commits, or {@link
   * VersionMismatchException}.
   *
   * @param version a {@link FileEntry#version()}, or 0 for "nothing is there"
   */
  void requireVersion(String path, long version) throws IOException;

  /**
   * Sets a store property: a short note that belongs to the store rather than to a path.
   *
   * @param name up to 255 bytes of UTF-8
   * @param value the value, up to 64 KiB of UTF-8; empty deletes
   * @throws IllegalArgumentException if either is too long or no valid Unicode
   */
  void setProperty(String name, String value) throws IOException;

  /** How many packed bytes were given to this batch so far. */
  long packedBytes();

  /**
   * Commits with the store's default durability, and ends the batch.
   *
   * @return the sequence of the commit
   */
  long commit() throws IOException;

  /** Commits, and ends the batch. */
  long commit(Durability durability) throws IOException;

  /** Abandons what was not committed. Idempotent. */
  @Override
  void close();
}
