package dev.coffer.backends.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.NotAStoreException;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreFailedException;
import dev.coffer.vfs.StoreFullException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The set of segments of a folder store: the old one or the new one, whatever happens. */
class FolderFilesTest {
  private static final Path STORE = Path.of("/stores/folder.coffer");

  private FaultyStorage storage = new FaultyStorage();
  private FolderFiles files = new FolderFiles(storage, STORE);

  private void create() throws StoreException {
    ManifestLayout first = ManifestLayout.first(77, Instant.EPOCH);
    FolderCreation.create(storage, STORE, first).close();
  }

  private FolderWriter writer() throws StoreException {
    return new FolderWriter(
        files, Manifest.read(files).layout(), new Reserve(storage, STORE.resolve("reserve"), 300));
  }

  private static SegmentInfo finished(FolderWriter writer, long length) {
    int number = writer.manifest().active().number();
    return new SegmentInfo(number, length, 2L * number, 2L * number + 1, number, 9, true, false);
  }

  private static void roll(FolderWriter writer) throws StoreException, IOException {
    try (Storage.OpenFile file = writer.prepare()) {
      file.force(true);
    }
    writer.roll(finished(writer, 128), FolderWriter.NOTHING);
  }

  private static Set<Integer> numbers(FaultyStorage left) throws StoreException {
    Manifest manifest = Manifest.read(new FolderFiles(left, STORE));
    assertEquals(List.of(), manifest.problems());
    return new TreeSet<>(manifest.layout().numbers());
  }

  /** Crashes after every step since {@code from}: the set must be one of these two. */
  private void assertOldOrNew(int from, Set<Integer> old, Set<Integer> young)
      throws StoreException {
    Random random = new Random(42);
    for (int steps = from; steps <= storage.steps(); steps++) {
      for (int cut = 0; cut < 20; cut++) {
        FaultyStorage left =
            cut == 0 ? storage.killedAfter(steps) : storage.cutAfter(steps, random);
        Set<Integer> found = numbers(left);
        assertTrue(found.equals(old) || found.equals(young), "steps=" + steps + " " + found);
        if (steps == storage.steps()) {
          assertEquals(young, found, "the change had returned");
        }
      }
    }
  }

  @Test
  void aNewStoreIsThereWholeOrNotAtAll() throws StoreException {
    create();
    Random random = new Random(42);
    int whole = 0;
    for (int steps = 0; steps <= storage.steps(); steps++) {
      for (int cut = 0; cut < 50; cut++) {
        FaultyStorage left =
            cut == 0 ? storage.killedAfter(steps) : storage.cutAfter(steps, random);
        if (left.exists(STORE)) {
          whole++;
          assertEquals(Set.of(1), numbers(left));
          byte[] segment = left.bytes(new FolderFiles(left, STORE).segment(1));
          assertEquals(storage.bytes(files.segment(1)).length, segment.length);
        } else {
          assertTrue(steps < storage.steps(), "creation had returned");
          FolderCreation.create(left, STORE, ManifestLayout.first(78, Instant.EPOCH)).close();
          assertEquals(Set.of(1), numbers(left));
        }
      }
    }
    assertTrue(whole > 0);
  }

  @ParameterizedTest
  @EnumSource(names = {"NO_FORCE", "NO_DIRECTORY_FORCE", "SHORT_WRITE"})
  void aStorageThatLiesIsNoticed(FaultyStorage.Bug bug) {
    storage = new FaultyStorage(bug);
    files = new FolderFiles(storage, STORE);
    assertThrows(
        Throwable.class,
        () -> {
          aNewStoreIsThereWholeOrNotAtAll();
          aCrashWhileRollingLeavesTheOldSetOrTheNew();
        });
  }

  @Test
  void creationGivesWayToAStoreThatIsThere() throws StoreException {
    create();
    assertNull(FolderCreation.create(storage, STORE, ManifestLayout.first(78, Instant.EPOCH)));
    assertEquals(77, Manifest.read(files).layout().header().storeId());
  }

  @Test
  void aCrashWhileRollingLeavesTheOldSetOrTheNew() throws IOException {
    create();
    int from = storage.steps();
    roll(writer());
    assertOldOrNew(from, Set.of(1), Set.of(1, 2));
  }

  @Test
  void aCrashWhileDroppingLeavesTheOldSetOrTheNew() throws IOException {
    create();
    FolderWriter writer = writer();
    for (int i = 0; i < 4; i++) {
      roll(writer);
    }
    int from = storage.steps();
    writer.drop(Set.of(2, 4));
    assertOldOrNew(from, Set.of(1, 2, 3, 4, 5), Set.of(1, 3, 5));
    assertEquals(List.of(1, 3, 5), files.segments());
    assertEquals(List.of(writer.manifest().number()), files.manifests());
  }

  @Test
  void theActiveSegmentIsNeverDropped() throws IOException {
    create();
    FolderWriter writer = writer();
    assertThrows(IllegalArgumentException.class, () -> writer.drop(Set.of(1)));
  }

  @Test
  void aManifestIsReadAsWritten() throws IOException {
    create();
    FolderWriter writer = writer();
    roll(writer);
    roll(writer);
    assertEquals(writer.manifest(), Manifest.read(files).layout());
    assertEquals(2, writer.manifest().segments().get(1).lowestVersion());
    assertEquals(3, writer.manifest().active().number());
    assertFalse(writer.manifest().active().finished());
  }

  @Test
  void whatNoManifestNamesIsSwept() throws IOException {
    create();
    FolderWriter writer = writer();
    writer.prepare().close();
    storage.create(STORE.resolve("manifest-0000000009.new")).close();
    storage.create(STORE.resolve("somebody's")).close();
    files.sweep(writer.manifest(), true);
    assertEquals(
        List.of("manifest-0000000001", "segment-0000000001", "somebody's"), names(storage));
  }

  @Test
  void anyFlippedBitOfAManifestIsToldOrChangesNothing() throws IOException {
    create();
    FolderWriter writer = writer();
    roll(writer);
    byte[] bytes = storage.bytes(files.manifest(2));
    for (int bit = 0; bit < 8 * bytes.length; bit++) {
      byte[] damaged = bytes.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      FaultyStorage left = storage.restarted();
      write(left, files.manifest(2), damaged);
      Manifest found = Manifest.read(new FolderFiles(left, STORE));
      if (found.problems().isEmpty()) {
        assertEquals(writer.manifest(), found.layout(), "bit=" + bit);
      }
      assertEquals(Set.of(1, 2), found.layout().numbers(), "bit=" + bit);
    }
  }

  @Test
  void anyCutOfAManifestIsTold() throws IOException {
    create();
    byte[] bytes = storage.bytes(files.manifest(1));
    for (int length = 0; length < bytes.length; length++) {
      FaultyStorage left = storage.restarted();
      write(left, files.manifest(1), Arrays.copyOf(bytes, length));
      assertEquals(1, Manifest.read(new FolderFiles(left, STORE)).problems().size());
    }
  }

  private static void write(FaultyStorage storage, Path file, byte[] bytes) throws IOException {
    try (Storage.OpenFile open = storage.create(file)) {
      open.write(0, bytes, 0, bytes.length);
    }
  }

  @Test
  void anOlderManifestDoesNotHideWhatCameAfterIt() throws IOException {
    create();
    byte[] older = storage.bytes(files.manifest(1));
    FolderWriter writer = writer();
    roll(writer);
    write(storage, files.manifest(1), older);
    write(storage, files.manifest(2), new byte[300]);
    Manifest found = Manifest.read(files);
    assertEquals(1, found.problems().size());
    assertEquals(Set.of(1, 2), found.layout().numbers());
  }

  @Test
  void aManifestUnderAnotherNumberIsTold() throws IOException {
    create();
    roll(writer());
    storage.rename(files.manifest(2), files.manifest(5));
    assertEquals(1, Manifest.read(files).problems().size());
  }

  @Test
  void missingSegmentsAndManifestsAreTold() throws IOException {
    create();
    FolderWriter writer = writer();
    roll(writer);
    storage.delete(files.segment(1));
    Manifest found = Manifest.read(files);
    assertEquals(1, found.problems().size());
    assertEquals(Set.of(2), found.layout().numbers());
    storage.delete(files.manifest(2));
    assertEquals(Set.of(2), Manifest.read(files).layout().numbers());
    storage.delete(files.segment(2));
    assertThrows(NotAStoreException.class, () -> Manifest.read(files));
    write(storage, files.manifest(3), new byte[5]);
    assertThrows(StoreCorruptException.class, () -> Manifest.read(files));
  }

  @Test
  void aFullDeviceChangesNothingAndAnotherFailureLatches() throws IOException {
    create();
    FolderWriter writer = writer();
    writer.prepare().close();
    storage.failAfter(1, "No space left on device");
    assertThrows(
        StoreFullException.class, () -> writer.roll(finished(writer, 128), FolderWriter.NOTHING));
    storage.heal();
    assertEquals(Set.of(1), writer.manifest().numbers());
    roll(writer);
    storage.failAfter(4, "No space left on device");
    assertThrows(
        StoreFailedException.class, () -> writer.roll(finished(writer, 128), FolderWriter.NOTHING));
  }

  private static List<String> names(FaultyStorage storage) {
    return storage.list(STORE).stream()
        .map(file -> file.getFileName().toString())
        .sorted()
        .toList();
  }

  private static boolean isStore(String... names) {
    return FolderFiles.isStore(Stream.of(names).map(STORE::resolve).toList());
  }

  @Test
  void aFolderIsAStoreByTheNamesInIt() {
    assertTrue(isStore("lock", "manifest-0000000001"));
    assertTrue(isStore("segment-0000000001"));
    assertFalse(isStore("segment-1", "manifest-", "lock"));
    assertFalse(isStore("manifest-00000000x1", "manifest-0000000001.new"));
  }
}
