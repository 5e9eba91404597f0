package dev.coffer.backends.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.NotAStoreException;
import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreClosedException;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreFailedException;
import dev.coffer.vfs.StoreFullException;
import dev.coffer.vfs.StoreVersionException;
import dev.coffer.vfs.spi.PackedChunk;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;

/** What damage does: it is told, or it changes nothing. */
class DamageTest {

  private record Store(byte[] bytes, SortedMap<String, String> contents) {}

  private static Store store(long seed, int steps) throws StoreException {
    return store(seed, steps, FaultyStorage.PLAIN);
  }

  private static Store store(long seed, int steps, Tuning tuning) throws StoreException {
    FaultyStorage storage = new FaultyStorage();
    storage.tuning = tuning;
    Script script = new Script(storage, seed);
    script.run(steps);
    script.backend().close();
    return new Store(storage.bytes(Script.FILE), script.states.get(script.states.size() - 1));
  }

  private static FaultyStorage storage(byte[] bytes) {
    return FaultyStorage.with(Script.FILE, bytes);
  }

  /** Whether opening, or verifying, or reading tells that something is wrong. */
  private static boolean isTold(LogBackend backend, SortedMap<String, String> contents)
      throws StoreException {
    List<Problem> problems = new ArrayList<>(backend.recoveryReport());
    backend.verify(problems::add);
    return !problems.isEmpty() || contents.values().stream().anyMatch(v -> v.endsWith("DAMAGED"));
  }

  private static void assertToldOrUnchanged(byte[] damaged, Store store, String where)
      throws StoreException {
    for (boolean readOnly : new boolean[] {true, false}) {
      try (LogBackend backend = Script.open(storage(damaged), readOnly)) {
        SortedMap<String, String> found = Script.contents(backend);
        if (!isTold(backend, found)) {
          assertEquals(store.contents, found, where + " readOnly=" + readOnly);
        }
      } catch (StoreCorruptException | NotAStoreException | StoreVersionException e) {
        // Told as well.
      }
    }
  }

  @Test
  void anyFlippedBitIsToldOrChangesNothing() throws StoreException {
    Store store = store(1, 5);
    for (int bit = 0; bit < 8 * store.bytes.length; bit++) {
      byte[] damaged = store.bytes.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      assertToldOrUnchanged(damaged, store, "bit=" + bit);
    }
  }

  @Test
  void anyFlippedBitOfAStoreWithAnIndexIsToldOrChangesNothing() throws StoreException {
    Store store = store(2, 25, FaultyStorage.TINY);
    for (int bit = 0; bit < 8 * store.bytes.length; bit += 3) {
      byte[] damaged = store.bytes.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      assertToldOrUnchanged(damaged, store, "bit=" + bit);
    }
  }

  @Test
  void aDamagedIndexLosesNothing() throws StoreException {
    Store store = store(2, 25, FaultyStorage.TINY);
    int parts = 0;
    for (int at = FileHeader.LENGTH; at < store.bytes.length - RecordHeader.LENGTH; at++) {
      RecordHeader header = RecordHeader.decode(store.bytes, at, home(store.bytes), at);
      if (header == null || header.kind() < RecordKind.INDEX_PART) {
        continue;
      }
      parts++;
      for (int i = at; i < at + header.length(); i++) {
        byte[] damaged = store.bytes.clone();
        damaged[i] ^= 4;
        for (boolean readOnly : new boolean[] {true, false}) {
          try (LogBackend backend = Script.open(storage(damaged), readOnly)) {
            assertEquals(store.contents, Script.contents(backend), "at=" + i);
          }
        }
      }
    }
    assertTrue(parts > 1, "parts=" + parts);
  }

  private static RecordHeader.Home home(byte[] bytes) throws StoreException {
    return new RecordHeader.Home(FileHeader.decode(bytes).storeId(), 0);
  }

  @Test
  void aFlippedBitOutsideContentNeverLosesMoreThanItsRecord() throws StoreException {
    Store store = store(3, 12);
    Random random = new Random(3);
    for (int i = 0; i < 500; i++) {
      int at = FileHeader.LENGTH + 64 + random.nextInt(store.bytes.length - 300);
      byte[] damaged = store.bytes.clone();
      damaged[at] ^= 0x10;
      try (LogBackend backend = Script.open(storage(damaged), true)) {
        SortedMap<String, String> found = Script.contents(backend);
        long same =
            store.contents.entrySet().stream()
                .filter(e -> e.getValue().equals(found.get(e.getKey())))
                .count();
        // One record names one entry, but several may share its content.
        assertTrue(same * 2 >= store.contents.size(), "at=" + at + " same=" + same);
      }
    }
  }

  @Test
  void anyCutIsTold() throws StoreException {
    Store store = store(4, 14);
    for (int length = 0; length < store.bytes.length; length++) {
      byte[] cut = Arrays.copyOf(store.bytes, length);
      for (boolean readOnly : new boolean[] {true, false}) {
        try (LogBackend backend = Script.open(storage(cut), readOnly)) {
          assertFalse(backend.recoveryReport().isEmpty(), "length=" + length);
        } catch (StoreCorruptException e) {
          assertTrue(length < FileHeader.LENGTH + 64, "length=" + length + " " + e);
        } catch (NotAStoreException e) {
          assertTrue(length < FileHeader.COPY_LENGTH, "length=" + length + " " + e);
        }
      }
    }
  }

  @Test
  void bytesBehindTheEndAreToldAndCostNothing() throws StoreException {
    Store store = store(5, 14);
    byte[] twice = Arrays.copyOf(store.bytes, 2 * store.bytes.length);
    System.arraycopy(store.bytes, 0, twice, store.bytes.length, store.bytes.length);
    for (byte[] longer : List.of(Arrays.copyOf(store.bytes, store.bytes.length + 5000), twice)) {
      FaultyStorage storage = storage(longer);
      try (LogBackend backend = Script.open(storage, true)) {
        assertEquals(1, backend.recoveryReport().size());
        assertEquals(store.contents, Script.contents(backend));
      }
      try (LogBackend backend = Script.open(storage, false)) {
        assertEquals(store.contents, Script.contents(backend));
        assertFalse(backend.isReadOnly());
      }
      try (LogBackend backend = Script.open(storage, true)) {
        assertEquals(List.of(), backend.recoveryReport());
        assertEquals(store.contents, Script.contents(backend));
      }
    }
  }

  @Test
  void damageBelowWhatWasForcedOpensReadOnlyAndNamesTheOffset() throws StoreException {
    Store store = store(6, 14);
    byte[] damaged = store.bytes.clone();
    damaged[FileHeader.LENGTH + 64 + 33] ^= 1; // In the first record after the epoch record.
    try (LogBackend backend = Script.open(storage(damaged), false)) {
      assertTrue(backend.isReadOnly());
      assertEquals(FileHeader.LENGTH + 64, backend.recoveryReport().get(0).offset());
    }
  }

  @Test
  void oneFlippedBitOfTheFileHeaderHidesNothing() throws StoreException {
    Store store = store(7, 8);
    for (int bit = 0; bit < 8 * FileHeader.LENGTH; bit++) {
      byte[] damaged = store.bytes.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      assertTrue(FileHeader.recognizes(ByteBuffer.wrap(damaged)), "bit=" + bit);
      try (LogBackend backend = Script.open(storage(damaged), false)) {
        assertEquals(store.contents, Script.contents(backend));
        assertEquals(1, backend.recoveryReport().size());
      }
    }
  }

  @Test
  void foreignEmptyAndNewerFilesEachHaveTheirError() throws StoreException {
    assertThrows(NotAStoreException.class, () -> Script.open(storage(new byte[0]), false));
    assertThrows(NotAStoreException.class, () -> Script.open(storage(new byte[9000]), false));
    Store store = store(8, 3);
    assertEquals(
        true,
        assertThrows(
                StoreVersionException.class,
                () -> Script.open(storage(withWord(store.bytes, 8, 2)), true))
            .isTooNew());
    assertEquals(
        false,
        assertThrows(
                StoreVersionException.class,
                () -> Script.open(storage(withWord(store.bytes, 8, 0)), true))
            .isTooNew());
    assertEquals(
        true,
        assertThrows(
                StoreVersionException.class,
                () -> Script.open(storage(withWord(store.bytes, 20, 64)), true))
            .isTooNew());
    try (LogBackend backend = Script.open(storage(withWord(store.bytes, 16, 4)), false)) {
      assertTrue(backend.isReadOnly());
    }
    try (LogBackend backend = Script.open(storage(withWord(store.bytes, 12, 4)), false)) {
      assertFalse(backend.isReadOnly());
    }
  }

  /** Sets a word of the file header in both copies, with the right checksum. */
  private static byte[] withWord(byte[] bytes, int offset, int value) {
    ByteBuffer copy = ByteBuffer.wrap(bytes.clone()).order(ByteOrder.LITTLE_ENDIAN);
    copy.putInt(offset, value);
    copy.putInt(60, PackedChunk.checksum(copy.array(), 0, 60));
    System.arraycopy(copy.array(), 0, copy.array(), 64, 64);
    return copy.array();
  }

  @Test
  void aFullDeviceLeavesTheStoreAsItWas() throws StoreException {
    for (long seed = 9; seed < 20; seed++) {
      FaultyStorage storage = new FaultyStorage();
      Script script = new Script(storage, seed);
      script.run(5);
      script.backend().force();
      int sequence = (int) script.backend().sequence();
      storage.failAfter(0, "No space left on device");
      try {
        for (int i = 0; i < 20; i++) {
          script.run(1);
        }
      } catch (StoreFullException | StoreFailedException e) {
        assertTrue(script.backend().sequence() >= sequence);
        assertHolds(script, storage);
      }
      storage.heal();
    }
  }

  /** A store that could not be closed for want of room holds as much when it is opened again. */
  private static void assertHolds(Script script, FaultyStorage storage) throws StoreException {
    SortedMap<String, String> expected = script.states.get((int) script.backend().sequence());
    try {
      assertEquals(expected, Script.contents(script.backend()));
    } catch (StoreClosedException e) {
      storage.heal();
      try (LogBackend again = Script.open(storage, false)) {
        assertEquals(expected, Script.contents(again));
      }
    }
  }
}
