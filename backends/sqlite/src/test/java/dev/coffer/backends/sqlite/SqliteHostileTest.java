package dev.coffer.backends.sqlite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.testkit.SampleStore;
import dev.coffer.vfs.NotAStoreException;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreLockedException;
import dev.coffer.vfs.StoreReadOnlyException;
import dev.coffer.vfs.StoreVersionException;
import dev.coffer.vfs.spi.Backend;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files made to harm, and files of others. */
final class SqliteHostileTest {
  @TempDir private Path directory;
  private Path store;

  @BeforeEach
  void make() throws StoreException {
    store = directory.resolve("store.coffer");
    Sample.make(store);
  }

  private <T extends StoreException> void assertRefused(Class<T> expected) {
    assertThrows(expected, () -> Sample.open(store, Sample.READ_ONLY).close());
    assertThrows(expected, () -> Sample.open(store, Sample.EXISTING).close());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE VIEW more AS SELECT 1",
        "CREATE TABLE more (a INTEGER)",
        "CREATE INDEX more ON entry (kind)",
        "CREATE TRIGGER more AFTER UPDATE ON meta BEGIN DELETE FROM entry; END",
        "ALTER TABLE entry ADD COLUMN more INTEGER",
        "ALTER TABLE property ADD COLUMN more TEXT GENERATED ALWAYS AS (hex(zeroblob(1000000)))",
        "ALTER TABLE chunk RENAME COLUMN data TO bytes",
        "DROP TABLE dictionary",
        "DROP INDEX unreferenced",
        "CREATE VIRTUAL TABLE more USING fts5(a)",
        "ANALYZE",
      })
  void anotherSchemaIsRefused(String sql) throws SQLException {
    Sample.tamper(store, sql);
    assertRefused(StoreCorruptException.class);
  }

  @Test
  void anEndlessViewInPlaceOfATableIsNeverRead() throws SQLException {
    Sample.tamper(
        store,
        "DROP TABLE property",
        "CREATE VIEW property AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
            + " SELECT 'name' || i AS name, 'v' AS value FROM n");
    assertRefused(StoreCorruptException.class);
  }

  @Test
  void aForeignDatabaseIsNoStore() throws SQLException {
    Sample.tamper(store, "PRAGMA application_id = 7");
    assertRefused(NotAStoreException.class);
  }

  @Test
  void otherVersionsAreRefused() throws SQLException {
    Sample.tamper(store, "PRAGMA user_version = 2");
    StoreVersionException thrown =
        assertThrows(
            StoreVersionException.class, () -> Sample.open(store, Sample.EXISTING).close());
    assertTrue(thrown.isTooNew());
    Sample.tamper(store, "PRAGMA user_version = 0");
    thrown =
        assertThrows(
            StoreVersionException.class, () -> Sample.open(store, Sample.READ_ONLY).close());
    assertFalse(thrown.isTooNew());
  }

  @Test
  void aDamagedMagicNumberIsDamage() throws IOException {
    byte[] bytes = Files.readAllBytes(store);
    bytes[3] ^= 1;
    Files.write(store, bytes);
    assertTrue(new SqliteBackendProvider().recognizes(ByteBuffer.wrap(bytes, 0, 4096)));
    assertRefused(StoreCorruptException.class);
  }

  @Test
  void anOverlongValueDoesNotReachTheHeap() throws SQLException, StoreException {
    Sample.tamper(store, "UPDATE chunk SET data = zeroblob(200000000) WHERE id = 5");
    try (Backend backend = Sample.open(store, Sample.READ_ONLY)) {
      assertThrows(StoreCorruptException.class, () -> SampleStore.dump(backend));
    }
  }

  @Test
  void aRollbackJournalBesideTheStoreIsRefused() throws IOException {
    Files.write(directory.resolve("store.coffer-journal"), new byte[] {1});
    assertRefused(StoreCorruptException.class);
  }

  @Test
  void aLinkInPlaceOfTheLogIsRefused() throws IOException {
    Path victim = Files.writeString(directory.resolve("victim"), "mine");
    Files.createSymbolicLink(directory.resolve("store.coffer-wal"), victim);
    assertRefused(StoreCorruptException.class);
    assertEquals("mine", Files.readString(victim));
  }

  @Test
  void aLogBesideTheStoreMakesReadersAskForRecovery() throws IOException {
    Files.write(directory.resolve("store.coffer-wal"), new byte[0]);
    assertThrows(StoreReadOnlyException.class, () -> Sample.open(store, Sample.READ_ONLY).close());
    Sample.open(store, Sample.EXISTING).close();
    Sample.open(store, Sample.READ_ONLY).close();
  }

  @Test
  void readersAreLockedOutByAWriterOfThisProcess() throws StoreException {
    try (Backend writer = Sample.open(store, Sample.EXISTING)) {
      assertThrows(StoreLockedException.class, () -> Sample.open(store, Sample.READ_ONLY).close());
      assertNotNull(SampleStore.dump(writer));
    }
  }

  @Test
  void closingLeavesOneFile() throws IOException {
    Sample.open(store, Sample.EXISTING).close();
    try (var files = Files.list(directory)) {
      assertEquals(
          java.util.List.of(".store.coffer.lock", "store.coffer"),
          files.map(f -> f.getFileName().toString()).sorted().toList());
    }
  }
}
