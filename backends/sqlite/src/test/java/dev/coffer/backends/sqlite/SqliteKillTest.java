package dev.coffer.backends.sqlite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.testkit.ChildJvm;
import dev.coffer.testkit.SampleStore;
import dev.coffer.vfs.Durability;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreReadOnlyException;
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
final class SqliteKillTest {
  private static final int ROUNDS = 6;
  private static final int FILES_A_COMMIT = 5;

  @TempDir private Path directory;

  /** Commits for ever and tells each sequence; run in a process of its own. */
  static final class Writer {
    private Writer() {}

    public static void main(String[] arguments) throws StoreException {
      try (Backend backend = Sample.open(Path.of(arguments[0]), Sample.EXISTING)) {
        Durability durability = Durability.valueOf(arguments[1]);
        while (true) {
          long sequence = backend.sequence() + 1;
          Change[] changes = new Change[FILES_A_COMMIT + 1];
          for (int i = 0; i < FILES_A_COMMIT; i++) {
            changes[i] = SampleStore.put(backend, "/" + sequence + "/" + i, 3000 * i, sequence);
          }
          changes[FILES_A_COMMIT] = SampleStore.put(backend, "/replaced", 20_000, sequence);
          SampleStore.commit(backend, durability, changes);
          System.out.println(sequence);
        }
      }
    }
  }

  @Test
  void acknowledgedCommitsSurviveAKill() throws IOException, InterruptedException {
    long seed = 77;
    Random random = new Random(seed);
    Path store = directory.resolve("store.coffer");
    Sample.open(store, Sample.NEW).close();
    long acknowledged = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Durability durability = round % 2 == 0 ? Durability.PROCESS : Durability.SYNC;
      acknowledged = Math.max(acknowledged, killedWriter(store, durability, random.nextInt(60)));
      assertThrows(
          StoreReadOnlyException.class, () -> Sample.open(store, Sample.READ_ONLY).close());
      try (Backend backend = Sample.open(store, Sample.EXISTING)) {
        String where = "seed=" + seed + " round=" + round;
        assertTrue(backend.sequence() >= acknowledged, where + " lost=" + backend.sequence());
        assertEquals(List.of(), SampleStore.verify(backend), where);
        assertEquals(FILES_A_COMMIT * backend.sequence() + 1, backend.stats().entries(), where);
        for (long sequence = 1; sequence <= backend.sequence(); sequence++) {
          for (int i = 0; i < FILES_A_COMMIT; i++) {
            assertNotNull(backend.lookup(EntryKey.of("/" + sequence + "/" + i)), where);
          }
        }
        SampleStore.dump(backend);
      }
    }
  }

  /** Kills a writer after it acknowledged some commits, and answers the last one told. */
  private static long killedWriter(Path store, Durability durability, int commits)
      throws IOException, InterruptedException {
    try (ChildJvm writer = ChildJvm.start(Writer.class, store.toString(), durability.name())) {
      for (int i = 0; i <= commits; i++) {
        assertTrue(writer.next(), "the writer goes on");
      }
      return writer.kill();
    }
  }
}
