package dev.coffer.backends.sqlite;

import dev.coffer.codecs.Dictionary;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.ChunkBuffer;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.EntryReader;
import dev.coffer.vfs.spi.ScanRange;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Reads from whatever session the subclass has for it. */
abstract class SessionReader implements EntryReader {
  /** A query on a session. */
  interface ReadCall<T> {
    T apply(ReadSession session) throws SQLException, StoreException;
  }

  /** Asks a session, if what is read from is open. */
  abstract <T> T read(ReadCall<T> call) throws StoreException;

  @Override
  public final @Nullable Entry lookup(EntryKey key) throws StoreException {
    return read(session -> Optional.ofNullable(session.lookup(key))).orElse(null);
  }

  @Override
  public final List<Entry> scan(ScanRange range, @Nullable EntryKey after, int limit)
      throws StoreException {
    return read(session -> session.scan(range, after, limit));
  }

  @Override
  public final boolean readChunk(long contentId, ChunkBuffer target) throws StoreException {
    return read(session -> session.readChunk(contentId, target));
  }

  @Override
  public final boolean readLocated(Content.Located content, ChunkBuffer target) {
    throw new IllegalArgumentException("content is of another backend: content=" + content);
  }

  @Override
  public final @Nullable Dictionary dictionary(long id) throws StoreException {
    return read(session -> Optional.ofNullable(session.dictionary(id))).orElse(null);
  }

  @Override
  public final SortedMap<String, String> properties() throws StoreException {
    return read(ReadSession::properties);
  }
}
