package dev.coffer.backends.duckdb;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A prepared statement answers for the rows there are, not for those it was planned over: with
 * DuckDB's own settings a plan outlives the statistics it was made from, and the sweep of dead
 * content took living content with it.
 */
class PreparedPlanTest {
  @TempDir private Path folder;

  @Test
  void aPlanHoldsForRowsThatCameLater() throws SQLException {
    Path file = folder.resolve("plan.duckdb");
    try (Session session =
        new Session(DriverManager.getConnection("jdbc:duckdb:").unwrap(DuckDBConnection.class))) {
      for (String setting : DuckSql.settings(List.of(file.toString(), file + ".wal"))) {
        session.execute(setting);
      }
      session.execute(DuckSql.attach(file, DuckSql.STORE, false));
      session.execute(
          "CREATE TABLE store.main.content(id BIGINT NOT NULL, refs BIGINT NOT NULL, page BOOLEAN"
              + " NOT NULL, packed_length INTEGER NOT NULL)");
      append(session, 1, 0);
      append(session, 2, 0);
      assertEquals(List.of(1L, 2L), dead(session));
      assertEquals(List.of(1L, 2L), ids(session));
      assertEquals(0, refs(session, 70_000));

      append(session, 300, 1);
      append(session, 70_000, 2);
      assertEquals(List.of(1L, 2L), dead(session));
      assertEquals(List.of(1L, 2L, 300L, 70_000L), ids(session));
      assertEquals(2, refs(session, 70_000));
    }
  }

  private static void append(Session session, long id, long refs) throws SQLException {
    try (DuckDBAppender rows = session.append(DuckSql.CONTENT)) {
      rows.beginRow().append(id).append(refs).append(false).append(7).endRow();
    }
  }

  private static List<Long> dead(Session session) throws SQLException {
    return longs(session.prepare(DuckSql.LIST_DEAD_CONTENT).executeQuery());
  }

  private static List<Long> ids(Session session) throws SQLException {
    PreparedStatement statement = session.prepare(DuckSql.LIST_CONTENT);
    statement.setLong(1, 0);
    statement.setLong(2, 100);
    return longs(statement.executeQuery());
  }

  private static long refs(Session session, long id) throws SQLException {
    PreparedStatement statement = session.prepare(DuckSql.CONTENT_EXISTS);
    statement.setLong(1, id);
    List<Long> found = longs(statement.executeQuery());
    return found.isEmpty() ? 0 : found.get(0);
  }

  private static List<Long> longs(ResultSet rows) throws SQLException {
    try (rows) {
      List<Long> values = new ArrayList<>();
      while (rows.next()) {
        values.add(rows.getLong(1));
      }
      return values;
    }
  }
}
