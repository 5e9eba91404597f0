package dev.coffer.backends.sqlite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.coffer.testkit.SampleStore;
import dev.coffer.vfs.Durability;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreFullException;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.CompactStep;
import dev.coffer.vfs.spi.EntryKey;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk of 12 MB, and more to keep than it holds. */
final class SqliteFullDiskTest {
  private static final int CHUNKS = 1000;

  @TempDir private Path directory;
  private Path store;

  @BeforeEach
  void mount() throws IOException, InterruptedException {
    int exit = -1;
    try {
      exit = run("mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", directory.toString());
    } catch (IOException e) {
      // No such command here.
    }
    assumeTrue(exit == 0, "only root can mount a small disk");
    store = directory.resolve("store.coffer");
    Sample.open(store, Sample.NEW).close();
  }

  @AfterEach
  void unmount() throws IOException, InterruptedException {
    if (store != null) {
      run("umount", directory.toString());
    }
  }

  private static int run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  private void put(String path) throws StoreException {
    try (Backend backend = Sample.open(store, Sample.EXISTING)) {
      SampleStore.commit(backend, Durability.SYNC, SampleStore.putTable(backend, path, CHUNKS));
    }
  }

  private void fillUp() throws IOException {
    try (OutputStream out = Files.newOutputStream(directory.resolve("others"))) {
      byte[] block = new byte[4096];
      while (true) {
        out.write(block);
      }
    } catch (IOException e) {
      assertTrue(Files.getFileStore(directory).getUsableSpace() < 4096, String.valueOf(e));
    }
  }

  private void assertReadable(String... paths) throws StoreException {
    try (Backend backend = Sample.open(store, Sample.EXISTING)) {
      assertEquals(List.of(), SampleStore.verify(backend));
      assertEquals(List.of(paths), List.copyOf(SampleStore.dump(backend).keySet()));
    }
  }

  @Test
  void whatWasStoredStaysAndTheRestIsAbsent() throws StoreException {
    put("/a");
    put("/b");
    assertThrows(StoreFullException.class, () -> put("/c"));
    assertReadable("/a", "/b");
    assertThrows(StoreFullException.class, () -> put("/c"));
    assertReadable("/a", "/b");
  }

  private void delete(String path) throws StoreException {
    try (Backend backend = Sample.open(store, Sample.EXISTING)) {
      SampleStore.commit(backend, Durability.SYNC, SampleStore.delete(backend, path));
    }
  }

  private void compact() throws StoreException {
    try (Backend backend = Sample.open(store, Sample.EXISTING)) {
      CompactStep step;
      do {
        step = backend.compact(1 << 20);
      } while (!step.done());
    }
  }

  @Test
  void deletingMakesRoom() throws StoreException, IOException {
    put("/a");
    put("/b");
    assertThrows(StoreFullException.class, () -> put("/c"));
    delete("/a");
    assertReadable("/b");
    // What is left would have to be moved first, for which there is no room beside it.
    assertThrows(StoreFullException.class, this::compact);
    assertReadable("/b");
    delete("/b");
    compact();
    assertTrue(Files.size(store) < 1 << 20);
    put("/c");
    assertReadable("/c");
  }

  @Test
  void aFullDiskKeepsNobodyFromClosingAndReading() throws StoreException, IOException {
    try (Backend backend = Sample.open(store, Sample.EXISTING)) {
      SampleStore.commit(backend, Durability.SYNC, SampleStore.putTable(backend, "/a", CHUNKS));
      fillUp();
      assertThrows(
          StoreFullException.class,
          () ->
              SampleStore.commit(
                  backend, Durability.SYNC, SampleStore.put(backend, "/b", 100_000, 1)));
      assertNull(backend.lookup(EntryKey.of("/b")));
      assertNotNull(backend.lookup(EntryKey.of("/a")));
    }
    assertReadable("/a");
    Files.delete(directory.resolve("others"));
    assertReadable("/a");
    assertEquals(List.of(".store.coffer.lock", "store.coffer"), names());
  }

  private List<String> names() throws IOException {
    try (var files = Files.list(directory)) {
      return files.map(f -> f.getFileName().toString()).sorted().toList();
    }
  }
}
