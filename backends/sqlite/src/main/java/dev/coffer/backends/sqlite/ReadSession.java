package dev.coffer.backends.sqlite;

import dev.coffer.codecs.Dictionary;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.ChunkBuffer;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.ScanRange;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The read queries on one connection. Used by one thread at a time. */
final class ReadSession implements AutoCloseable {
  private static final long NOT_KEPT = -1;

  private final Statements statements;
  private final Path file;

  /** Whether in a read transaction, and since how many writes if kept from query to query. */
  private boolean inSnapshot;

  private long keptSince = NOT_KEPT;

  ReadSession(Statements statements, Path file) {
    this.statements = statements;
    this.file = file;
  }

  static ReadSession open(Path file, boolean immutable) throws StoreException {
    SqliteConnections.Mode mode =
        immutable ? SqliteConnections.Mode.IMMUTABLE : SqliteConnections.Mode.READ;
    return new ReadSession(SqliteConnections.open(file, mode), file);
  }

  /** Makes later queries see one state, that of the first of them, until {@link #endSnapshot}. */
  void beginSnapshot() throws SQLException {
    endSnapshot();
    statements.begin();
    inSnapshot = true;
  }

  /** Makes later queries see the newest state each; does nothing if they do. */
  void endSnapshot() throws SQLException {
    if (inSnapshot) {
      keptSince = NOT_KEPT;
      statements.commit();
      inSnapshot = false;
    }
  }

  /** Makes sure that queries see one state, at least as new as that after so many writes. */
  void keepSnapshot(long writes) throws SQLException {
    if (keptSince != writes) {
      beginSnapshot();
      keptSince = writes;
    }
  }

  /** Whether queries see a state kept since so many writes. */
  boolean keepsSnapshot(long writes) {
    return keptSince == writes;
  }

  PreparedStatement statement(String sql) throws SQLException {
    return statements.get(sql);
  }

  Path file() {
    return file;
  }

  Meta meta() throws SQLException, StoreException {
    return Meta.read(statements.get(SqliteSql.SELECT_META));
  }

  @Nullable Entry lookup(EntryKey key) throws StoreException {
    try {
      PreparedStatement select = statements.get(SqliteSql.SELECT_ENTRY);
      select.setBytes(1, key.parentBytes());
      select.setString(2, key.name());
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? EntryRow.read(row, key) : null;
      }
    } catch (SQLException e) {
      throw SqliteErrors.translate(e, file, key.path());
    }
  }

  List<Entry> scan(ScanRange range, @Nullable EntryKey after, int limit)
      throws SQLException, StoreException {
    List<Entry> entries = new ArrayList<>(Math.min(limit, 1024));
    EntryKey previous = after;
    PreparedStatement select = select(range, after, limit);
    try (ResultSet rows = select.executeQuery()) {
      while (entries.size() < limit && rows.next()) {
        Entry entry = EntryRow.readWithKey(rows);
        requireOrder(previous, entry.key());
        if (!range.contains(entry.key())) {
          break;
        }
        entries.add(entry);
        previous = entry.key();
      }
    }
    return entries;
  }

  /** A table whose rows are not in order is damaged, and could make a scan go round for ever. */
  static void requireOrder(@Nullable EntryKey previous, EntryKey key) throws StoreCorruptException {
    if (previous != null && previous.compareTo(key) >= 0) {
      throw new StoreCorruptException(
          "entries are out of order: path=" + key.path() + " after=" + previous.path(),
          key.path(),
          -1,
          null);
    }
  }

  private PreparedStatement select(ScanRange range, @Nullable EntryKey after, int limit)
      throws SQLException {
    PreparedStatement select = statements.get(SqliteSql.SCAN_ENTRIES);
    byte[] parent =
        switch (range.scope()) {
          case ALL -> new byte[0];
          case CHILDREN, SUBTREE -> EntryKey.parentBytes(range.directory());
        };
    String name = range.scope() == ScanRange.Scope.ALL ? "" : "\0";
    EntryKey first = EntryKey.fromBytes(parent, "\0");
    if (after != null && (range.scope() == ScanRange.Scope.ALL || first.compareTo(after) <= 0)) {
      parent = after.parentBytes();
      name = after.name() + "\0"; // The least name above it, since names hold no zero.
    }
    select.setBytes(1, parent);
    select.setString(2, name);
    select.setLong(3, limit);
    return select;
  }

  boolean readChunk(long id, ChunkBuffer target) throws SQLException, StoreException {
    PreparedStatement select = statements.get(SqliteSql.SELECT_CHUNK);
    select.setLong(1, id);
    try (ResultSet row = select.executeQuery()) {
      if (!row.next()) {
        return false;
      }
      ContentRow content = ContentRow.read(row, id);
      byte[] data = row.getBytes(ContentRow.COLUMNS + 1);
      if (data == null || data.length != content.packedLength()) {
        throw new StoreCorruptException(
            "chunk is not of its length: id=" + id + " expected=" + content.packedLength());
      }
      target.wrap(
          content.page(),
          content.codec(),
          content.dictionary(),
          content.plainLength(),
          content.checksum(),
          data);
      return true;
    }
  }

  boolean contentExists(long id) throws SQLException {
    PreparedStatement select = statements.get(SqliteSql.SELECT_CONTENT);
    select.setLong(1, id);
    try (ResultSet row = select.executeQuery()) {
      return row.next();
    }
  }

  @Nullable Dictionary dictionary(long id) throws SQLException, StoreException {
    PreparedStatement select = statements.get(SqliteSql.SELECT_DICTIONARY);
    select.setLong(1, id);
    try (ResultSet row = select.executeQuery()) {
      return row.next() ? checked(id, row.getBytes(1)) : null;
    }
  }

  static Dictionary checked(long id, byte @Nullable [] data) throws StoreCorruptException {
    if (data == null || data.length == 0 || Dictionary.idOf(data) != id) {
      throw new StoreCorruptException("dictionary does not match its id: dictionary=" + id);
    }
    return Dictionary.of(data);
  }

  SortedMap<String, String> properties() throws SQLException, StoreException {
    SortedMap<String, String> properties = new TreeMap<>();
    long expected = 0;
    long sum = 0;
    boolean any = false;
    try (ResultSet rows = statements.get(SqliteSql.SELECT_PROPERTIES).executeQuery()) {
      while (rows.next()) {
        any = true;
        expected = rows.getLong(1);
        String name = rows.getString(2);
        String value = rows.getString(3);
        if (name != null && value != null) {
          sum += Meta.propertyHash(name, value);
          properties.put(name, value);
        }
      }
    }
    if (!any || sum != expected) {
      throw new StoreCorruptException(
          "properties do not match their hash: expected=" + expected + " found=" + sum);
    }
    return properties;
  }

  @Override
  public void close() throws SQLException {
    statements.close();
  }
}
