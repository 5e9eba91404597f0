package dev.coffer.backends.duckdb;

import dev.coffer.codecs.Dictionary;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.ChunkBuffer;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.EntryReader;
import dev.coffer.vfs.spi.ScanRange;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Reads from whatever session the subclass has for it. */
abstract class QueryReader implements EntryReader {
  /**
   * Asks a session, if what is read from is open.
   *
   * @param path the path of the entry concerned, for messages, or null
   */
  abstract <T> T read(@Nullable String path, DuckConnections.Query<T> query) throws StoreException;

  @Override
  public @Nullable Entry lookup(EntryKey key) throws StoreException {
    return read(key.path(), session -> Optional.ofNullable(Queries.lookup(session, key)))
        .orElse(null);
  }

  @Override
  public final List<Entry> scan(ScanRange range, @Nullable EntryKey after, int limit)
      throws StoreException {
    return read(null, session -> Queries.scan(session, range, after, limit));
  }

  @Override
  public final boolean readChunk(long contentId, ChunkBuffer target) throws StoreException {
    return read(null, session -> Queries.readChunk(session, contentId, target));
  }

  @Override
  public final boolean readLocated(Content.Located content, ChunkBuffer target) {
    throw new IllegalArgumentException("content is of another backend: content=" + content);
  }

  @Override
  public final @Nullable Dictionary dictionary(long id) throws StoreException {
    return read(null, session -> Optional.ofNullable(Queries.dictionary(session, id))).orElse(null);
  }

  @Override
  public final SortedMap<String, String> properties() throws StoreException {
    return read(null, Queries::properties);
  }
}
