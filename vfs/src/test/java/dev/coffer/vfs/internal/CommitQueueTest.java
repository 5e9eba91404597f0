package dev.coffer.vfs.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.Durability;
import dev.coffer.vfs.StoreBackendException;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.Commit;
import dev.coffer.vfs.spi.EntryKey;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Merging: what is queued while a commit runs goes together, and fails apart. */
class CommitQueueTest {
  private final MemoryBackend memory = new MemoryBackend();
  private final CountDownLatch firstRuns = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private final List<Integer> sizes = new ArrayList<>();

  /** Holds up the first commit, and refuses every commit that touches {@code /bad}. */
  private Backend picky() {
    return (Backend)
        Proxy.newProxyInstance(
            Backend.class.getClassLoader(),
            new Class<?>[] {Backend.class},
            (proxy, method, args) -> {
              if (method.getName().equals("commit")) {
                Commit commit = (Commit) args[0];
                sizes.add(commit.changes().size());
                if (sizes.size() == 1) {
                  firstRuns.countDown();
                  release.await();
                }
                if (commit.changes().stream().anyMatch(c -> c.key().name().equals("bad"))) {
                  throw new StoreBackendException("refused: path=/bad");
                }
              }
              try {
                return method.invoke(memory, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void failsOnlyTheRequestAtFaultOfAMergedCommit() throws Exception {
    CommitQueue queue = new CommitQueue(picky(), Clock.systemUTC());
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      Future<Long> first = threads.submit(() -> commit(queue, "/first"));
      firstRuns.await();
      List<Future<Long>> good = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        String path = "/good" + i;
        good.add(threads.submit(() -> commit(queue, path)));
      }
      Future<Long> bad = threads.submit(() -> commit(queue, "/bad"));
      while (queue.queued() < 6) {
        Thread.onSpinWait();
      }
      release.countDown();
      assertEquals(1, first.get());
      for (Future<Long> each : good) {
        assertTrue(each.get() > 1);
      }
      Exception failure = assertThrows(Exception.class, bad::get);
      assertEquals(StoreBackendException.class, failure.getCause().getClass());
      assertEquals(6, sizes.get(1), "the six waiting were merged");
      for (int i = 0; i < 5; i++) {
        assertNotNull(memory.lookup(EntryKey.of("/good" + i)));
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static long commit(CommitQueue queue, String path) throws Exception {
    Mutation mutation = overlay -> TreeOperations.createDirectories(overlay, EntryKey.of(path));
    return queue.commit(List.of(mutation), Durability.SYNC, 0);
  }
}
