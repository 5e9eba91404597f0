package dev.coffer.backends.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.Durability;
import dev.coffer.vfs.EntryKind;
import dev.coffer.vfs.Layout;
import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreExistsException;
import dev.coffer.vfs.StoreOptions;
import dev.coffer.vfs.VirtualFileStore;
import dev.coffer.vfs.WriteBatch;
import dev.coffer.vfs.spi.BackendOptions;
import dev.coffer.vfs.spi.Change;
import dev.coffer.vfs.spi.Commit;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.PackedChunk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A folder store is copied while it is written, and the copy is a store of its own. */
class FolderBackupTest {
  private static final Path COPY = Path.of("/stores/copy");
  private static final int PAIRS = 20;

  @TempDir Path folder;

  private final FaultyStorage storage = new FaultyStorage();

  private LogBackend open() throws StoreException {
    storage.layout = Layout.FOLDER;
    storage.tuning = FaultyStorage.TINY;
    return Script.open(storage, false);
  }

  private static LogBackend openCopy(FaultyStorage storage) throws StoreException {
    return LogOpener.open(
        storage,
        COPY,
        new BackendOptions(BackendOptions.Creation.NEVER, Layout.FOLDER, false),
        FaultyStorage.TINY);
  }

  private static void put(LogBackend backend, String path, int seed) throws StoreException {
    byte[] bytes = new byte[200];
    new Random(seed).nextBytes(bytes);
    EntryKey key = EntryKey.of(path);
    Content content = new Content.Packed(PackedChunk.of(false, 0, 0, bytes.length, bytes));
    Attributes attributes = Attributes.of(0644, Instant.EPOCH);
    Entry entry = new Entry(key, EntryKind.FILE, 0, bytes.length, attributes, null, content);
    Change change = new Change(key, backend.lookup(key), entry);
    backend.commit(
        new Commit(
            backend.sequence() + 1, Instant.EPOCH, List.of(change), new TreeMap<>(), List.of()),
        Durability.SYNC);
  }

  private static String content(LogBackend backend, String path) throws StoreException {
    Entry entry = backend.lookup(EntryKey.of(path));
    assertNotNull(entry, path);
    return Script.content(backend, entry);
  }

  private static void assertSound(LogBackend backend) throws StoreException {
    List<Problem> problems = new ArrayList<>(backend.recoveryReport());
    backend.verify(problems::add);
    assertEquals(List.of(), problems);
  }

  private static void compact(LogBackend backend) throws StoreException {
    while (!backend.compact(1000).done()) {
      // Until it is done.
    }
  }

  private Map<Path, byte[]> segments(Path store) {
    Map<Path, byte[]> found = new TreeMap<>();
    for (Path file : storage.list(store)) {
      if (file.getFileName().toString().startsWith("segment-")) {
        found.put(file, storage.bytes(file));
      }
    }
    return found;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void neitherStoreDisturbsTheOther(boolean links) throws StoreException {
    storage.linksWork = links;
    LogBackend source = open();
    for (int i = 0; i < 30; i++) {
      put(source, "/f" + i % 10, i);
    }
    long before = storage.bytesTaken();
    source.backup(COPY);
    assertEquals(links, storage.bytesTaken() - before < 2000, "bytes that the copy takes");
    assertThrows(StoreExistsException.class, () -> source.backup(COPY));
    String three = content(source, "/f3");
    Map<Path, byte[]> copied = segments(COPY);
    assertTrue(copied.size() > 3, copied.keySet().toString());
    for (int i = 0; i < 30; i++) {
      put(source, "/f" + i % 10, 100 + i);
    }
    compact(source);
    String changed = content(source, "/f3");
    segments(COPY).forEach((file, bytes) -> assertArrayEquals(copied.get(file), bytes));
    try (LogBackend copy = openCopy(storage)) {
      assertSound(copy);
      assertEquals(three, content(copy, "/f3"));
      for (int i = 0; i < 30; i++) {
        put(copy, "/g" + i % 5, i);
      }
      compact(copy);
      assertEquals(three, content(copy, "/f3"));
      assertSound(copy);
    }
    assertEquals(changed, content(source, "/f3"));
    assertSound(source);
    source.close();
    try (LogBackend again = open()) {
      assertSound(again);
      assertEquals(changed, content(again, "/f3"));
    }
  }

  /** Whether the power fails or the process dies: the copy is whole, or not there. */
  @Test
  void aCrashLeavesAWholeCopyOrNone() throws StoreException {
    LogBackend source = open();
    for (int i = 0; i < 12; i++) {
      put(source, "/f" + i, i);
    }
    int first = storage.steps();
    source.backup(COPY);
    int last = storage.steps();
    String three = content(source, "/f3");
    int whole = 0;
    for (int cut = first; cut <= last; cut++) {
      for (int seed = -1; seed < 8; seed++) {
        FaultyStorage left =
            seed < 0 ? storage.killedAfter(cut) : storage.cutAfter(cut, new Random(seed));
        if (left.exists(COPY)) {
          whole++;
          try (LogBackend copy = openCopy(left)) {
            assertSound(copy);
            assertEquals(three, content(copy, "/f3"));
          }
        }
        try (LogBackend again = Script.open(left, false)) {
          assertEquals(three, content(again, "/f3"));
        }
      }
    }
    assertTrue(whole > 0);
  }

  private static byte[] bytes(long seed) {
    byte[] bytes = new byte[2000];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /** Writes two equal files in one batch, again and again. */
  private static int churn(VirtualFileStore store, int first, AtomicBoolean stop)
      throws IOException {
    int round = 0;
    while (!stop.get()) {
      int pair = first + 2 * (round % (PAIRS / 2));
      byte[] bytes = bytes(1000L * round + first);
      try (WriteBatch batch = store.newBatch()) {
        batch.write("/a" + pair, bytes);
        batch.write("/b" + pair, bytes);
        batch.commit();
      }
      round++;
    }
    return round;
  }

  private static void assertPairs(VirtualFileStore store) throws IOException {
    assertEquals(List.of(), store.recoveryReport());
    for (int i = 0; i < PAIRS; i++) {
      boolean there = store.exists("/a" + i);
      assertEquals(there, store.exists("/b" + i));
      if (there) {
        assertArrayEquals(store.read("/a" + i), store.read("/b" + i), "/a" + i);
      }
    }
    List<Problem> problems = new ArrayList<>();
    store.verify(problems::add);
    assertEquals(List.of(), problems);
  }

  private static long linked(Path store) throws IOException {
    try (Stream<Path> files = Files.list(store)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("segment-"))
          .filter(FolderBackupTest::isLinked)
          .count();
    }
  }

  private static boolean isLinked(Path file) {
    try {
      return (int) Files.getAttribute(file, "unix:nlink") > 1;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void copiesOfWhatIsWrittenAreOfOneMoment() throws Exception {
    StoreOptions options =
        StoreOptions.DEFAULT.withDurability(Durability.PROCESS).withLayout(Layout.FOLDER);
    Path store = folder.resolve("store");
    List<Path> copies = new ArrayList<>();
    ExecutorService pool = Executors.newFixedThreadPool(2);
    AtomicBoolean stop = new AtomicBoolean();
    try (VirtualFileStore source = VirtualFileStore.create(store, options)) {
      List<Future<Integer>> writers = new ArrayList<>();
      for (int first : List.of(0, 1)) {
        writers.add(pool.submit(() -> churn(source, first, stop)));
      }
      long links = 0;
      for (int i = 0; i < 6; i++) {
        Path copy = folder.resolve("copy" + i);
        source.backupTo(copy);
        copies.add(copy);
        links += linked(copy);
        try (VirtualFileStore other =
            VirtualFileStore.open(store, StoreOptions.DEFAULT.withReadOnly(true))) {
          other.backupTo(folder.resolve("other" + i)); // As another process would.
          copies.add(folder.resolve("other" + i));
        }
      }
      assertTrue(links > 0, "no segment was linked");
      stop.set(true);
      assertWritten(writers);
      source.compact();
      assertPairs(source);
    } finally {
      stop.set(true);
      pool.shutdown();
    }
    for (Path copy : copies) {
      try (VirtualFileStore open = VirtualFileStore.open(copy, StoreOptions.DEFAULT)) {
        assertPairs(open);
        open.write("/more", bytes(1));
        open.compact();
        assertPairs(open);
      }
    }
    try (VirtualFileStore source = VirtualFileStore.open(store, StoreOptions.DEFAULT)) {
      assertFalse(source.exists("/more"));
      assertPairs(source);
    }
  }

  private static void assertWritten(List<Future<Integer>> writers)
      throws InterruptedException, ExecutionException {
    for (Future<Integer> writer : writers) {
      assertTrue(writer.get() > 0);
    }
  }
}
