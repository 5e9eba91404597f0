package dev.coffer.bench.peers;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.coffer.vfs.StoreOptions;
import dev.coffer.vfs.VirtualFileStore;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The driver alone on the schema of Coffer's SQLite backend: the same row of the same table for a
 * small file, with nothing packed, checked or counted. What it makes is no valid store.
 */
final class SqliteSchemaEngine implements Engine {
  /** Up to the inlined content, by type. */
  private static final String INSERT =
      "INSERT OR REPLACE INTO entry (kind, version, length, modified, modified_nanos, mode,"
          + " content_kind, content_id, content_offset, plain_length, packed_length, codec,"
          + " dictionary, checksum, chunk_length, row_hash, inline, parent, name)"
          + " VALUES (0, ?, ?, ?, 0, 420, 1, 0, 0, ?, ?, 0, 0, ?, 0, ?, ?, ?, ?)";

  private final Connection connection;
  private final PreparedStatement insert;
  private final PreparedStatement get;
  private final PreparedStatement delete;
  private long version;

  SqliteSchemaEngine(Path directory, EngineOptions options) throws IOException, SQLException {
    Path file = directory.resolve("schema.sqlite");
    if (options.create()) {
      VirtualFileStore.create(file, StoreOptions.DEFAULT.withBackend("sqlite")).close();
    }
    this.connection = DriverManager.getConnection("jdbc:sqlite:" + file);
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA journal_mode = WAL");
      statement.execute("PRAGMA synchronous = FULL");
    }
    connection.setAutoCommit(false);
    this.insert = connection.prepareStatement(INSERT);
    this.get =
        connection.prepareStatement("SELECT inline FROM entry WHERE parent = ? AND name = ?");
    this.delete = connection.prepareStatement("DELETE FROM entry WHERE parent = ? AND name = ?");
  }

  private static void bind(PreparedStatement statement, int at, String key) throws SQLException {
    int slash = key.lastIndexOf('/');
    statement.setBytes(at, key.substring(0, slash).getBytes(UTF_8));
    statement.setString(at + 1, key.substring(slash + 1));
  }

  @Override
  public synchronized void write(String[] keys, byte[][] values) throws SQLException {
    version++;
    long now = System.currentTimeMillis();
    for (int i = 0; i < keys.length; i++) {
      int length = values[i].length;
      insert.setLong(1, version);
      insert.setInt(2, length);
      insert.setLong(3, now);
      insert.setInt(4, length);
      insert.setInt(5, length);
      insert.setLong(6, now * 31);
      insert.setLong(7, now * 31 * 31);
      insert.setBytes(8, values[i]);
      bind(insert, 9, keys[i]);
      insert.executeUpdate();
    }
    connection.commit();
  }

  @Override
  public synchronized byte @Nullable [] get(String key) throws SQLException {
    bind(get, 1, key);
    try (ResultSet rows = get.executeQuery()) {
      return rows.next() ? rows.getBytes(1) : null;
    }
  }

  @Override
  public int scan(@Nullable String from, int limit, BiConsumer<String, byte[]> rows) {
    throw new UnsupportedOperationException("only writes and gets are compared here");
  }

  @Override
  public synchronized void delete(String[] keys) throws SQLException {
    for (String key : keys) {
      bind(delete, 1, key);
      delete.executeUpdate();
    }
    connection.commit();
  }

  @Override
  public long count() {
    throw new UnsupportedOperationException("only writes and gets are compared here");
  }

  @Override
  public void compact() {
    throw new UnsupportedOperationException("only writes and gets are compared here");
  }

  @Override
  public synchronized void close() throws SQLException {
    insert.close();
    get.close();
    delete.close();
    connection.close();
  }
}
