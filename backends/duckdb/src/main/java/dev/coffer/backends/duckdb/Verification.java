package dev.coffer.backends.duckdb;

import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.ChunkBuffer;
import dev.coffer.vfs.spi.PackedChunk;
import dev.coffer.vfs.spi.TablePage;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Checks one snapshot of a store from end to end. Used once, by one thread. */
final class Verification {
  /** Rows of entries looked at in one query. */
  private static final long ROW_WINDOW = 4096;

  /** Contents looked at in one query: with 1 MiB each, that is what memory has to hold. */
  private static final int CONTENT_WINDOW = 64;

  private final Session session;
  private final Path file;
  private final Consumer<Problem> problems;

  /** References found, by content id. */
  private final Map<Long, Long> references = new HashMap<>();

  private final Map<Long, String> namedBy = new HashMap<>();

  Verification(Session session, Path file, Consumer<Problem> problems) {
    this.session = session;
    this.file = file;
    this.problems = problems;
  }

  private void tell(StoreException e) {
    if (e instanceof StoreCorruptException damage) {
      problems.accept(
          new Problem(damage.path(), damage.offset(), String.valueOf(damage.getMessage())));
    } else {
      tell(String.valueOf(e.getMessage()));
    }
  }

  private void tell(SQLException e) throws SQLException {
    tell(DuckErrors.translate(e, file, null));
    session.restart();
  }

  private void tell(String message) {
    problems.accept(new Problem(null, -1, message));
  }

  /** Whether no entry was lost or altered, and no property. */
  void entries() throws SQLException, StoreException {
    Meta meta = Meta.read(session);
    long count = 0;
    long sum = 0;
    long highest = highestRow();
    for (long first = 0; first <= highest; first += ROW_WINDOW) {
      PreparedStatement select = session.prepare(DuckSql.SCAN_ROWS);
      select.setLong(1, first);
      select.setLong(2, first + ROW_WINDOW);
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          count++;
          sum += rows.getLong(9);
          entry(rows);
        }
      } catch (SQLException e) {
        tell(e);
      }
    }
    if (count != meta.entries || sum != meta.entrySum) {
      tell("entries are missing or altered: expected=" + meta.entries + " found=" + count);
    }
    properties(meta);
  }

  private void entry(ResultSet rows) throws SQLException {
    try {
      EntryRow row = EntryRow.read(rows);
      if (rows.getLong(10) != row.keyHash()) {
        throw new StoreCorruptException(
            "entry is filed under a wrong hash: path=" + row.toEntry().key().path(),
            row.toEntry().key().path(),
            -1,
            null);
      }
      String path = row.toEntry().key().path();
      if (row.content() != 0) {
        references.merge(row.content(), 1L, Long::sum);
        namedBy.putIfAbsent(row.content(), path);
      }
    } catch (StoreException e) {
      tell(e);
    }
  }

  private long highestRow() throws SQLException {
    return number(DuckSql.HIGHEST_ROW);
  }

  private long number(String sql) throws SQLException {
    try (ResultSet rows = session.prepare(sql).executeQuery()) {
      return rows.next() ? rows.getLong(1) : 0;
    }
  }

  private void properties(Meta meta) throws SQLException, StoreException {
    SortedMap<String, String> properties = Queries.properties(session);
    long sum = 0;
    for (Map.Entry<String, String> property : properties.entrySet()) {
      sum += Meta.propertyHash(property.getKey(), property.getValue());
    }
    if (sum != meta.propertySum) {
      tell("properties are missing or altered: count=" + properties.size());
    }
  }

  /** Everything: entries, references, content, dictionaries. */
  void all() throws SQLException, StoreException {
    entries();
    Map<Long, Long> counted = new TreeMap<>();
    long parts = contents(counted);
    long allParts = number(DuckSql.COUNT_PARTS);
    if (parts != allParts) {
      tell("content's parts are out of place: expected=" + parts + " found=" + allParts);
    }
    for (Map.Entry<Long, Long> content : counted.entrySet()) {
      long expected = references.getOrDefault(content.getKey(), 0L);
      if (expected != content.getValue()) {
        tell(
            "content's references are miscounted: id="
                + content.getKey()
                + " expected="
                + expected
                + " found="
                + content.getValue());
      }
    }
    for (long id : references.keySet()) {
      if (!counted.containsKey(id)) {
        problems.accept(new Problem(namedBy.get(id), -1, "content is missing: id=" + id));
      }
    }
    dictionaries();
  }

  private long contents(Map<Long, Long> counted) throws SQLException {
    long parts = 0;
    long after = Long.MIN_VALUE;
    while (true) {
      Map<Long, Boolean> window = new TreeMap<>();
      PreparedStatement select = session.prepare(DuckSql.LIST_CONTENT);
      select.setLong(1, after);
      select.setInt(2, CONTENT_WINDOW);
      long first = 0;
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          after = rows.getLong(1);
          first = window.isEmpty() ? after : first;
          counted.put(after, rows.getLong(2));
          window.put(after, rows.getBoolean(3));
        }
      }
      if (window.isEmpty()) {
        return parts;
      }
      parts += chunks(first, after, window);
    }
  }

  private long chunks(long first, long last, Map<Long, Boolean> window) throws SQLException {
    Map<Long, ChunkParts> collected = new HashMap<>();
    long parts = 0;
    PreparedStatement select = session.prepare(DuckSql.READ_CHUNKS);
    select.setLong(1, first);
    select.setLong(2, last);
    try (ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        long id = rows.getLong(1);
        if (!window.containsKey(id)) {
          continue;
        }
        parts++;
        try {
          collected.computeIfAbsent(id, ChunkParts::new).add(rows, 2, 3);
        } catch (StoreException e) {
          tell(e);
        }
      }
    } catch (SQLException e) {
      tell(e);
    }
    ChunkBuffer buffer = new ChunkBuffer();
    window.forEach(
        (id, page) -> {
          try {
            chunk(id, page, collected.getOrDefault(id, new ChunkParts(id)), buffer);
          } catch (StoreException e) {
            tell(e);
          }
        });
    return parts;
  }

  private void chunk(long id, boolean page, ChunkParts parts, ChunkBuffer buffer)
      throws StoreCorruptException {
    if (!parts.finish(buffer)) {
      throw new StoreCorruptException(
          "content's bytes are missing: id=" + id, namedBy.get(id), -1, null);
    }
    int computed = PackedChunk.checksum(buffer.bytes(), 0, buffer.length());
    if (computed != buffer.checksum() || page != buffer.page()) {
      throw new StoreCorruptException(
          "content's checksum does not match: id="
              + id
              + " expected="
              + buffer.checksum()
              + " found="
              + computed,
          namedBy.get(id),
          -1,
          null);
    }
    if (page) {
      if (!TablePage.isValidLength(buffer.length())) {
        throw new StoreCorruptException("page has no page's length: id=" + id);
      }
      for (int i = 0; i < TablePage.count(buffer.length()); i++) {
        long child = TablePage.id(buffer.bytes(), i);
        if (child != 0) {
          references.merge(child, 1L, Long::sum);
        }
      }
    }
  }

  private void dictionaries() throws SQLException {
    try (ResultSet rows = session.prepare(DuckSql.LIST_DICTIONARIES).executeQuery()) {
      while (rows.next()) {
        try {
          Queries.dictionary(rows.getLong(1), Rows.bytes(rows, 2, Queries.DICTIONARY_LIMIT));
        } catch (StoreException e) {
          tell(e);
        }
      }
    }
  }
}
