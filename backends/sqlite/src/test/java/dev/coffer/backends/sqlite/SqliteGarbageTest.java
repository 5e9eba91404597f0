package dev.coffer.backends.sqlite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.testkit.SampleStore;
import dev.coffer.vfs.Durability;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.ChunkBuffer;
import dev.coffer.vfs.spi.CompactStep;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.Pin;
import dev.coffer.vfs.spi.View;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What nothing refers to goes, and what somebody still reads stays. */
final class SqliteGarbageTest {
  @TempDir private Path directory;
  private Path store;

  @BeforeEach
  void make() throws StoreException {
    store = directory.resolve("store.coffer");
    Sample.make(store);
  }

  private long rows(String table) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + store);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM " + table)) {
      return row.getLong(1);
    }
  }

  @Test
  void closingDeletesATableWithItsPagesAndChunks() throws StoreException, SQLException {
    long before = rows("chunk");
    try (Backend backend = Sample.open(store, Sample.EXISTING)) {
      SampleStore.commit(backend, Durability.SYNC, SampleStore.delete(backend, "/large/a"));
    }
    assertEquals(before - 6, rows("chunk"));
    assertEquals(before - 6, rows("content"));
  }

  @Test
  void whatWasOnlyStagedIsSweptWithWhatItRefersTo() throws StoreException, SQLException {
    long before = rows("chunk");
    try (Backend backend = Sample.open(store, Sample.EXISTING)) {
      assertNotNull(SampleStore.putTable(backend, "/never", 40));
    }
    assertEquals(before + 41, rows("chunk"));
    Sample.open(store, Sample.EXISTING).close();
    assertEquals(before, rows("chunk"));
  }

  @Test
  void aPinHoldsContentThroughCompaction() throws StoreException {
    try (Backend backend = Sample.open(store, Sample.EXISTING)) {
      Entry entry = backend.lookup(EntryKey.of("/large/a"));
      long root = ((Content.Table) entry.content()).rootId();
      Pin pin = backend.pin(entry.content());
      assertNotNull(pin);
      SampleStore.commit(backend, Durability.PROCESS, SampleStore.delete(backend, "/large/a"));
      compact(backend);
      assertNotNull(SampleStore.describe(backend, entry));
      pin.close();
      pin.close();
      compact(backend);
      assertEquals(false, backend.readChunk(root, new ChunkBuffer()));
      assertNull(backend.pin(entry.content()));
      assertEquals(List.of(), SampleStore.verify(backend));
    }
  }

  @Test
  void compactionShrinksTheFileInStepsBesideAView() throws IOException {
    try (Backend backend = Sample.open(store, Sample.EXISTING)) {
      for (int i = 0; i < 40; i++) {
        SampleStore.commit(
            backend, Durability.PROCESS, SampleStore.put(backend, "/big" + i, 100_000, i));
      }
      for (int i = 0; i < 39; i++) {
        SampleStore.commit(backend, Durability.PROCESS, SampleStore.delete(backend, "/big" + i));
      }
      int steps;
      try (View view = backend.openView()) {
        steps = compact(backend);
        assertEquals(backend.sequence(), view.sequence());
        assertNotNull(view.lookup(EntryKey.of("/big39")));
      }
      assertTrue(steps > 2, "steps=" + steps);
      assertEquals(List.of(), SampleStore.verify(backend));
    }
    assertTrue(Files.size(store) < 400_000, "size=" + Files.size(store));
  }

  private static int compact(Backend backend) throws StoreException {
    int steps = 0;
    CompactStep step;
    do {
      step = backend.compact(512 * 1024);
      steps++;
    } while (!step.done());
    return steps;
  }

  @Test
  void replacingOftenDoesNotGrowTheStore() throws IOException {
    try (Backend backend = Sample.open(store, Sample.EXISTING)) {
      for (int i = 0; i < 1500; i++) {
        SampleStore.commit(
            backend, Durability.PROCESS, SampleStore.put(backend, "/same", 10_000, i));
      }
    }
    assertTrue(Files.size(store) < 8_000_000, "size=" + Files.size(store));
  }
}
