package dev.coffer.backends.duckdb;

import dev.coffer.codecs.Dictionary;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.ChunkBuffer;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.ScanRange;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What is read in one query each, for the store and for views alike. */
final class Queries {
  static final int DICTIONARY_LIMIT = 16 << 20;
  private static final byte[] NOTHING = {};

  private Queries() {}

  static @Nullable Entry lookup(Session session, EntryKey key) throws SQLException, StoreException {
    byte[] parent = key.parentBytes();
    byte[] name = key.name().getBytes(StandardCharsets.UTF_8);
    PreparedStatement select = session.prepare(DuckSql.LOOKUP);
    select.setLong(1, EntryRow.keyHash(parent, name));
    Entry found = null;
    try (ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        EntryRow row = EntryRow.read(rows);
        if (row.isAt(parent, name)) {
          if (found != null) {
            throw new StoreCorruptException(
                "two entries have one path: path=" + key.path(), key.path(), -1, null);
          }
          found = row.toEntry();
        }
      }
    }
    return found;
  }

  /** A filter of all keys there are. */
  static KeyFilter keys(Session session, long expected) throws SQLException {
    KeyFilter filter = new KeyFilter(expected);
    try (ResultSet rows = session.prepare(DuckSql.LIST_KEYS).executeQuery()) {
      while (rows.next()) {
        filter.add(rows.getLong(1));
      }
    }
    return filter;
  }

  static List<Entry> scan(Session session, ScanRange range, @Nullable EntryKey after, int limit)
      throws SQLException, StoreException {
    List<Entry> entries = new ArrayList<>();
    try (ResultSet rows = select(session, range, after, limit).executeQuery()) {
      while (rows.next()) {
        entries.add(EntryRow.read(rows).toEntry());
      }
    }
    return entries;
  }

  private static PreparedStatement select(
      Session session, ScanRange range, @Nullable EntryKey after, int limit) throws SQLException {
    byte[] directory = EntryKey.parentBytes(range.directory());
    // The root's own row has an empty parent and name, and is a member of ALL only.
    EntryKey first = new EntryKey(range.directory(), "");
    EntryKey from = after == null || after.compareTo(first) < 0 ? first : after;
    if (range.scope() == ScanRange.Scope.CHILDREN) {
      PreparedStatement select = session.prepare(DuckSql.SCAN_CHILDREN);
      select.setBytes(1, directory);
      boolean inside = from.parent().equals(range.directory());
      select.setBytes(2, inside ? name(from) : NOTHING);
      select.setInt(3, inside ? limit : 0);
      return select;
    }
    if (range.scope() == ScanRange.Scope.ALL && after == null) {
      PreparedStatement select = session.prepare(DuckSql.SCAN_ALL);
      select.setInt(1, limit);
      return select;
    }
    boolean open = directory.length == 0;
    PreparedStatement select = session.prepare(open ? DuckSql.SCAN_FROM : DuckSql.SCAN_BETWEEN);
    select.setBytes(1, from.parentBytes());
    select.setBytes(2, from.parentBytes());
    select.setBytes(3, name(from));
    int next = 4;
    if (!open) {
      directory[directory.length - 1] = 1; // The least bytes after all that start with it.
      select.setBytes(next++, directory);
    }
    select.setInt(next, limit);
    return select;
  }

  private static byte[] name(EntryKey key) {
    return key.name().getBytes(StandardCharsets.UTF_8);
  }

  static boolean readChunk(Session session, long id, ChunkBuffer target)
      throws SQLException, StoreException {
    ChunkParts parts = new ChunkParts(id);
    PreparedStatement select = session.prepare(DuckSql.READ_CHUNK);
    select.setLong(1, id);
    try (ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        parts.add(rows, 1, 2);
      }
    }
    return parts.finish(target);
  }

  static boolean contentExists(Session session, long id) throws SQLException {
    PreparedStatement select = session.prepare(DuckSql.CONTENT_EXISTS);
    select.setLong(1, id);
    try (ResultSet rows = select.executeQuery()) {
      return rows.next();
    }
  }

  static @Nullable Dictionary dictionary(Session session, long id)
      throws SQLException, StoreException {
    PreparedStatement select = session.prepare(DuckSql.READ_DICTIONARY);
    select.setLong(1, id);
    try (ResultSet rows = select.executeQuery()) {
      return rows.next() ? dictionary(id, Rows.bytes(rows, 1, DICTIONARY_LIMIT)) : null;
    }
  }

  /** A dictionary checked against its hash, which is its id. */
  static Dictionary dictionary(long id, byte[] bytes) throws StoreCorruptException {
    if (bytes.length == 0 || Dictionary.idOf(bytes) != id) {
      throw new StoreCorruptException("dictionary does not match its hash: id=" + id);
    }
    return Dictionary.of(bytes);
  }

  static SortedMap<String, String> properties(Session session) throws SQLException, StoreException {
    SortedMap<String, String> properties = new TreeMap<>();
    try (ResultSet rows = session.prepare(DuckSql.READ_PROPERTIES).executeQuery()) {
      while (rows.next()) {
        properties.put(rows.getString(1), rows.getString(2));
      }
    }
    return properties;
  }
}
