package dev.coffer.backends.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.coffer.vfs.Durability;
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

  /** What a store may take at rest: half as much again as is live, and a little. */
  private static void awaitSmall(VirtualFileStore store) throws IOException, InterruptedException {
    int nudges = 0;
    while (true) {
      StoreStats stats = store.stats();
      if (stats.fileBytes() <= stats.liveBytes() * 3 / 2 + 4 * 1024 * 1024) {
        return;
      }
      Thread.sleep(20);
      store.write("/nudge", new byte[] {(byte) nudges++});
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
