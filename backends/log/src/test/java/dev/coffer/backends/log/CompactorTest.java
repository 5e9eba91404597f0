package dev.coffer.backends.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.Durability;
import dev.coffer.vfs.Layout;
import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreOptions;
import dev.coffer.vfs.StoreStats;
import dev.coffer.vfs.VirtualFileStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A store that is overwritten again and again stays small by itself, while it is used. */
class CompactorTest {
  private static final int FILES = 60;
  private static final int ROUNDS = 10;
  private static final int LENGTH = 100_000;

  @TempDir Path folder;

  private static byte[] content(int file, int round) {
    byte[] bytes = new byte[LENGTH];
    new Random(1000L * round + file).nextBytes(bytes);
    return bytes;
  }

  @Test
  void churnLeavesLittleDead() throws IOException {
    Path file = folder.resolve("churn.coffer");
    StoreOptions options = StoreOptions.DEFAULT.withDurability(Durability.PROCESS);
    try (VirtualFileStore store = VirtualFileStore.create(file, options)) {
      for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < FILES; i++) {
          store.write("/f" + i, content(i, round));
          int other = (i * 7) % FILES;
          int written = other <= i ? round : round - 1;
          if (written >= 0) {
            assertArrayEquals(content(other, written), store.read("/f" + other));
          }
        }
      }
      assertTimeoutPreemptively(Duration.ofMinutes(2), () -> awaitSmall(store));
      assertWhole(store);
    }
    try (VirtualFileStore store =
        VirtualFileStore.open(file, StoreOptions.DEFAULT.withReadOnly(true))) {
      assertEquals(List.of(), store.recoveryReport());
      assertWhole(store);
    }
  }

  /** Whoever writes as fast as it goes must not outrun what gives back the room. */
  @ParameterizedTest
  @EnumSource(Layout.class)
  void writersDoNotOutrunCompaction(Layout layout) throws IOException {
    StoreOptions options =
        StoreOptions.DEFAULT.withDurability(Durability.PROCESS).withLayout(layout);
    try (VirtualFileStore store = VirtualFileStore.create(folder.resolve("fast"), options)) {
      byte[] bytes = new byte[20_000];
      new Random(8).nextBytes(bytes);
      double worst = 0;
      for (int i = 0; i < 7_000; i++) {
        bytes[i % bytes.length]++;
        store.write("/f" + i % 500, bytes);
        if (i > 2 * 500 && i % 100 == 0) {
          StoreStats stats = store.stats();
          worst = Math.max(worst, (double) stats.fileBytes() / stats.liveBytes());
        }
      }
      assertTrue(worst < 5, "files grew to so many times what is live: " + worst);
      assertTimeoutPreemptively(Duration.ofMinutes(2), () -> awaitSmall(store));
    }
  }

  /** A store so small that nothing is done about it while it is written. */
  @ParameterizedTest
  @EnumSource(Layout.class)
  void smallStoresSettle(Layout layout) throws IOException {
    StoreOptions options =
        StoreOptions.DEFAULT.withDurability(Durability.PROCESS).withLayout(layout);
    Path path = folder.resolve("small");
    try (VirtualFileStore store = VirtualFileStore.create(path, options)) {
      for (int round = 0; round < 5; round++) {
        for (int i = 0; i < 5; i++) {
          store.write("/f" + i, content(i, round));
        }
      }
      assertTimeoutPreemptively(Duration.ofMinutes(2), () -> awaitSmall(store));
      for (int i = 0; i < 5; i++) {
        assertArrayEquals(content(i, 4), store.read("/f" + i));
      }
    }
    try (VirtualFileStore store =
        VirtualFileStore.open(path, StoreOptions.DEFAULT.withReadOnly(true))) {
      assertEquals(List.of(), store.recoveryReport());
      assertArrayEquals(content(3, 4), store.read("/f3"));
    }
  }

  /** What a store may take at rest, while nobody writes: half as much again as is live. */
  private static void awaitSmall(VirtualFileStore store) throws IOException, InterruptedException {
    while (true) {
      StoreStats stats = store.stats();
      if (stats.fileBytes() <= stats.liveBytes() * 3 / 2) {
        return;
      }
      Thread.sleep(20);
    }
  }

  private static void assertWhole(VirtualFileStore store) throws IOException {
    for (int i = 0; i < FILES; i++) {
      assertArrayEquals(content(i, ROUNDS - 1), store.read("/f" + i));
    }
    List<Problem> problems = new ArrayList<>();
    store.verify(problems::add);
    assertEquals(List.of(), problems);
  }
}
