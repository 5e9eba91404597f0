package dev.coffer.backends.sqlite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.Durability;
import dev.coffer.vfs.StoreOptions;
import dev.coffer.vfs.VirtualFileStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Readers stay in their read transaction while nobody writes, and harm nobody by it. */
class SqliteReadersTest {
  private static final int FILE_LENGTH = 4 * 1024 * 1024;
  private static final int FILES = 24;

  @TempDir Path directory;

  private VirtualFileStore open() throws Exception {
    return VirtualFileStore.openOrCreate(
        directory.resolve("store.db"),
        StoreOptions.DEFAULT.withBackend("sqlite").withDurability(Durability.PROCESS));
  }

  @Test
  void logStartsOverAlthoughIdleReadersReadBetweenWrites() throws Exception {
    byte[] content = new byte[FILE_LENGTH];
    new Random(5).nextBytes(content);
    try (VirtualFileStore store = open()) {
      for (int i = 0; i < FILES; i++) {
        store.write("/file", content);
        assertEquals(FILE_LENGTH, store.stat("/file").length());
      }
      long length = Files.size(directory.resolve("store.db-wal"));
      assertTrue(length < (long) FILES * FILE_LENGTH / 2, "length=" + length);
    }
    assertTrue(Files.notExists(directory.resolve("store.db-wal")));
  }

  @Test
  void everyReaderSeesWhatWasCommittedBeforeItsCall() throws Exception {
    int last = 400;
    AtomicInteger committed = new AtomicInteger();
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try (VirtualFileStore store = open()) {
      store.write("/file", bytes(0));
      List<Future<?>> readers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        readers.add(
            threads.submit(
                () -> {
                  while (!done.get()) {
                    int before = committed.get();
                    int found =
                        Integer.parseInt(
                            new String(store.read("/file"), StandardCharsets.US_ASCII));
                    assertTrue(found >= before, "found=" + found + " committed=" + before);
                  }
                  return null;
                }));
      }
      for (int i = 1; i <= last; i++) {
        store.write("/file", bytes(i));
        committed.set(i);
      }
      done.set(true);
      for (Future<?> reader : readers) {
        reader.get();
      }
      assertArrayEquals(bytes(last), store.read("/file"));
    } finally {
      threads.shutdownNow();
    }
  }

  private static byte[] bytes(int number) {
    return Integer.toString(number).getBytes(StandardCharsets.US_ASCII);
  }
}
