package dev.coffer.vfs.spi;

import dev.coffer.vfs.StoreException;

/**
 * A snapshot: sees exactly the commits up to its {@link #sequence()}, and keeps their content
 * readable, until closed. The holder closes it; thread-safe.
 */
public interface View extends EntryReader, AutoCloseable {
  @Override
  void close() throws StoreException;
}
