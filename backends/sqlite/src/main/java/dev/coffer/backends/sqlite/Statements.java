package dev.coffer.backends.sqlite;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;

/** A connection and the statements prepared on it so far. Not thread-safe; owns the connection. */
final class Statements implements AutoCloseable {
  private final Connection connection;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();

  Statements(Connection connection) {
    this.connection = connection;
  }

  /** The statement of this text, prepared once. Its last result must be closed by now. */
  PreparedStatement get(String sql) throws SQLException {
    PreparedStatement statement = prepared.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
      prepared.put(sql, statement);
    }
    return statement;
  }

  /** Runs a statement to its end and drops what it answers. */
  void run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  /** The numbers in the first row a pragma answers. */
  long[] numbers(String sql, int count) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      long[] numbers = new long[count];
      if (row.next()) {
        for (int i = 0; i < count; i++) {
          numbers[i] = row.getLong(i + 1);
        }
      }
      return numbers;
    }
  }

  void begin() throws SQLException {
    connection.setAutoCommit(false);
  }

  void commit() throws SQLException {
    connection.setAutoCommit(true);
  }

  /** Undoes the transaction begun, whether or not a commit was tried. */
  void rollback() throws SQLException {
    if (connection.getAutoCommit()) {
      run(SqliteSql.ROLLBACK);
    } else {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
