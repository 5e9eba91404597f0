package dev.coffer.backends.sqlite;

import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.PackedChunk;
import dev.coffer.vfs.spi.RowHash;
import dev.coffer.vfs.spi.TablePage;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks a snapshot and tells every problem it finds. References are compared without keeping any:
 * each reference adds a hash of the id it names, each content row takes away as many of its own id
 * as it counts, and what is left over must be nothing. Used once, by one thread.
 */
final class Verifier {
  private static final long NO_LIMIT = -1;

  private final ReadSession session;
  private final Consumer<Problem> problems;
  private long references;
  private boolean anyProblem;

  Verifier(ReadSession session, Consumer<Problem> problems) {
    this.session = session;
    this.problems = problems;
  }

  /** Checks that every entry is there and as it was written. */
  void entries() throws SQLException {
    guarded("entries", () -> entries(session.meta()));
  }

  private void entries(Meta meta) throws SQLException {
    PreparedStatement select = session.statement(SqliteSql.SCAN_ENTRIES);
    select.setBytes(1, new byte[0]);
    select.setString(2, "");
    select.setLong(3, NO_LIMIT);
    long count = 0;
    long sum = 0;
    EntryKey previous = null;
    try (ResultSet rows = select.executeQuery()) {
      // A damaged tree can lead round in circles; an honest one ends where the count says.
      while (rows.next() && count <= meta.entries) {
        count++;
        try {
          Entry entry = EntryRow.readWithKey(rows);
          ReadSession.requireOrder(previous, entry.key());
          previous = entry.key();
          sum += EntryRow.of(entry).hash();
          refer(Transaction.idOf(entry.content()), 1);
          checkPlace(entry);
        } catch (StoreCorruptException e) {
          tell(e);
        }
      }
    }
    if (count != meta.entries || sum != meta.entrySum) {
      tell(
          null,
          "entries are missing or altered: expected="
              + meta.entries
              + " found="
              + count
              + " expectedSum="
              + meta.entrySum
              + " foundSum="
              + sum);
    }
  }

  private void checkPlace(Entry entry) {
    if (entry.content() instanceof Content.Packed packed) {
      PackedChunk chunk = packed.chunk();
      if (PackedChunk.checksum(chunk.bytes(), chunk.offset(), chunk.length()) != chunk.checksum()) {
        tell(entry.key().path(), "content in the entry's row does not match its checksum");
      }
    }
  }

  /** Checks what {@link #entries} does not. To be called after it. */
  void others() throws SQLException {
    guarded("properties", session::properties);
    guarded("dictionaries", this::dictionaries);
    guarded("content", this::content);
    guarded("entries' content", this::entriesWithoutContent);
    guarded("structure", this::structure);
    guarded("length", this::length);
  }

  private void content() throws SQLException, StoreException {
    long nextId = session.meta().nextContentId;
    PreparedStatement select = session.statement(SqliteSql.SCAN_CONTENT);
    select.setLong(1, Long.MIN_VALUE);
    select.setLong(2, NO_LIMIT);
    long previous = 0;
    try (ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        long id = rows.getLong(ContentRow.COLUMNS + 1);
        if (id <= previous || id >= nextId) {
          tell(null, "content has an id out of order: id=" + id + " next=" + nextId);
          if (id <= previous) {
            return;
          }
        }
        previous = id;
        try {
          content(ContentRow.read(rows, id), rows);
        } catch (StoreCorruptException e) {
          tell(e);
        }
      }
    }
    if (references != 0 && !anyProblem) {
      tell(null, "references to content are not as many as counted");
    }
    try (ResultSet row = session.statement(SqliteSql.COUNT_CHUNKS_WITHOUT_CONTENT).executeQuery()) {
      if (row.next() && row.getLong(1) != 0) {
        tell(null, "chunks belong to no content: count=" + row.getLong(1));
      }
    }
  }

  private void content(ContentRow content, ResultSet row) throws SQLException, StoreException {
    row.getLong(ContentRow.COLUMNS + 2);
    boolean missing = row.wasNull();
    long length = row.getLong(ContentRow.COLUMNS + 3);
    if (missing || length != content.packedLength()) {
      tell(
          null,
          "chunk is missing or not of its length: id="
              + content.id()
              + " expected="
              + content.packedLength()
              + " found="
              + (missing ? "none" : length));
      return;
    }
    refer(content.id(), -content.refs());
    if (content.page() || content.refs() == 0) {
      byte[] data = chunk(content.id());
      if (data == null || PackedChunk.checksum(data, 0, data.length) != content.checksum()) {
        tell(null, "chunk does not match its checksum: id=" + content.id());
      } else if (content.page()) {
        children(data);
      }
    }
  }

  private byte @Nullable [] chunk(long id) throws SQLException {
    PreparedStatement select = session.statement(SqliteSql.SELECT_CHUNK);
    select.setLong(1, id);
    try (ResultSet row = select.executeQuery()) {
      return row.next() ? row.getBytes(ContentRow.COLUMNS + 1) : null;
    }
  }

  private void children(byte[] page) {
    for (int i = 0; i < TablePage.count(page.length); i++) {
      refer(TablePage.id(page, i), 1);
    }
  }

  private void refer(long id, long times) {
    if (id != 0) {
      references += times * new RowHash().add(id).value();
    }
  }

  private void entriesWithoutContent() throws SQLException {
    try (ResultSet rows = session.statement(SqliteSql.ENTRIES_WITHOUT_CONTENT).executeQuery()) {
      while (rows.next()) {
        byte[] parent = rows.getBytes(1);
        String name = rows.getString(2);
        if (parent != null && name != null) {
          tell(
              EntryKey.fromBytes(parent, name).path(), "content is missing: id=" + rows.getLong(3));
        }
      }
    }
  }

  private void dictionaries() throws SQLException {
    try (ResultSet rows = session.statement(SqliteSql.SCAN_DICTIONARIES).executeQuery()) {
      while (rows.next()) {
        try {
          ReadSession.checked(rows.getLong(1), rows.getBytes(2));
        } catch (StoreCorruptException e) {
          tell(e);
        }
      }
    }
  }

  /** SQLite's own check of trees, free pages and indexes. */
  private void structure() throws SQLException {
    try (ResultSet rows = session.statement(SqliteSql.INTEGRITY).executeQuery()) {
      while (rows.next()) {
        String message = rows.getString(1);
        if (!"ok".equals(message)) {
          tell(null, "database is damaged: sqlite=" + message);
        }
      }
    }
  }

  /** While a log has something in it, the file is not yet what the pages say. */
  private void length() throws SQLException {
    long found = StoreFiles.lengthWithoutLog(session.file());
    long expected = number(SqliteSql.PAGES) * number(SqliteSql.PAGE_LENGTH);
    if (found >= 0 && found != expected) {
      tell(
          null,
          (found > expected ? "file goes on behind its end" : "file ends before its end")
              + ": fileBytes="
              + found
              + " expected="
              + expected);
    }
  }

  private long number(String pragma) throws SQLException {
    try (ResultSet row = session.statement(pragma).executeQuery()) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  private interface Check {
    void run() throws SQLException, StoreException;
  }

  /** Runs a check to its end or to where damage stops it, which is told as a problem. */
  private void guarded(String what, Check check) throws SQLException {
    try {
      check.run();
    } catch (SQLException e) {
      if (!(SqliteErrors.translate(e, session.file(), null) instanceof StoreCorruptException)) {
        throw e;
      }
      tell(null, "check was stopped by damage: of=" + what + " sqlite=" + e.getMessage());
    } catch (StoreCorruptException e) {
      tell(e);
    } catch (StoreException e) {
      tell(null, e.getMessage());
    }
  }

  private void tell(StoreCorruptException e) {
    tell(e.path(), e.getMessage());
  }

  private void tell(@Nullable String path, @Nullable String message) {
    anyProblem = true;
    problems.accept(new Problem(path, -1, String.valueOf(message)));
  }
}
