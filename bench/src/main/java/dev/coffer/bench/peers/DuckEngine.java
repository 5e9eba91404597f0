package dev.coffer.bench.peers;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** DuckDB through its JDBC driver, row by row with prepared statements. It forces every commit. */
final class DuckEngine implements Engine {
  private final Connection connection;
  private final PreparedStatement insert;
  private final PreparedStatement get;
  private final PreparedStatement scan;
  private final PreparedStatement delete;

  DuckEngine(Path directory, EngineOptions options) throws SQLException {
    Properties properties = new Properties();
    if (options.readOnly()) {
      properties.setProperty("duckdb.read_only", "true");
    }
    this.connection =
        DriverManager.getConnection("jdbc:duckdb:" + directory.resolve("peer.duckdb"), properties);
    if (options.create()) {
      run("CREATE TABLE kv (k VARCHAR PRIMARY KEY, v BLOB NOT NULL)");
    }
    connection.setAutoCommit(false);
    this.insert = connection.prepareStatement("INSERT OR REPLACE INTO kv VALUES (?, ?)");
    this.get = connection.prepareStatement("SELECT v FROM kv WHERE k = ?");
    this.scan = connection.prepareStatement("SELECT k, v FROM kv WHERE k >= ? ORDER BY k LIMIT ?");
    this.delete = connection.prepareStatement("DELETE FROM kv WHERE k = ?");
  }

  private void run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public synchronized void write(String[] keys, byte[][] values) throws SQLException {
    for (int i = 0; i < keys.length; i++) {
      insert.setString(1, keys[i]);
      insert.setBytes(2, values[i]);
      insert.executeUpdate();
    }
    connection.commit();
  }

  @Override
  public synchronized byte @Nullable [] get(String key) throws SQLException {
    get.setString(1, key);
    try (ResultSet rows = get.executeQuery()) {
      return rows.next() ? rows.getBytes(1) : null;
    }
  }

  @Override
  public synchronized int scan(
      @Nullable String from, int limit, BiConsumer<String, byte[]> consumer) throws SQLException {
    scan.setString(1, from == null ? "" : from);
    scan.setInt(2, limit);
    int count = 0;
    try (ResultSet rows = scan.executeQuery()) {
      while (rows.next()) {
        consumer.accept(rows.getString(1), rows.getBytes(2));
        count++;
      }
    }
    return count;
  }

  @Override
  public synchronized void delete(String[] keys) throws SQLException {
    for (String key : keys) {
      delete.setString(1, key);
      delete.executeUpdate();
    }
    connection.commit();
  }

  @Override
  public synchronized long count() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT count(*) FROM kv")) {
      rows.next();
      return rows.getLong(1);
    }
  }

  @Override
  public synchronized void compact() throws SQLException {
    connection.commit();
    run("CHECKPOINT");
    connection.commit();
  }

  @Override
  public synchronized void close() throws SQLException {
    connection.commit();
    insert.close();
    get.close();
    scan.close();
    delete.close();
    connection.close();
  }
}
