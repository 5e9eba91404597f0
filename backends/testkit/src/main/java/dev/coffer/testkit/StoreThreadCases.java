package dev.coffer.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.coffer.vfs.Durability;
import dev.coffer.vfs.EntryExistsException;
import dev.coffer.vfs.FileEntry;
import dev.coffer.vfs.StoreClosedException;
import dev.coffer.vfs.VersionMismatchException;
import dev.coffer.vfs.VirtualFileStore;
import dev.coffer.vfs.WriteBatch;
import dev.coffer.vfs.WriteOption;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many threads on one store. */
abstract class StoreThreadCases extends StoreCases {
  private static final int THREADS = 16;

  StoreThreadCases(StoreContract contract) {
    super(contract);
  }

  @ParameterizedTest
  @EnumSource
  void everyAcknowledgedWriteIsThere(Durability durability) throws Exception {
    List<Callable<Integer>> writers = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      String own = "/t" + t + "/";
      long seed = t;
      writers.add(
          () -> {
            for (int i = 0; i < 12; i++) {
              byte[] content = mixed(seed * 100 + i, 10 + i * 900);
              try (WriteBatch batch = store().newBatch()) {
                batch.write(own + i, content);
                batch.commit(durability);
              }
              assertContent(content, own + i);
              assertEquals(i + 1, store().list(own.substring(0, own.length() - 1)).size());
            }
            return 0;
          });
    }
    try (Background<Integer> background = new Background<>(writers)) {
      background.join();
    }
    assertEquals(1 + THREADS * 13, paths().size());
  }

  @Test
  void aRequestThatFailsDropsOutAlone() throws Exception {
    AtomicInteger winners = new AtomicInteger();
    List<Callable<Integer>> writers = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      String own = "/own" + t + "-";
      writers.add(
          () -> {
            int won = 0;
            for (int i = 0; i < 15; i++) {
              store().write(own + i, text(own));
              try {
                store().write("/shared" + i, text(own), WriteOption.CREATE_NEW);
                winners.incrementAndGet();
                won++;
              } catch (EntryExistsException e) {
                // Another thread was first.
              }
            }
            return won;
          });
    }
    try (Background<Integer> background = new Background<>(writers)) {
      int won = background.join().stream().mapToInt(Integer::intValue).sum();
      assertEquals(15, won, "each shared path is created once");
    }
    assertEquals(15, winners.get());
    assertEquals(1 + THREADS * 15 + 15, paths().size());
  }

  @Test
  void versionsSerializeUpdates() throws Exception {
    write("/counter", "0");
    List<Callable<Integer>> counters = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      counters.add(
          () -> {
            int retries = 0;
            for (int done = 0; done < 10; ) {
              long version = store().stat("/counter").version();
              int value = Integer.parseInt(new String(store().read("/counter"), UTF_8));
              try (WriteBatch batch = store().newBatch()) {
                batch.requireVersion("/counter", version);
                batch.write("/counter", text("" + (value + 1)));
                batch.commit();
                done++;
              } catch (VersionMismatchException e) {
                retries++;
              }
            }
            return retries;
          });
    }
    try (Background<Integer> background = new Background<>(counters)) {
      background.join();
    }
    assertContent("80", "/counter");
  }

  @Test
  void readersSeeWholeFilesAndWholeBatches() throws Exception {
    putRound(0);
    AtomicBoolean done = new AtomicBoolean();
    Callable<Integer> walking =
        () -> {
          int walks = 0;
          do {
            try (Stream<FileEntry> walk = store().walk("/r")) {
              List<Long> lengths =
                  walk.filter(FileEntry::isFile).map(FileEntry::length).distinct().toList();
              assertEquals(1, lengths.size(), "half a batch: lengths=" + lengths);
            }
            assertEquals(1, store().list("/r").stream().map(FileEntry::length).distinct().count());
            walks++;
          } while (!done.get());
          return walks;
        };
    Callable<Integer> reading =
        () -> {
          int reads = 0;
          do {
            assertWhole(store().read("/r/" + reads % 5));
            try (InputStream in = store().newInputStream("/r/" + reads % 5)) {
              assertWhole(in.readAllBytes());
            }
            reads++;
          } while (!done.get());
          return reads;
        };
    try (Background<Integer> background =
        new Background<>(List.of(walking, reading, walking, reading))) {
      for (int round = 1; round <= 40; round++) {
        putRound(round);
        if (round % 10 == 0) {
          store().compact();
        }
      }
      done.set(true);
      background.join();
    }
  }

  private void putRound(int round) throws IOException {
    byte[] content = new byte[3000 + 300 * round];
    Arrays.fill(content, (byte) round);
    try (WriteBatch batch = store().newBatch()) {
      for (int i = 0; i < 5; i++) {
        batch.write("/r/" + i, content);
      }
      batch.commit();
    }
  }

  private static void assertWhole(byte[] content) {
    int round = (content.length - 3000) / 300;
    for (byte b : content) {
      if (b != (byte) round) {
        fail("a mixture of versions: length=" + content.length + " byte=" + b);
      }
    }
  }

  @Test
  void closeWaitsForCallsInFlight() throws Exception {
    store().write("/file", mixed(1, 30_000));
    AtomicInteger calls = new AtomicInteger();
    List<Callable<Integer>> tasks = new ArrayList<>();
    for (int t = 0; t < 6; t++) {
      int task = t;
      tasks.add(
          () -> {
            for (int i = 0; ; i++) {
              try {
                if (task % 2 == 0) {
                  assertArrayEquals(mixed(1, 30_000), store().read("/file"));
                } else {
                  store().write("/new" + task + "-" + i, mixed(i, 6000));
                }
                calls.incrementAndGet();
              } catch (StoreClosedException e) {
                return i;
              }
            }
          });
    }
    int written = 0;
    try (Background<Integer> background = new Background<>(tasks)) {
      while (calls.get() < 30) {
        Thread.onSpinWait();
      }
      store().close();
      List<Integer> counts = background.join();
      written = counts.get(1) + counts.get(3) + counts.get(5);
    }
    assertThrows(StoreClosedException.class, () -> store().read("/file"));
    if (contract().outlivesClose()) {
      use(VirtualFileStore.open(path(), StoreContract.OPTIONS));
      int found = store().list("/").size() - 1;
      assertTrue(found >= written && found <= written + 3, written + " " + found);
    } else {
      use(VirtualFileStore.inMemory(StoreContract.OPTIONS));
    }
  }

  @Test
  void aBatchTakesFromSeveralThreads() throws Exception {
    try (WriteBatch batch = store().newBatch()) {
      List<Callable<Integer>> writers = new ArrayList<>();
      for (int t = 0; t < 8; t++) {
        int own = t;
        writers.add(
            () -> {
              for (int i = 0; i < 30; i++) {
                batch.write("/t" + own + "/" + i, mixed(own * 100L + i, 5000));
              }
              return 0;
            });
      }
      try (Background<Integer> background = new Background<>(writers)) {
        background.join();
      }
      batch.commit();
    }
    assertEquals(1 + 8 * 31, paths().size());
    assertContent(mixed(723, 5000), "/t7/23");
  }

  @Test
  void anInterruptedThreadWritesAndReads() throws IOException {
    Thread.currentThread().interrupt();
    try {
      store().write("/a", mixed(1, 20_000));
      assertContent(mixed(1, 20_000), "/a");
      write("/b", "x");
      store().force();
      assertEquals(List.of("/", "/a", "/b"), paths());
      store().compact();
      assertTrue(Thread.currentThread().isInterrupted(), "the flag stays set");
    } finally {
      assertTrue(Thread.interrupted());
    }
    assertContent("x", "/b");
    assertFalse(store().isReadOnly());
  }
}
