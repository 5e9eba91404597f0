package dev.coffer.backends.duckdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.testkit.ChildJvm;
import dev.coffer.testkit.SampleStore;
import dev.coffer.vfs.Durability;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreLockedException;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.Change;
import dev.coffer.vfs.spi.EntryKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that is killed while it writes loses nothing it acknowledged. */
final class DuckKillTest {
  private static final int ROUNDS = 4;
  private static final int FILES = 3;

  @TempDir private Path directory;

  /** Commits, stages and compacts for ever, and tells each sequence. */
  static final class Writer {
    private Writer() {}

    public static void main(String[] arguments) throws StoreException {
      try (Backend backend = DuckSamples.open(Path.of(arguments[0]), DuckSamples.EXISTING)) {
        while (true) {
          long sequence = backend.sequence() + 1;
          Change[] changes = new Change[FILES + 2];
          for (int i = 0; i < FILES; i++) {
            changes[i] = SampleStore.put(backend, "/" + sequence + "/" + i, 3000 * i, sequence);
          }
          changes[FILES] = SampleStore.put(backend, "/replaced", 20_000, sequence);
          changes[FILES + 1] = SampleStore.putTable(backend, "/table", 3);
          SampleStore.commit(backend, Durability.SYNC, changes);
          System.out.println(sequence);
          if (sequence % 7 == 0) {
            backend.compact(Long.MAX_VALUE);
          }
        }
      }
    }
  }

  @Test
  void acknowledgedCommitsSurviveAKill() throws IOException, InterruptedException {
    long seed = 78;
    Random random = new Random(seed);
    Path store = directory.resolve("store.coffer");
    DuckSamples.open(store, DuckSamples.NEW).close();
    long acknowledged = 0;
    for (int round = 0; round < ROUNDS; round++) {
      acknowledged = Math.max(acknowledged, killedWriter(store, random.nextInt(25)));
      String where = "seed=" + seed + " round=" + round;
      try (Backend backend = DuckSamples.open(store, DuckSamples.EXISTING)) {
        assertTrue(backend.sequence() >= acknowledged, where + " lost=" + backend.sequence());
        assertEquals(List.of(), SampleStore.verify(backend), where);
        assertEquals(FILES * backend.sequence() + 2, backend.stats().entries(), where);
        for (long sequence = 1; sequence <= backend.sequence(); sequence++) {
          assertNotNull(backend.lookup(EntryKey.of("/" + sequence + "/1")), where);
        }
        SampleStore.dump(backend);
      }
    }
  }

  private static long killedWriter(Path store, int commits)
      throws IOException, InterruptedException {
    try (ChildJvm writer = ChildJvm.start(256, Writer.class, store.toString())) {
      assertTrue(writer.next(), "the writer commits");
      assertThrows(
          StoreLockedException.class, () -> DuckSamples.open(store, DuckSamples.EXISTING).close());
      assertThrows(
          StoreException.class, () -> DuckSamples.open(store, DuckSamples.READ_ONLY).close());
      for (int i = 0; i < commits; i++) {
        assertTrue(writer.next(), "the writer goes on");
      }
      return writer.kill();
    }
  }
}
