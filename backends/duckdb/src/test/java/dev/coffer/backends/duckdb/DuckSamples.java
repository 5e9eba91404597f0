package dev.coffer.backends.duckdb;

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

/** Opens DuckDB stores, and harms them. */
final class DuckSamples {
  static final BackendOptions EXISTING = new BackendOptions(Creation.NEVER, false);
  static final BackendOptions NEW = new BackendOptions(Creation.ALWAYS, false);
  static final BackendOptions READ_ONLY = new BackendOptions(Creation.NEVER, true);

  private DuckSamples() {}

  static Backend open(Path file, BackendOptions options) throws StoreException {
    return new DuckBackendProvider().open(file, options);
  }

  static void make(Path file) throws StoreException {
    try (Backend backend = open(file, NEW)) {
      SampleStore.fill(backend);
    }
  }

  /** Runs SQL on a closed store, as somebody with the duckdb shell would. */
  static void tamper(Path file, String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + file);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }
}
