package dev.coffer.backends.sqlite;

import dev.coffer.testkit.SampleStore;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.BackendOptions;
import dev.coffer.vfs.spi.BackendOptions.Creation;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** Opens SQLite stores, and harms them. */
final class Sample {
  static final BackendOptions EXISTING = new BackendOptions(Creation.NEVER, false);
  static final BackendOptions NEW = new BackendOptions(Creation.ALWAYS, false);
  static final BackendOptions READ_ONLY = new BackendOptions(Creation.NEVER, true);

  private Sample() {}

  static Backend open(Path file, BackendOptions options) throws StoreException {
    return new SqliteBackendProvider().open(file, options);
  }

  /** Makes a store of twenty small, ten middling and two large files, and closes it. */
  static void make(Path file) throws StoreException {
    try (Backend backend = open(file, NEW)) {
      SampleStore.fill(backend);
    }
  }

  /** Runs SQL on a closed store, as somebody with the sqlite3 shell would. */
  static void tamper(Path file, String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.executeUpdate(sql);
      }
    }
  }
}
