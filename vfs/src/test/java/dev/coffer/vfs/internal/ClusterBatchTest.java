package dev.coffer.vfs.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.Durability;
import dev.coffer.vfs.Packing;
import dev.coffer.vfs.StoreOptions;
import dev.coffer.vfs.WriteBatch;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.ScanRange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where a batch puts small files. */
class ClusterBatchTest {
  private static final StoreOptions OPTIONS =
      StoreOptions.DEFAULT.withDurability(Durability.BUFFERED).withChunkLength(16 * 1024);

  private final MemoryBackend backend = new MemoryBackend();
  private final Store store = newStore(backend);

  private static Store newStore(MemoryBackend backend) {
    return new Store(backend, OPTIONS, new StoreCodecs(3), "memory", Clock.systemUTC());
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  private static byte[] text(int i) {
    return ("public class C" + i + " {\n  private final int value = " + i * 31 + ";\n}\n")
        .repeat(1 + i % 20)
        .getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] noise(int i) {
    byte[] bytes = new byte[600];
    new SplittableRandom(i).nextBytes(bytes);
    return bytes;
  }

  private static void write(Store store, int count) throws IOException {
    try (WriteBatch batch = store.newBatch(Packing.CLUSTERED)) {
      for (int i = 0; i < count; i++) {
        batch.write("/src/C" + i + ".java", text(i));
        batch.write("/img/p" + i + ".png", noise(i));
      }
      batch.commit();
    }
  }

  private static List<Content> contents(MemoryBackend backend, String directory)
      throws IOException {
    List<Content> contents = new ArrayList<>();
    for (Entry entry : backend.scan(ScanRange.children(directory), null, Integer.MAX_VALUE)) {
      contents.add(entry.content());
    }
    return contents;
  }

  @Test
  void textIsGatheredAndNoiseIsNot() throws IOException {
    write(store, 500);
    Set<Long> ids = new TreeSet<>();
    for (Content content : contents(backend, "/src")) {
      ids.add(((Content.Chunk) content).id());
    }
    assertTrue(ids.size() > 1 && ids.size() < 50, "clusters=" + ids.size());
    for (int i = 0; i < 500; i++) {
      Entry entry = backend.lookup(EntryKey.of("/img/p" + i + ".png"));
      assertTrue(entry != null && entry.content().packedLength() == 600, "alone and raw");
      assertArrayEquals(text(i), store.read("/src/C" + i + ".java"));
      assertArrayEquals(noise(i), store.read("/img/p" + i + ".png"));
    }
  }

  /** However the threads that pack take turns. */
  @Test
  void equalBatchesMakeEqualChunks() throws IOException {
    write(store, 700);
    for (int round = 0; round < 3; round++) {
      MemoryBackend other = new MemoryBackend();
      try (Store second = newStore(other)) {
        write(second, 700);
        assertEquals(contents(backend, "/src"), contents(other, "/src"));
      }
    }
  }

  @Test
  void aBatchTakesFilesFromSeveralThreads() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(4);
    try (WriteBatch batch = store.newBatch(Packing.CLUSTERED)) {
      List<Future<?>> tasks = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        int first = thread;
        tasks.add(
            pool.submit(
                () -> {
                  for (int i = first; i < 800; i += 4) {
                    batch.write("/src/C" + i + ".java", text(i));
                  }
                  return null;
                }));
      }
      for (Future<?> task : tasks) {
        await(task);
      }
      batch.commit();
    } finally {
      pool.shutdown();
    }
    for (int i = 0; i < 800; i++) {
      assertArrayEquals(text(i), store.read("/src/C" + i + ".java"));
    }
  }

  private static void await(Future<?> task) throws InterruptedException, ExecutionException {
    Object unused = task.get();
  }

  /** Each kind holds a buffer open; a batch of very many kinds must not hold them all. */
  @Test
  void manyKindsInOneBatch() throws IOException {
    try (WriteBatch batch = store.newBatch(Packing.CLUSTERED)) {
      for (int i = 0; i < 8000; i++) {
        batch.write("/f" + i + ".k" + i % 4000, text(i % 100));
      }
      batch.commit();
    }
    for (int i = 0; i < 8000; i++) {
      assertArrayEquals(text(i % 100), store.read("/f" + i + ".k" + i % 4000));
    }
  }
}
