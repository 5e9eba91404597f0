package dev.coffer.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.StoreClosedException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.ChunkBuffer;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.PackedChunk;
import dev.coffer.vfs.spi.Pin;
import dev.coffer.vfs.spi.ScanRange;
import dev.coffer.vfs.spi.View;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Readers beside the one committer. */
abstract class BackendThreadCases extends FreshBackendCases {
  private static final int FILES = 6;

  BackendThreadCases(BackendContract contract) {
    super(contract);
  }

  /** All files of one round hold content of that round, so half a commit would show. */
  private void commitRound(int round) throws StoreException {
    CommitBuilder commit = begin();
    for (int i = 0; i < FILES; i++) {
      PackedChunk chunk = Chunks.raw(1000L * round + i, 40 + 300 * i);
      commit.file(
          "/all/" + i,
          i % 3 == 2 ? Given.chunk(backend(), chunk) : Given.inline(chunk),
          CommitBuilder.attributes().withMode(round));
    }
    commit.commit();
  }

  private static void assertOneRound(List<Entry> entries) {
    assertEquals(FILES, entries.size());
    int round = entries.get(0).attributes().mode();
    for (Entry entry : entries) {
      assertEquals(round, entry.attributes().mode(), () -> "half a commit: " + entries);
      assertEquals(round + 1, entry.version());
    }
  }

  /** Reads through {@code entry}, or finds that it has been replaced meanwhile. */
  private static boolean readIfStillThere(Backend backend, Entry entry) throws StoreException {
    ChunkBuffer target = new ChunkBuffer();
    Content content = entry.content();
    PackedChunk chunk;
    if (content instanceof Content.Packed packed) {
      chunk = packed.chunk();
    } else {
      boolean there =
          content instanceof Content.Located located
              ? backend.readLocated(located, target)
              : backend.readChunk(((Content.Chunk) content).id(), target);
      if (!there) {
        return false;
      }
      chunk = target.toChunk();
    }
    int file = Integer.parseInt(entry.key().name());
    PackedChunk written = Chunks.raw(1000L * entry.attributes().mode() + file, 40 + 300 * file);
    assertEquals(Body.Leaf.of(written), Body.Leaf.of(chunk));
    return true;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void readersNeverSeeHalfACommit(boolean compacting) throws Exception {
    commitRound(0);
    AtomicBoolean done = new AtomicBoolean();
    AtomicInteger reads = new AtomicInteger();
    Backend backend = backend();
    ScanRange range = ScanRange.children("/all");
    Callable<Integer> scanning =
        () -> {
          long last = 0;
          int rounds = 0;
          do {
            List<Entry> entries = backend.scan(range, null, 100);
            assertOneRound(entries);
            assertTrue(entries.get(0).version() >= last, "time goes forward");
            last = entries.get(0).version();
            for (Entry entry : entries) {
              if (readIfStillThere(backend, entry)) {
                reads.incrementAndGet();
              }
            }
            rounds++;
          } while (!done.get());
          return rounds;
        };
    Callable<Integer> viewing =
        () -> {
          int rounds = 0;
          do {
            try (View view = backend.openView()) {
              List<Entry> entries = Stored.scan(view, range, 2);
              assertOneRound(entries);
              assertEquals(view.sequence(), entries.get(0).version());
              for (Entry entry : entries) {
                Stored.read(view, entry);
              }
            }
            rounds++;
          } while (!done.get());
          return rounds;
        };
    Callable<Integer> pinning =
        () -> {
          int rounds = 0;
          do {
            Entry entry = backend.lookup(EntryKey.of("/all/" + rounds % FILES));
            assertNotNull(entry);
            try (Pin pin = backend.pin(entry.content())) {
              if (pin != null) {
                Thread.onSpinWait();
                assertTrue(readIfStillThere(backend, entry), "pinned content is there");
              }
            }
            rounds++;
          } while (!done.get());
          return rounds;
        };
    try (Background<Integer> background = new Background<>(List.of(scanning, viewing, pinning))) {
      for (int round = 1; round <= 60; round++) {
        commitRound(round);
        if (compacting && round % 5 == 0) {
          fixture().compact();
        }
      }
      done.set(true);
      background.join();
    }
    assertTrue(reads.get() > 0);
  }

  @Test
  void manyThreadsStageAtOnce() throws Exception {
    int threads = 6;
    int rounds = 20;
    List<Callable<List<Given>>> tasks = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int seed = t * 1000;
      tasks.add(
          () -> {
            List<Given> staged = new ArrayList<>();
            for (int i = 0; i < rounds; i++) {
              Shape shape = i % 4 == 0 ? Shape.TABLE : Shape.CHUNK;
              staged.add(shape.make(backend(), seed + i));
            }
            return staged;
          });
    }
    List<List<Given>> results;
    try (Background<List<Given>> background = new Background<>(tasks)) {
      for (int i = 0; i < 10; i++) {
        begin().small("/meanwhile" + i).commit();
      }
      results = background.join();
    }
    Set<Long> ids = new HashSet<>();
    CommitBuilder commit = begin();
    for (int t = 0; t < threads; t++) {
      for (int i = 0; i < rounds; i++) {
        Given given = results.get(t).get(i);
        commit.file("/t" + t + "/" + i, given);
        assertTrue(
            ids.add(
                given.content() instanceof Content.Chunk chunk
                    ? chunk.id()
                    : ((Content.Table) given.content()).rootId()));
      }
    }
    commit.commit();
  }

  @Test
  void closeWaitsForReadersAndThenTheyAreTold() throws Exception {
    commitRound(0);
    Backend backend = backend();
    List<Callable<Integer>> readers = new ArrayList<>();
    AtomicInteger started = new AtomicInteger();
    for (int t = 0; t < 4; t++) {
      readers.add(
          () -> {
            for (int rounds = 0; ; rounds++) {
              try {
                assertOneRound(backend.scan(ScanRange.children("/all"), null, 100));
                started.incrementAndGet();
              } catch (StoreClosedException e) {
                return rounds;
              }
            }
          });
    }
    try (Background<Integer> background = new Background<>(readers)) {
      while (started.get() < 20) {
        Thread.onSpinWait();
      }
      backend.close();
      background.join();
    }
    fixture().openAgain();
  }

  @Test
  void interruptingReadersHarmsNobody() throws Exception {
    commitRound(0);
    Backend backend = backend();
    List<Callable<Integer>> readers = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      boolean interrupted = t % 2 == 0;
      readers.add(
          () -> {
            for (int i = 0; i < 40; i++) {
              if (interrupted) {
                Thread.currentThread().interrupt();
              }
              List<Entry> entries = backend.scan(ScanRange.children("/all"), null, 100);
              assertOneRound(entries);
              for (Entry entry : entries) {
                readIfStillThere(backend, entry);
              }
              assertEquals(interrupted, Thread.currentThread().isInterrupted());
            }
            return 0;
          });
    }
    try (Background<Integer> background = new Background<>(readers)) {
      for (int round = 1; round <= 15; round++) {
        commitRound(round);
      }
      background.join();
    }
  }
}
