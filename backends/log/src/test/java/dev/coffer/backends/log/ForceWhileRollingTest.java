package dev.coffer.backends.log;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.Durability;
import dev.coffer.vfs.Layout;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Commit;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Forcing needs no lock of those who commit, so the active segment may be another any moment. */
class ForceWhileRollingTest {
  private static final int COMMITS = 1000;

  @Test
  void forcesOneOrTheOther() throws Exception {
    FaultyStorage storage = new FaultyStorage();
    storage.layout = Layout.FOLDER;
    storage.tuning = FaultyStorage.TINY;
    ExecutorService pool = Executors.newSingleThreadExecutor();
    AtomicBoolean stop = new AtomicBoolean();
    try (LogBackend backend = Script.open(storage, false)) {
      Future<Integer> forcing = pool.submit(() -> forceUntil(stop, backend));
      for (int i = 0; i < COMMITS; i++) {
        TreeMap<String, String> properties = new TreeMap<>();
        properties.put("name", "value " + i);
        backend.commit(
            new Commit(backend.sequence() + 1, Instant.EPOCH, List.of(), properties, List.of()),
            Durability.PROCESS);
      }
      stop.set(true);
      assertTrue(forcing.get() > 0);
    } finally {
      stop.set(true);
      pool.shutdown();
    }
  }

  private static int forceUntil(AtomicBoolean stop, LogBackend backend) throws StoreException {
    int count = 0;
    while (!stop.get()) {
      backend.force();
      count++;
    }
    return count;
  }
}
