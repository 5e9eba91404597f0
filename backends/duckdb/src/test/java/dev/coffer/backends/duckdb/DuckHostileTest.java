package dev.coffer.backends.duckdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.testkit.SampleStore;
import dev.coffer.vfs.NotAStoreException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreReadOnlyException;
import dev.coffer.vfs.StoreVersionException;
import dev.coffer.vfs.spi.Backend;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files made to harm, and files of others. */
final class DuckHostileTest {
  @TempDir private Path directory;
  private Path store;

  @BeforeEach
  void make() throws StoreException {
    store = directory.resolve("store.coffer");
    DuckSamples.make(store);
  }

  private void assertRefused(Class<? extends StoreException> expected) {
    assertThrows(expected, () -> DuckSamples.open(store, DuckSamples.READ_ONLY).close());
    assertThrows(expected, () -> DuckSamples.open(store, DuckSamples.EXISTING).close());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE VIEW more AS SELECT 1",
        "CREATE TABLE more (a INTEGER)",
        "CREATE SCHEMA more",
        "CREATE SEQUENCE more",
        "CREATE INDEX more ON entry (kind)",
        "CREATE INDEX more ON entry ((length + 1))",
        "ALTER TABLE property ADD COLUMN more TEXT",
        "ALTER TABLE property ALTER COLUMN value SET DEFAULT nextval('pg_catalog.x')",
        "ALTER TABLE property ALTER COLUMN value DROP NOT NULL",
        "ALTER TABLE chunk RENAME COLUMN bytes TO data",
        "DROP TABLE dictionary",
        "DROP INDEX entry_key",
      })
  void anotherSchemaIsRefused(String sql) throws SQLException {
    try {
      DuckSamples.tamper(store, sql);
    } catch (SQLException e) {
      DuckSamples.tamper(store, "CREATE TABLE instead (a INTEGER)"); // DuckDB would not have it.
    }
    assertRefused(NotAStoreException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"property", "meta", "entry"})
  void aViewInPlaceOfATableIsNeverRead(String table) throws IOException, SQLException {
    Path secret = Files.writeString(directory.resolve("secret"), "host file");
    DuckSamples.tamper(
        store,
        "DROP TABLE " + table,
        "CREATE VIEW "
            + table
            + " AS SELECT content AS name, content AS value FROM read_text('"
            + secret
            + "')");
    assertRefused(NotAStoreException.class);
  }

  @Test
  void aMacroNamedLikeAFunctionIsNeverCalled() throws SQLException, StoreException {
    DuckSamples.tamper(
        store,
        "CREATE MACRO coalesce_more(a) AS 1",
        "CREATE MACRO \"count\"(a) AS 77",
        "CREATE MACRO \"max\"(a) AS 77");
    try (Backend backend = DuckSamples.open(store, DuckSamples.READ_ONLY)) {
      assertEquals(List.of(), SampleStore.verify(backend));
      assertEquals(33, SampleStore.dump(backend).size());
    }
  }

  @Test
  void aForeignDatabaseIsNoStore() throws SQLException, IOException {
    Files.delete(store);
    DuckSamples.tamper(store, "CREATE TABLE mine (a INTEGER)");
    assertRefused(NotAStoreException.class);
  }

  @Test
  void anotherMagicIsNoStore() throws SQLException {
    DuckSamples.tamper(store, "UPDATE meta SET magic = 'chest'");
    assertRefused(NotAStoreException.class);
  }

  @Test
  void aNewerFormatIsRefused() throws SQLException {
    DuckSamples.tamper(store, "UPDATE meta SET format = 2");
    StoreVersionException thrown =
        assertThrows(
            StoreVersionException.class,
            () -> DuckSamples.open(store, DuckSamples.EXISTING).close());
    assertTrue(thrown.isTooNew());
  }

  /** A log is replayed on opening: whatever it holds must have reached nothing and be refused. */
  @Test
  void aHostileLogReachesNoOtherFile() throws Exception {
    Path secret = Files.writeString(directory.resolve("secret"), "host file");
    Path copy = directory.resolve("copy.coffer");
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + store);
        Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE property");
      statement.execute(
          "CREATE VIEW property AS SELECT content AS name, content AS value FROM read_text('"
              + secret
              + "')");
      Files.copy(store, copy);
      Files.copy(directory.resolve("store.coffer.wal"), directory.resolve("copy.coffer.wal"));
    }
    assertThrows(
        StoreReadOnlyException.class, () -> DuckSamples.open(copy, DuckSamples.READ_ONLY).close());
    assertThrows(
        NotAStoreException.class, () -> DuckSamples.open(copy, DuckSamples.EXISTING).close());
  }

  /** To DuckDB a log that makes no sense is one that was never finished. */
  @Test
  void aGarbledLogHarmsNothingThatWasInTheFile() throws IOException {
    byte[] garbage = "no log of DuckDB at all".repeat(99).getBytes(StandardCharsets.UTF_8);
    Files.write(directory.resolve("store.coffer.wal"), garbage);
    assertThrows(
        StoreReadOnlyException.class, () -> DuckSamples.open(store, DuckSamples.READ_ONLY).close());
    try (Backend backend = DuckSamples.open(store, DuckSamples.EXISTING)) {
      assertEquals(List.of(), SampleStore.verify(backend));
      assertEquals(33, SampleStore.dump(backend).size());
    }
  }

  @Test
  void closingLeavesOneFile() throws IOException {
    DuckSamples.open(store, DuckSamples.EXISTING).close();
    try (var files = Files.list(directory)) {
      assertEquals(
          List.of(".store.coffer.lock", "store.coffer"),
          files.map(file -> file.getFileName().toString()).sorted().toList());
    }
  }
}
