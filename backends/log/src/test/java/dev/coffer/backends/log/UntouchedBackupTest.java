package dev.coffer.backends.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.Durability;
import dev.coffer.vfs.Layout;
import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.BackendOptions;
import dev.coffer.vfs.spi.Commit;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The first commit cuts off the trailer of a store that a copy is just being made of. */
class UntouchedBackupTest {
  private static final Path COPY = Path.of("/stores/copy");

  /** Commits to the store as soon as the first file of its copy is made. */
  private static final class BusyStorage extends FaultyStorage {
    private LogBackend source;

    @Override
    public synchronized OpenFile create(Path file) throws IOException {
      OpenFile created = super.create(file);
      LogBackend busy = source;
      if (busy != null && !file.startsWith(Script.FILE)) {
        source = null;
        for (int i = 0; i < 3; i++) {
          commit(busy);
        }
      }
      return created;
    }

    private static void commit(LogBackend backend) throws StoreException {
      TreeMap<String, String> properties = new TreeMap<>();
      properties.put("name", "value " + backend.sequence());
      backend.commit(
          new Commit(backend.sequence() + 1, Instant.EPOCH, List.of(), properties, List.of()),
          Durability.SYNC);
    }
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void isOfTheMomentItWasAskedFor(Layout layout) throws StoreException {
    BusyStorage storage = new BusyStorage();
    storage.layout = layout;
    try (LogBackend source = Script.open(storage, false)) {
      BusyStorage.commit(source);
    }
    try (LogBackend source = Script.open(storage, false)) {
      storage.source = source;
      source.backup(COPY);
      assertEquals(4, source.sequence(), "commits made meanwhile");
    }
    BackendOptions options = new BackendOptions(BackendOptions.Creation.NEVER, layout, false);
    try (LogBackend copy = LogOpener.open(storage, COPY, options, FaultyStorage.PLAIN)) {
      List<Problem> problems = new ArrayList<>(copy.recoveryReport());
      copy.verify(problems::add);
      assertEquals(List.of(), problems);
      assertEquals(1, copy.sequence());
      assertTrue(copy.properties().containsKey("name"));
    }
  }
}
