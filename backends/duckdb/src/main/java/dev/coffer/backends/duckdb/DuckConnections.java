package dev.coffer.backends.duckdb;

import dev.coffer.vfs.NotAStoreException;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDriver;
import org.jspecify.annotations.Nullable;

/**
 * Opens a store's file in a hardened instance of its own, and hands out connections to it. The
 * instance itself is in memory; it is told which files it may touch and locked down before it
 * attaches the file, so that even replaying a hostile log reaches nothing else.
 *
 * <p>Reading is thread-safe; the writer's session belongs to whoever holds the writer's lock.
 */
final class DuckConnections implements AutoCloseable {
  /** Enough for the threads of a machine; more are made as needed and closed after use. */
  private static final int MOST_IDLE = 8;

  /** Three headers of 4,096 bytes come before the blocks. */
  private static final long HEADERS_LENGTH = 3 * 4096;

  /** A question to the database. */
  interface Query<T> {
    T ask(Session session) throws SQLException, StoreException;
  }

  private final StoreFiles files;
  private final boolean readOnly;
  private final Session root;
  private final Deque<Session> idle = new ArrayDeque<>();

  /** Held for reading by every query, for writing while the file is exchanged. */
  private final ReentrantReadWriteLock attached = new ReentrantReadWriteLock();

  private @Nullable Session writer;

  private DuckConnections(StoreFiles files, boolean readOnly, Session root) {
    this.files = files;
    this.readOnly = readOnly;
    this.root = root;
  }

  /**
   * Opens a file, made here if need be, and checks that its tables are a store's before any query
   * of them.
   */
  static DuckConnections open(StoreFiles files, boolean readOnly, boolean create)
      throws StoreException {
    DuckConnections connections = new DuckConnections(files, readOnly, instance(files));
    boolean opened = false;
    try {
      if (create) {
        connections.create();
      }
      boolean closedCleanly = !files.hasLog();
      connections.attach();
      if (closedCleanly) {
        connections.checkLength();
      }
      connections.checkSchema();
      opened = true;
      return connections;
    } catch (SQLException e) {
      throw DuckErrors.translate(e, files.file(), null);
    } finally {
      if (!opened) {
        connections.closeAfterFailure();
      }
    }
  }

  /** Makes a new, empty store's file, whole or not at all. */
  private void create() throws StoreException, SQLException {
    files.deleteSide();
    root.execute(DuckSql.attach(files.side(), DuckSql.FRESH, false));
    root.execute(DuckSql.BEGIN);
    for (String statement : DuckSql.createTables()) {
      root.execute(statement);
    }
    for (String statement : DuckSql.createIndexes()) {
      root.execute(statement);
    }
    Meta.create().insert(root);
    root.execute(DuckSql.COMMIT);
    root.execute(DuckSql.CHECKPOINT_FRESH);
    root.execute(DuckSql.DETACH_FRESH);
    files.promoteSide();
  }

  private static Session instance(StoreFiles files) throws StoreException {
    try {
      DriverManager.registerDriver(new DuckDBDriver());
      Session root =
          new Session(DriverManager.getConnection("jdbc:duckdb:").unwrap(DuckDBConnection.class));
      for (String setting : DuckSql.settings(files.reachable())) {
        root.execute(setting);
      }
      return root;
    } catch (SQLException e) {
      throw DuckErrors.translate(e, files.file(), null);
    }
  }

  private void attach() throws SQLException {
    root.execute(DuckSql.attach(files.file(), DuckSql.STORE, readOnly));
    if (!readOnly) {
      Session session = root.duplicate();
      writer = session;
      for (String statement : DuckSql.TEMPORARY) {
        session.execute(statement);
      }
    }
  }

  /**
   * Refuses a file that ends inside a block: reading it would fail there, but writing might leave
   * the block out and so hide the loss. Says nothing after a crash, whose log restores the rest.
   */
  private void checkLength() throws SQLException, StoreException {
    long found = files.length();
    try (Session session = root.duplicate();
        ResultSet row = session.prepare(DuckSql.SIZE).executeQuery()) {
      if (row.next()) {
        long block = row.getLong(1);
        long expected = HEADERS_LENGTH + block * row.getLong(2);
        if (found < expected && (found - HEADERS_LENGTH) % block != 0) {
          throw new StoreCorruptException(
              "file ends before its end: fileBytes="
                  + found
                  + " expected="
                  + expected
                  + " store="
                  + files.file(),
              null,
              found,
              null);
        }
      }
    }
  }

  private void checkSchema() throws SQLException, StoreException {
    List<String> tables = list(DuckSql.LIST_TABLES);
    List<String> indexes = list(DuckSql.LIST_INDEXES);
    long others = Long.parseLong(list(DuckSql.COUNT_OTHERS).get(0));
    if (others != 0 || !sameText(tables, DuckSql.TABLES) || !sameText(indexes, DuckSql.INDEXES)) {
      throw new NotAStoreException(
          "database is no store: its tables are other ones: store="
              + files.file()
              + " tables="
              + tables.size()
              + " indexes="
              + indexes.size()
              + " others="
              + others);
    }
  }

  private static boolean sameText(List<String> found, List<String> expected) {
    // Which names it puts in quotes depends on the version of DuckDB.
    return found.stream()
        .map(text -> text.replace("\"", ""))
        .sorted()
        .toList()
        .equals(expected.stream().sorted().toList());
  }

  private List<String> list(String sql) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (Session session = root.duplicate();
        ResultSet rows = session.prepare(sql).executeQuery()) {
      while (rows.next()) {
        texts.add(String.valueOf(rows.getString(1)));
      }
    }
    return texts;
  }

  /**
   * Asks the newest commit, on a connection of the pool.
   *
   * @param path the path of the entry concerned, for messages, or null
   */
  <T> T read(@Nullable String path, Query<T> query) throws StoreException {
    attached.readLock().lock();
    try {
      Session session = borrow();
      boolean sound = false;
      try {
        T answer = query.ask(session);
        sound = true;
        return answer;
      } finally {
        giveBack(session, sound);
      }
    } catch (SQLException e) {
      throw DuckErrors.translate(e, files.file(), path);
    } catch (RuntimeException e) {
      // The driver itself stumbles over some damaged values.
      throw new StoreCorruptException(
          "store is damaged: store=" + files.file() + " cause=" + e, path, -1, e);
    } finally {
      attached.readLock().unlock();
    }
  }

  private Session borrow() throws SQLException {
    synchronized (idle) {
      Session session = idle.pollFirst();
      return session != null ? session : root.duplicate();
    }
  }

  private void giveBack(Session session, boolean sound) throws SQLException {
    synchronized (idle) {
      if (sound && idle.size() < MOST_IDLE) {
        idle.addFirst(session);
        return;
      }
    }
    session.close();
  }

  /** A connection for one view. The caller closes it. */
  Session newSession() throws SQLException {
    attached.readLock().lock();
    try {
      synchronized (idle) {
        return root.duplicate();
      }
    } finally {
      attached.readLock().unlock();
    }
  }

  /** The session that writes. */
  Session writer() {
    if (writer == null) {
      throw new IllegalStateException("store is open read-only: store=" + files.file());
    }
    return writer;
  }

  /**
   * Copies all rows into a new file and puts that in the old one's place. There must be no view. If
   * it fails, {@link #isAttached} tells whether the old file is still in use.
   */
  void rewrite() throws StoreException, SQLException {
    attached.writeLock().lock();
    try {
      files.deleteSide();
      copyToSide();
      closeSessions();
      root.execute(DuckSql.DETACH);
      try {
        files.promoteSide();
      } finally {
        attach(); // The old file, if the new one did not get its place.
      }
    } finally {
      attached.writeLock().unlock();
    }
  }

  private void copyToSide() throws SQLException, StoreException {
    boolean copied = false;
    root.execute(DuckSql.attach(files.side(), DuckSql.FRESH, false));
    try {
      for (String statement : DuckSql.createTables()) {
        root.execute(statement);
      }
      for (String statement : DuckSql.COPY) {
        root.execute(statement);
        root.execute(DuckSql.CHECKPOINT_FRESH);
      }
      for (String statement : DuckSql.createIndexes()) {
        root.execute(statement);
      }
      root.execute(DuckSql.CHECKPOINT_FRESH);
      copied = true;
    } finally {
      root.execute(DuckSql.DETACH_FRESH);
      if (!copied) {
        files.deleteSide();
      }
    }
  }

  /** Whether queries can be answered. */
  boolean isAttached() {
    return readOnly || writer != null;
  }

  private void closeSessions() throws SQLException {
    synchronized (idle) {
      for (Session session : idle) {
        session.close();
      }
      idle.clear();
    }
    Session session = writer;
    writer = null;
    if (session != null) {
      session.close();
    }
  }

  /** Lets go of the file, which DuckDB tidies up if nothing failed before. */
  @Override
  public void close() throws StoreException {
    attached.writeLock().lock();
    try {
      closeSessions();
      root.execute(DuckSql.DETACH);
      root.close();
    } catch (SQLException e) {
      closeAfterFailure();
      throw DuckErrors.translate(e, files.file(), null);
    } finally {
      attached.writeLock().unlock();
    }
  }

  /** Lets go of everything, whatever is broken. */
  void closeAfterFailure() {
    try {
      closeSessions();
    } catch (SQLException e) {
      // What matters is the error before this one.
    }
    try {
      root.close();
    } catch (SQLException e) {
      // As above.
    }
  }

  Path file() {
    return files.file();
  }
}
