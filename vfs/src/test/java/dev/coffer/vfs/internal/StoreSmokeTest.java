package dev.coffer.vfs.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.FileEntry;
import dev.coffer.vfs.NoSuchEntryException;
import dev.coffer.vfs.StoreOptions;
import dev.coffer.vfs.VirtualFileStore;
import dev.coffer.vfs.WriteBatch;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The main job on the memory backend; the contracts proper are in the test kit. */
class StoreSmokeTest {
  private static final StoreOptions SMALL_CHUNKS = StoreOptions.DEFAULT.withChunkLength(4096);

  @Test
  void writesReadsAndListsSmallFiles() throws Exception {
    try (VirtualFileStore store = VirtualFileStore.inMemory(SMALL_CHUNKS)) {
      byte[] text = "hello, coffer".repeat(40).getBytes(StandardCharsets.UTF_8);
      store.write("docs/a.txt", text);
      store.write("/docs/b.txt", new byte[0]);
      assertArrayEquals(text, store.read("/docs/a.txt"));
      assertEquals(
          List.of("/docs/a.txt", "/docs/b.txt"),
          store.list("/docs").stream().map(FileEntry::path).toList());
      assertTrue(store.stat("/docs").isDirectory());
      assertThrows(NoSuchEntryException.class, () -> store.read("/docs/c.txt"));
      assertTrue(store.verify(problem -> {}).isClean());
    }
  }

  @Test
  void readsLargeFilesThroughTables() throws Exception {
    byte[] bytes = new byte[1025 * 4096 + 17];
    new Random(7).nextBytes(bytes);
    Arrays.fill(bytes, 4096, 5 * 4096, (byte) 0);
    try (VirtualFileStore store = VirtualFileStore.inMemory(SMALL_CHUNKS)) {
      store.write("/a", bytes);
      store.write("/b", new ByteArrayInputStream(bytes), null);
      try (var out = store.newOutputStream("/c")) {
        out.write(bytes, 0, 100);
        out.write(bytes, 100, bytes.length - 100);
      }
      for (String path : List.of("/a", "/b", "/c")) {
        assertArrayEquals(bytes, store.read(path));
        try (InputStream in = store.newInputStream(path)) {
          assertArrayEquals(bytes, in.readAllBytes());
        }
        assertArrayEquals(
            Arrays.copyOfRange(bytes, 20000, 30000), store.readRange(path, 20000, 10000));
      }
      assertTrue(store.verify(problem -> {}).isClean());
    }
  }

  @Test
  void batchesAreAtomic() throws Exception {
    try (VirtualFileStore store = VirtualFileStore.inMemory(SMALL_CHUNKS)) {
      store.write("/x/y", new byte[] {1});
      try (WriteBatch batch = store.newBatch()) {
        batch.move("/x", "/z");
        batch.delete("/nothing");
        assertThrows(NoSuchEntryException.class, batch::commit);
      }
      assertTrue(store.exists("/x/y"));
      store.move("/x", "/z");
      store.copy("/z", "/w");
      assertArrayEquals(new byte[] {1}, store.read("/w/y"));
      assertEquals(5, store.walk("/").count());
    }
  }
}
