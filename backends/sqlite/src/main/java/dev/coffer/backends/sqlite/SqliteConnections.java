package dev.coffer.backends.sqlite;

import dev.coffer.vfs.StoreBackendException;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.Pragma;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.SQLiteOpenMode;

/**
 * Opens connections to a store's file, and hardens each before it reads anything: the file may have
 * been made by somebody who wants to harm us.
 */
final class SqliteConnections {
  /** The longest value SQLite hands out, in bytes, so that no stored length exhausts the heap. */
  static final int MAX_VALUE = 16 * 1024 * 1024;

  private static final int BUSY_MILLIS = 5_000;

  /** What a connection is for. */
  enum Mode {
    /** Makes a new file. */
    CREATE,
    /** The one that writes. */
    WRITE,
    /** Reads beside the writer of this process. */
    READ,
    /** Reads a file nobody writes; neither locks nor makes files. */
    IMMUTABLE
  }

  private SqliteConnections() {}

  static Statements open(Path file, Mode mode) throws StoreException {
    loadDriver();
    Connection connection = null;
    boolean opened = false;
    try {
      connection = config(mode).createConnection(url(file, mode));
      Statements statements = new Statements(connection);
      for (List<String> pragmas : List.of(SqliteSql.HARDEN, pragmas(mode))) {
        for (String pragma : pragmas) {
          statements.run(pragma);
        }
      }
      if (mode != Mode.CREATE) {
        checkSchema(connection, file);
      }
      opened = true;
      return statements;
    } catch (SQLException e) {
      throw SqliteErrors.translate(e, file, null);
    } finally {
      if (!opened && connection != null) {
        closeQuietly(connection);
      }
    }
  }

  private static void closeQuietly(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      // Opening failed, and says why; nothing was written that closing could lose.
    }
  }

  private static List<String> pragmas(Mode mode) {
    return switch (mode) {
      case CREATE -> SqliteSql.PREPARE_NEW;
      case WRITE -> SqliteSql.PREPARE_WRITER;
      case READ, IMMUTABLE -> SqliteSql.PREPARE_READER;
    };
  }

  private static SQLiteConfig config(Mode mode) {
    SQLiteConfig config = new SQLiteConfig();
    config.resetOpenMode(SQLiteOpenMode.CREATE);
    if (mode == Mode.CREATE) {
      config.setOpenMode(SQLiteOpenMode.CREATE);
    } else if (mode != Mode.WRITE) {
      config.setReadOnly(true);
    }
    if (mode == Mode.WRITE || mode == Mode.CREATE) {
      config.setTransactionMode(SQLiteConfig.TransactionMode.IMMEDIATE);
    }
    config.setBusyTimeout(BUSY_MILLIS);
    config.enableLoadExtension(false);
    config.setPragma(Pragma.LIMIT_LENGTH, Integer.toString(MAX_VALUE));
    config.setPragma(Pragma.LIMIT_ATTACHED, "0");
    config.setPragma(Pragma.LIMIT_TRIGGER_DEPTH, "1");
    return config;
  }

  /**
   * A URI whose path has every special character encoded: the driver cuts plain file names at
   * question marks and trims them. {@link Path#toUri} encodes the path's own bytes, so that names
   * which the locale cannot spell work too.
   */
  private static String url(Path file, Mode mode) {
    String uri = "jdbc:sqlite:file:" + file.toUri().getRawPath();
    return mode == Mode.IMMUTABLE ? uri + "?immutable=1" : uri;
  }

  /** Unpacks and loads SQLite's native code, which fails where the folder forbids execution. */
  private static void loadDriver() throws StoreBackendException {
    try {
      if (SQLiteJDBCLoader.initialize()) {
        return;
      }
    } catch (Exception | LinkageError e) {
      throw new StoreBackendException(cannotLoad(), e);
    }
    throw new StoreBackendException(cannotLoad());
  }

  private static String cannotLoad() {
    return "cannot load SQLite's native library; its folder must be writable and allow execution,"
        + " set -Dorg.sqlite.tmpdir to choose another: folder="
        + System.getProperty("org.sqlite.tmpdir", System.getProperty("java.io.tmpdir"));
  }

  private static void checkSchema(Connection connection, Path file)
      throws SQLException, StoreCorruptException {
    List<SqliteSql.SchemaObject> found = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(SqliteSql.SELECT_SCHEMA)) {
      while (rows.next()) {
        found.add(
            new SqliteSql.SchemaObject(text(rows, 1), text(rows, 2), text(rows, 3), text(rows, 4)));
      }
    }
    for (SqliteSql.SchemaObject object : found) {
      if (!SqliteSql.SCHEMA.contains(object)) {
        throw new StoreCorruptException(
            "store's schema holds what no store has: type="
                + object.type()
                + " name="
                + object.name()
                + " store="
                + file);
      }
    }
    if (found.size() != SqliteSql.SCHEMA.size()) {
      throw new StoreCorruptException(
          "store's schema is not complete: expected="
              + SqliteSql.SCHEMA.size()
              + " found="
              + found.size()
              + " store="
              + file);
    }
  }

  private static String text(ResultSet rows, int column) throws SQLException {
    String text = rows.getString(column);
    return text == null ? "" : text;
  }
}
