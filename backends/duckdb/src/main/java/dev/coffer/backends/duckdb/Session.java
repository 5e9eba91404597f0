package dev.coffer.backends.duckdb;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/** One connection with its prepared statements. Used by one thread at a time. */
final class Session implements AutoCloseable {
  private final DuckDBConnection connection;
  private final Map<String, PreparedStatement> statements = new HashMap<>();

  Session(DuckDBConnection connection) {
    this.connection = connection;
  }

  /** The statement of a text of {@link DuckSql}, prepared at its first use. */
  PreparedStatement prepare(String sql) throws SQLException {
    PreparedStatement statement = statements.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
      statements.put(sql, statement);
    }
    return statement;
  }

  void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Begins a new transaction after an error, which makes DuckDB answer nothing more in the old. */
  void restart() throws SQLException {
    execute(DuckSql.ROLLBACK);
    execute(DuckSql.BEGIN);
  }

  /** Executes a statement without parameters and answers how many rows it changed. */
  long update(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.executeUpdate(sql);
    }
  }

  /** Appends rows to a table of the store, within the transaction under way. */
  DuckDBAppender append(String table) throws SQLException {
    return connection.createAppender(DuckSql.STORE, DuckSql.SCHEMA, table);
  }

  /** Appends rows to a temporary table. */
  DuckDBAppender appendTemporary(String table) throws SQLException {
    return connection.createAppender("temp", DuckSql.SCHEMA, table);
  }

  Session duplicate() throws SQLException {
    return new Session(connection.duplicate());
  }

  @Override
  public void close() throws SQLException {
    for (PreparedStatement statement : statements.values()) {
      statement.close();
    }
    statements.clear();
    connection.close();
  }
}
