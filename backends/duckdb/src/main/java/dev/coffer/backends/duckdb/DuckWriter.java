package dev.coffer.backends.duckdb;

import dev.coffer.codecs.Dictionary;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Change;
import dev.coffer.vfs.spi.ChunkBuffer;
import dev.coffer.vfs.spi.Commit;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.PackedChunk;
import dev.coffer.vfs.spi.PinRegistry;
import dev.coffer.vfs.spi.TablePage;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.duckdb.DuckDBAppender;
import org.jspecify.annotations.Nullable;

/**
 * The statements of one transaction that writes; it neither begins nor ends it. Counts on a copy of
 * the store's own row, which takes effect once the transaction was committed. Not thread-safe.
 */
final class DuckWriter {
  /** Up to so many rows are changed one by one; more by joining a temporary table. */
  private static final int ONE_BY_ONE = 16;

  private final Session session;
  private final Meta meta;
  private final Map<Long, Long> deltas = new TreeMap<>();

  DuckWriter(Session session, Meta meta) {
    this.session = session;
    this.meta = meta;
  }

  Meta meta() {
    return meta;
  }

  /** Content that this transaction took references from. */
  Set<Long> decremented() {
    Set<Long> ids = new HashSet<>();
    deltas.forEach(
        (id, delta) -> {
          if (delta < 0) {
            ids.add(id);
          }
        });
    return ids;
  }

  void apply(Commit commit) throws SQLException, StoreException {
    deleteEntries(commit.changes());
    appendEntries(commit.changes());
    requireAll(addReferences());
    setProperties(commit.properties());
    addDictionaries(commit.dictionaries());
    meta.sequence = commit.sequence();
    meta.write(session);
  }

  private void deleteEntries(List<Change> changes) throws SQLException, StoreException {
    List<EntryRow> gone = new ArrayList<>();
    for (Change change : changes) {
      Entry before = change.before();
      if (before != null) {
        EntryRow row = EntryRow.of(before);
        gone.add(row);
        meta.entries--;
        meta.entrySum -= row.hash();
        meta.storedBytes -= row.storedBytes();
        refer(row.content(), -1);
      }
    }
    long deleted = gone.size() <= ONE_BY_ONE ? deleteEach(gone) : deleteAll(gone);
    if (deleted != gone.size()) {
      throw new StoreCorruptException(
          "an entry that was read is missing: expected=" + gone.size() + " deleted=" + deleted);
    }
  }

  private long deleteEach(List<EntryRow> rows) throws SQLException {
    PreparedStatement delete = session.prepare(DuckSql.DELETE_ENTRY);
    long deleted = 0;
    for (EntryRow row : rows) {
      delete.setLong(1, row.keyHash());
      delete.setBytes(2, row.parent());
      delete.setBytes(3, row.name());
      delete.setLong(4, row.version());
      deleted += delete.executeUpdate();
    }
    return deleted;
  }

  private long deleteAll(List<EntryRow> rows) throws SQLException {
    try (DuckDBAppender gone = session.appendTemporary(DuckSql.GONE)) {
      for (EntryRow row : rows) {
        gone.beginRow()
            .append(row.keyHash())
            .append(row.parent())
            .append(row.name())
            .append(row.version())
            .endRow();
      }
    }
    long deleted = session.update(DuckSql.DELETE_GONE_ENTRIES);
    session.update(DuckSql.CLEAR_GONE);
    return deleted;
  }

  private void appendEntries(List<Change> changes) throws SQLException, StoreException {
    try (DuckDBAppender entries = session.append(DuckSql.ENTRY);
        ContentAppender contents = new ContentAppender()) {
      for (Change change : changes) {
        Entry after = change.after();
        if (after == null) {
          continue;
        }
        Entry placed = after;
        if (after.content() instanceof Content.Packed packed
            && packed.chunk().length() > EntryRow.INLINE_LIMIT) {
          placed = after.withContent(place(packed.chunk(), contents));
        } else {
          refer(EntryRow.idOf(after.content()), 1);
        }
        EntryRow row = EntryRow.of(placed);
        row.requireReadable();
        row.append(entries);
        meta.entries++;
        meta.entrySum += row.hash();
        meta.storedBytes += row.storedBytes();
      }
    }
  }

  private Content place(PackedChunk chunk, ContentAppender contents) throws SQLException {
    long id = contents.append(chunk, 1);
    return new Content.Chunk(
        id,
        0,
        chunk.plainLength(),
        chunk.codecId(),
        chunk.dictionaryId(),
        chunk.length(),
        chunk.checksum());
  }

  private void refer(long id, long change) {
    if (id != 0) {
      deltas.merge(id, change, Long::sum);
    }
  }

  /** Keeps chunks and pages without references, and counts those of pages to their children. */
  long[] stage(List<PackedChunk> chunks) throws SQLException, StoreException {
    long[] ids = new long[chunks.size()];
    try (ContentAppender contents = new ContentAppender()) {
      for (int i = 0; i < ids.length; i++) {
        PackedChunk chunk = chunks.get(i);
        ids[i] = contents.append(chunk, 0);
        if (chunk.page()) {
          children(EntryRow.exact(chunk), chunk.length(), 1);
        }
      }
    }
    requireAll(addReferences());
    meta.write(session);
    return ids;
  }

  private void children(byte[] page, int length, long change) {
    for (int i = 0; i < TablePage.count(length); i++) {
      refer(TablePage.id(page, i), change);
    }
  }

  /** Applies what changed, and answers how many counts there were to change and were not. */
  private long addReferences() throws SQLException {
    Map<Long, Long> real = new TreeMap<>(deltas);
    real.values().removeIf(change -> change == 0);
    if (real.size() > ONE_BY_ONE) {
      fillDelta(real);
      long updated = session.update(DuckSql.ADD_DELTAS);
      session.update(DuckSql.CLEAR_DELTA);
      return real.size() - updated;
    }
    long missing = real.size();
    PreparedStatement update = session.prepare(DuckSql.ADD_REFS);
    for (Map.Entry<Long, Long> change : real.entrySet()) {
      update.setLong(1, change.getValue());
      update.setLong(2, change.getKey());
      missing -= update.executeUpdate();
    }
    return missing;
  }

  private static void requireAll(long missing) throws StoreCorruptException {
    if (missing != 0) {
      throw new StoreCorruptException("content that is named is missing: count=" + missing);
    }
  }

  private void fillDelta(Map<Long, Long> changes) throws SQLException {
    try (DuckDBAppender rows = session.appendTemporary(DuckSql.DELTA)) {
      for (Map.Entry<Long, Long> change : changes.entrySet()) {
        rows.beginRow().append(change.getKey()).append(change.getValue()).endRow();
      }
    }
  }

  private void setProperties(Map<String, String> changes) throws SQLException, StoreException {
    if (changes.isEmpty()) {
      return;
    }
    Map<String, String> before = Queries.properties(session);
    for (Map.Entry<String, String> change : changes.entrySet()) {
      String old = before.get(change.getKey());
      if (old != null) {
        PreparedStatement delete = session.prepare(DuckSql.DELETE_PROPERTY);
        delete.setString(1, change.getKey());
        delete.executeUpdate();
        meta.propertySum -= Meta.propertyHash(change.getKey(), old);
      }
      if (!change.getValue().isEmpty()) {
        PreparedStatement insert = session.prepare(DuckSql.INSERT_PROPERTY);
        insert.setString(1, change.getKey());
        insert.setString(2, change.getValue());
        insert.executeUpdate();
        meta.propertySum += Meta.propertyHash(change.getKey(), change.getValue());
      }
    }
  }

  private void addDictionaries(Collection<Dictionary> dictionaries)
      throws SQLException, StoreException {
    for (Dictionary dictionary : dictionaries) {
      if (Queries.dictionary(session, dictionary.id()) == null) {
        try (DuckDBAppender rows = session.append(DuckSql.DICTIONARY)) {
          rows.beginRow().append(dictionary.id()).append(dictionary.bytes()).endRow();
        }
        meta.storedBytes += dictionary.length();
      }
    }
  }

  /**
   * Deletes content without references, and takes back those its pages held.
   *
   * @param among only these, or null for all
   * @param pins what must stay; the caller settles what is doomed here
   * @return the ids deleted
   */
  Set<Long> sweep(@Nullable Set<Long> among, PinRegistry pins) throws SQLException, StoreException {
    Map<Long, Long> dead = new HashMap<>();
    List<Long> pages = new ArrayList<>();
    try {
      try (ResultSet rows = session.prepare(DuckSql.LIST_DEAD_CONTENT).executeQuery()) {
        while (rows.next()) {
          long id = rows.getLong(1);
          if ((among == null || among.contains(id)) && pins.doom(id)) {
            dead.put(id, 0L);
            meta.storedBytes -= rows.getInt(3);
            if (rows.getBoolean(2)) {
              pages.add(id);
            }
          }
        }
      }
      ChunkBuffer buffer = new ChunkBuffer();
      for (long page : pages) {
        if (Queries.readChunk(session, page, buffer) && TablePage.isValidLength(buffer.length())) {
          children(buffer.bytes(), buffer.length(), -1);
        }
      }
      if (!dead.isEmpty()) {
        fillDelta(dead);
        session.update(DuckSql.DELETE_DELTA_CONTENT);
        session.update(DuckSql.DELETE_DELTA_CHUNKS);
        session.update(DuckSql.CLEAR_DELTA);
        addReferences(); // A child that is missing already is no reason to keep the rest.
      }
      meta.write(session);
    } catch (SQLException | StoreException | RuntimeException e) {
      pins.settle(dead.keySet());
      throw e;
    }
    return dead.keySet();
  }

  /** Appends to the two tables that hold content. */
  private final class ContentAppender implements AutoCloseable {
    private @Nullable DuckDBAppender contents;
    private @Nullable DuckDBAppender chunks;

    long append(PackedChunk chunk, long refs) throws SQLException {
      DuckDBAppender toContents = contents;
      DuckDBAppender toChunks = chunks;
      if (toContents == null || toChunks == null) {
        toContents = session.append(DuckSql.CONTENT);
        contents = toContents;
        toChunks = session.append(DuckSql.CHUNK);
        chunks = toChunks;
      }
      long id = meta.nextContent++;
      toContents
          .beginRow()
          .append(id)
          .append(refs)
          .append(chunk.page())
          .append(chunk.length())
          .endRow();
      ChunkParts.append(toChunks, id, chunk);
      meta.storedBytes += chunk.length();
      return id;
    }

    @Override
    public void close() throws SQLException {
      if (contents != null) {
        contents.close();
      }
      if (chunks != null) {
        chunks.close();
      }
    }
  }
}
