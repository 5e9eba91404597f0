package dev.coffer.bench.peers;

import java.io.IOException;
import java.sql.SQLException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An open store of values by key, whoever keeps it. Keys are paths such as {@code /f0001/name},
 * ASCII, of one depth in one store, so that their order is the same everywhere.
 *
 * <p>{@link #write}, {@link #get} and {@link #scan} may be called by several threads at once. What
 * is returned is the caller's own. What an engine cannot do throws {@link
 * UnsupportedOperationException}.
 */
public interface Engine extends AutoCloseable {

  /**
   * Adds or replaces values in one commit, which is as durable as the engine was opened with when
   * this returns.
   */
  void write(String[] keys, byte[][] values) throws Exception;

  /** The value of a key, or null. */
  byte @Nullable [] get(String key) throws Exception;

  /**
   * Visits up to {@code limit} keys with their values in order.
   *
   * @param from where to start, a key that is not there; null for the first key
   * @return how many were visited
   */
  int scan(@Nullable String from, int limit, BiConsumer<String, byte[]> rows) throws Exception;

  /** Deletes keys that are there, in one commit. */
  void delete(String[] keys) throws Exception;

  /** How many keys there are. */
  long count() throws Exception;

  /** Gives back all the room that can be given back. */
  void compact() throws Exception;

  /** Commits made so far, or -1 if the engine does not say. */
  default long commits() throws Exception {
    return -1;
  }

  @Override
  void close() throws IOException, SQLException;
}
