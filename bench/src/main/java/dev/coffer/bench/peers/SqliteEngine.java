package dev.coffer.bench.peers;

import dev.coffer.vfs.Durability;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * SQLite through its JDBC driver: one table of keys and values in WAL mode; one connection writes,
 * each reading thread has its own. Tuned means what {@code PEERS.md} lists.
 */
final class SqliteEngine implements Engine {
  /** SQLite's documentation advises WITHOUT ROWID for rows below a twentieth of a page. */
  private static final int SMALL_VALUE = 200;

  private final String url;
  private final boolean tuned;
  private final EngineOptions options;
  private final Connection writer;
  private final PreparedStatement insert;
  private final PreparedStatement delete;
  private final Collection<Reader> readers = new ConcurrentLinkedQueue<>();
  private final ThreadLocal<Reader> reader = ThreadLocal.withInitial(this::openReader);

  SqliteEngine(Path directory, EngineOptions options, boolean tuned) throws SQLException {
    this.url = "jdbc:sqlite:" + directory.resolve("peer.sqlite");
    this.tuned = tuned;
    this.options = options;
    this.writer = connect();
    if (options.create()) {
      boolean small = tuned && options.valueLength() <= SMALL_VALUE;
      run(
          writer,
          "CREATE TABLE kv (k TEXT PRIMARY KEY NOT NULL, v BLOB NOT NULL)"
              + (small ? " WITHOUT ROWID" : ""));
    }
    writer.setAutoCommit(false);
    this.insert =
        writer.prepareStatement(
            "INSERT INTO kv (k, v) VALUES (?, ?) ON CONFLICT (k) DO UPDATE SET v = excluded.v");
    this.delete = writer.prepareStatement("DELETE FROM kv WHERE k = ?");
  }

  private Connection connect() throws SQLException {
    Connection connection = DriverManager.getConnection(url);
    if (tuned && options.create()) {
      run(connection, "PRAGMA page_size = " + pageSize());
    }
    run(connection, "PRAGMA journal_mode = WAL");
    run(
        connection,
        "PRAGMA synchronous = " + (options.durability() == Durability.SYNC ? "FULL" : "NORMAL"));
    run(connection, "PRAGMA busy_timeout = 10000");
    if (tuned) {
      run(connection, "PRAGMA cache_size = -65536");
      run(connection, "PRAGMA mmap_size = 1073741824");
      run(connection, "PRAGMA wal_autocheckpoint = " + 64 * 1024 * 1024 / pageSize());
      run(connection, "PRAGMA temp_store = MEMORY");
    }
    return connection;
  }

  private int pageSize() {
    return options.valueLength() >= 16 * 1024
        ? 16 * 1024
        : options.valueLength() >= 2 * 1024 ? 8 * 1024 : 4 * 1024;
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** A thread's own connection; reads begin and end their transaction by themselves. */
  private record Reader(
      Connection connection, PreparedStatement get, PreparedStatement scan, PreparedStatement all) {
    void close() throws SQLException {
      get.close();
      scan.close();
      all.close();
      connection.close();
    }
  }

  private Reader openReader() {
    try {
      Connection connection = connect();
      Reader opened =
          new Reader(
              connection,
              connection.prepareStatement("SELECT v FROM kv WHERE k = ?"),
              connection.prepareStatement("SELECT k, v FROM kv WHERE k >= ? ORDER BY k LIMIT ?"),
              connection.prepareStatement("SELECT count(*) FROM kv"));
      readers.add(opened);
      return opened;
    } catch (SQLException e) {
      throw new IllegalStateException("cannot open another connection", e);
    }
  }

  @Override
  public synchronized void write(String[] keys, byte[][] values) throws SQLException {
    for (int i = 0; i < keys.length; i++) {
      insert.setString(1, keys[i]);
      insert.setBytes(2, values[i]);
      insert.executeUpdate();
    }
    writer.commit();
  }

  @Override
  public byte @Nullable [] get(String key) throws SQLException {
    PreparedStatement get = reader.get().get();
    get.setString(1, key);
    try (ResultSet rows = get.executeQuery()) {
      return rows.next() ? rows.getBytes(1) : null;
    }
  }

  @Override
  public int scan(@Nullable String from, int limit, BiConsumer<String, byte[]> consumer)
      throws SQLException {
    PreparedStatement scan = reader.get().scan();
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
    writer.commit();
  }

  @Override
  public long count() throws SQLException {
    try (ResultSet rows = reader.get().all().executeQuery()) {
      rows.next();
      return rows.getLong(1);
    }
  }

  /** On a connection of its own: VACUUM allows no other statement beside it, prepared or not. */
  @Override
  public synchronized void compact() throws SQLException {
    try (Connection connection = connect()) {
      run(connection, "VACUUM");
      run(connection, "PRAGMA wal_checkpoint(TRUNCATE)");
    }
  }

  /** The last connection to close checkpoints the WAL and deletes it. */
  @Override
  public synchronized void close() throws SQLException {
    for (Reader open : readers) {
      open.close();
    }
    insert.close();
    delete.close();
    writer.close();
  }
}
