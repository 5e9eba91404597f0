package dev.coffer.backends.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.Durability;
import dev.coffer.vfs.EntryKind;
import dev.coffer.vfs.Layout;
import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreFullException;
import dev.coffer.vfs.spi.Change;
import dev.coffer.vfs.spi.ChunkBuffer;
import dev.coffer.vfs.spi.Commit;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.PackedChunk;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What can be done with a store on a device that has no room left. */
class FullDiskTest {
  private static final Attributes ATTRIBUTES = Attributes.of(0644, Instant.EPOCH);
  private static final int FILES = 60;
  private static final int LENGTH = 500;
  private static final int RESERVE = 20_000;

  private FaultyStorage storage = new FaultyStorage();

  private LogBackend open(Layout layout) throws StoreException {
    storage.layout = layout;
    storage.tuning = new Tuning(1 << 20, 1 << 20, 1, 1000, 0, false, 4000, 4000, RESERVE, 64);
    return Script.open(storage, false);
  }

  private static byte[] bytes(int file) {
    byte[] bytes = new byte[LENGTH];
    new Random(file).nextBytes(bytes);
    return bytes;
  }

  private static void put(LogBackend backend, int file) throws StoreException {
    EntryKey key = EntryKey.of("/f" + file);
    Content content = new Content.Packed(PackedChunk.of(false, 0, 0, LENGTH, bytes(file)));
    Entry entry = new Entry(key, EntryKind.FILE, 0, LENGTH, ATTRIBUTES, null, content);
    commit(backend, new Change(key, backend.lookup(key), entry));
  }

  private static void delete(LogBackend backend, int file) throws StoreException {
    EntryKey key = EntryKey.of("/f" + file);
    commit(backend, new Change(key, backend.lookup(key), null));
  }

  private static void commit(LogBackend backend, Change change) throws StoreException {
    backend.commit(
        new Commit(
            backend.sequence() + 1, Instant.EPOCH, List.of(change), new TreeMap<>(), List.of()),
        Durability.SYNC);
  }

  private static void assertHolds(LogBackend backend, int file) throws StoreException {
    Entry entry = backend.lookup(EntryKey.of("/f" + file));
    assertNotNull(entry, "/f" + file);
    ChunkBuffer buffer = new ChunkBuffer();
    assertTrue(backend.readLocated((Content.Located) entry.content(), buffer));
    assertArrayEquals(bytes(file), Arrays.copyOf(buffer.bytes(), buffer.length()));
  }

  private static void assertSound(LogBackend backend) throws StoreException {
    List<Problem> problems = new ArrayList<>(backend.recoveryReport());
    backend.verify(problems::add);
    assertEquals(List.of(), problems);
  }

  private void fill(LogBackend backend) throws StoreException {
    for (int i = 0; i < FILES; i++) {
      put(backend, i);
    }
  }

  /** A closed store, and not a byte free. */
  private void fillDevice(Layout layout) throws StoreException {
    try (LogBackend backend = open(layout)) {
      fill(backend);
    }
    storage = storage.restarted();
    storage.limitTo(storage.bytesTaken());
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void filesCanBeDeleted(Layout layout) throws StoreException {
    fillDevice(layout);
    try (LogBackend backend = open(layout)) {
      assertThrows(StoreFullException.class, () -> put(backend, FILES));
      delete(backend, 7);
      assertNull(backend.lookup(EntryKey.of("/f7")));
      assertThrows(
          StoreFullException.class,
          () -> {
            for (int i = FILES; i < 2 * FILES; i++) {
              put(backend, i);
            }
          });
      delete(backend, 9); // What was left of the reserve was not theirs.
      assertHolds(backend, 8);
    }
    FaultyStorage left = storage.restarted();
    try (LogBackend again = Script.open(left, false)) {
      assertSound(again);
      assertNull(again.lookup(EntryKey.of("/f7")));
      assertHolds(again, 8);
    }
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void filesCanBeDeletedAfterACrash(Layout layout) throws StoreException {
    LogBackend killed = open(layout);
    fill(killed);
    storage = storage.killedAfter(storage.steps());
    storage.limitTo(storage.bytesTaken());
    try (LogBackend backend = open(layout)) {
      delete(backend, 7);
    }
    storage = storage.restarted();
    try (LogBackend again = open(layout)) {
      assertSound(again);
      assertNull(again.lookup(EntryKey.of("/f7")));
      assertHolds(again, 8);
    }
  }

  @Test
  void aFolderStoreIsCompactedBitByBit() throws StoreException {
    fillDevice(Layout.FOLDER);
    try (LogBackend backend = open(Layout.FOLDER)) {
      for (int i = 0; i < FILES - 10; i++) {
        if (i % 6 != 5 || i < 12) {
          delete(backend, i); // Of the first segments nothing is left, of the others a little.
        }
      }
      long before = storage.bytesTaken();
      while (!backend.compact(700).done()) {
        // Until it is done.
      }
      assertTrue(storage.bytesTaken() < before / 2, storage.bytesTaken() + " of " + before);
      assertHolds(backend, 17);
      put(backend, 0);
    }
    storage = storage.restarted();
    try (LogBackend again = open(Layout.FOLDER)) {
      assertSound(again);
      assertHolds(again, 0);
      assertHolds(again, 17);
      assertHolds(again, FILES - 1);
    }
  }

  /**
   * What is dead goes first, though it is younger: there is no room for what lives of the oldest.
   */
  @Test
  void deadSegmentsMakeRoomForOthers() throws Exception {
    fillDevice(Layout.FOLDER);
    try (LogBackend backend = open(Layout.FOLDER)) {
      storage.limitTo(-1);
      for (int i = 1; i < FILES - 10; i++) {
        if (i >= 12 || i % 6 == 0) {
          delete(backend, i);
        }
      }
      storage.delete(reserve(Layout.FOLDER));
      storage.limitTo(storage.bytesTaken() + 2000);
      while (!backend.compact(700).done()) {
        // Until it is done.
      }
      assertHolds(backend, 11);
    }
  }

  @Test
  void aFileSaysHowMuchItNeeds() throws StoreException {
    fillDevice(Layout.FILE);
    try (LogBackend backend = open(Layout.FILE)) {
      for (int i = 0; i < FILES / 2; i++) {
        delete(backend, i);
      }
      StoreFullException full =
          assertThrows(StoreFullException.class, () -> backend.compact(Long.MAX_VALUE));
      assertTrue(
          full.getMessage()
              .matches("no room to compact: needed=\\d{5} usable=\\d{4,5} file=.*script.coffer"),
          full.getMessage());
      storage.limitTo(-1);
      while (!backend.compact(Long.MAX_VALUE).done()) {
        // Until it is done.
      }
      assertSound(backend);
    }
  }

  /** Once there is room again, so is the reserve. */
  @ParameterizedTest
  @EnumSource(Layout.class)
  void theReserveComesBack(Layout layout) throws StoreException {
    fillDevice(layout);
    Reserve probe = new Reserve(storage, reserve(layout), RESERVE);
    try (LogBackend backend = open(layout)) {
      delete(backend, 7);
      assertFalse(storage.exists(reserve(layout)));
      storage.limitTo(-1);
    }
    assertTrue(storage.exists(reserve(layout)));
    int steps = storage.steps();
    probe.keep();
    assertEquals(steps, storage.steps());
  }

  private static Path reserve(Layout layout) {
    return layout == Layout.FOLDER ? Script.FILE.resolve("reserve") : Reserve.beside(Script.FILE);
  }
}
