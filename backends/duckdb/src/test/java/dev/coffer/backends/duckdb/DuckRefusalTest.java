package dev.coffer.backends.duckdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.coffer.testkit.ChildJvm;
import dev.coffer.testkit.SampleStore;
import dev.coffer.vfs.Durability;
import dev.coffer.vfs.StoreBackendException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreLockedException;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.Change;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is refused before anything happens, and in which words. */
final class DuckRefusalTest {
  @TempDir private Path directory;
  private Path store;

  @BeforeEach
  void make() throws StoreException {
    store = directory.resolve("store.coffer");
    DuckSamples.make(store);
  }

  private static Change withAttribute(Backend backend, String path, int length) {
    Entry plain = SampleStore.file(path, backend.sequence() + 1, 0, Content.NONE);
    TreeMap<String, byte[]> user = new TreeMap<>();
    user.put("note", new byte[length]);
    return new Change(plain.key(), null, plain.withAttributes(plain.attributes().withUser(user)));
  }

  @Test
  void whatCouldNotBeReadIsNotWritten() throws StoreException {
    try (Backend backend = DuckSamples.open(store, DuckSamples.EXISTING)) {
      assertThrows(
          StoreBackendException.class,
          () ->
              SampleStore.commit(
                  backend,
                  Durability.SYNC,
                  withAttribute(backend, "/huge", 1 << 20),
                  SampleStore.put(backend, "/beside", 10, 1)));
      assertNull(backend.lookup(EntryKey.of("/huge")));
      assertNull(backend.lookup(EntryKey.of("/beside")));
      SampleStore.commit(backend, Durability.SYNC, withAttribute(backend, "/large", 1_000_000));
      assertNotNull(backend.lookup(EntryKey.of("/large")));
    }
  }

  /** Holds a store open until its input ends. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] arguments) throws StoreException, IOException {
      Path file = Path.of(arguments[0]);
      try (Backend backend = DuckSamples.open(file, DuckSamples.EXISTING)) {
        System.out.println(backend.name());
        System.in.read();
      }
    }
  }

  @Test
  void aReaderIsToldOfAWriterInAnotherProcess() throws IOException, InterruptedException {
    try (ChildJvm holder = ChildJvm.start(256, Holder.class, store.toString())) {
      assertNotNull(holder.line(), "the other process never opened the store");
      StoreLockedException thrown =
          assertThrows(
              StoreLockedException.class,
              () -> DuckSamples.open(store, DuckSamples.READ_ONLY).close());
      assertEquals(
          "store is open for writing: by=another process file=" + store.toRealPath(),
          thrown.getMessage());
      holder.endInput();
      assertEquals(0, holder.awaitExit());
    }
  }
}
