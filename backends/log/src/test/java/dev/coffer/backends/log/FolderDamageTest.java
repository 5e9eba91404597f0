package dev.coffer.backends.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.Layout;
import dev.coffer.vfs.NotAStoreException;
import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreVersionException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;

/** What damage to any file of a folder store does: it is told, or it changes nothing. */
class FolderDamageTest {
  private final FaultyStorage whole = new FaultyStorage();
  private final List<Path> files = new ArrayList<>();
  private final SortedMap<String, String> contents;

  FolderDamageTest() throws StoreException {
    whole.tuning = FaultyStorage.TINY;
    whole.layout = Layout.FOLDER;
    Script script = new Script(whole, 5);
    script.run(40);
    script.backend().close();
    contents = script.states.get(script.states.size() - 1);
    files.addAll(whole.list(Script.FILE));
    files.removeIf(whole::isDirectory);
    files.remove(Script.FILE.resolve("reserve")); // It holds nothing.
  }

  private FaultyStorage with(Path file, byte[] bytes) throws IOException {
    FaultyStorage damaged = whole.restarted();
    try (Storage.OpenFile open = damaged.create(file)) {
      open.write(0, bytes, 0, bytes.length);
    }
    return damaged;
  }

  private void assertToldOrUnchanged(FaultyStorage damaged, String where) throws StoreException {
    for (boolean readOnly : new boolean[] {true, false}) {
      try (LogBackend backend = Script.open(damaged, readOnly)) {
        List<Problem> problems = new ArrayList<>(backend.recoveryReport());
        SortedMap<String, String> found = Script.contents(backend);
        backend.verify(problems::add);
        boolean told =
            !problems.isEmpty() || found.values().stream().anyMatch(v -> v.endsWith("DAMAGED"));
        if (!told) {
          assertEquals(contents, found, where + " readOnly=" + readOnly);
        }
      } catch (StoreCorruptException | NotAStoreException | StoreVersionException e) {
        // Told as well.
      }
    }
  }

  @Test
  void aFlippedBitOfAnyFileIsToldOrChangesNothing() throws IOException {
    Random random = new Random(7);
    for (Path file : files) {
      for (int i = 0; i < 60; i++) {
        byte[] bytes = whole.bytes(file);
        int bit = random.nextInt(8 * bytes.length);
        bytes[bit / 8] ^= (byte) (1 << bit % 8);
        assertToldOrUnchanged(with(file, bytes), file + " bit=" + bit);
      }
    }
  }

  @Test
  void aCutOfAnyFileIsToldOrChangesNothing() throws IOException {
    Random random = new Random(8);
    for (Path file : files) {
      for (int i = 0; i < 20; i++) {
        byte[] bytes = whole.bytes(file);
        int length = random.nextInt(bytes.length);
        assertToldOrUnchanged(with(file, Arrays.copyOf(bytes, length)), file + " length=" + length);
      }
    }
  }

  @Test
  void aMissingFileIsTold() throws IOException {
    for (Path file : files) {
      FaultyStorage damaged = whole.restarted();
      damaged.delete(file);
      try (LogBackend backend = Script.open(damaged, true)) {
        assertFalse(backend.recoveryReport().isEmpty(), file.toString());
      } catch (StoreCorruptException e) {
        // Told as well.
      }
    }
  }

  /** As a power cut may leave it, if the device lies. */
  @Test
  void aPartOfTheIndexThatWasCutLosesNothing() throws IOException {
    int cut = 0;
    for (Path part : whole.list(Script.FILE.resolve("index"))) {
      if (part.getFileName().toString().startsWith("part-")) {
        cut++;
        byte[] bytes = whole.bytes(part);
        FaultyStorage damaged = with(part, Arrays.copyOf(bytes, bytes.length - 1));
        assertTimeoutPreemptively(Duration.ofMinutes(1), () -> assertWhole(damaged));
      }
    }
    assertTrue(cut > 0);
  }

  private void assertWhole(FaultyStorage damaged) throws StoreException {
    try (LogBackend backend = Script.open(damaged, false)) {
      assertEquals(contents, Script.contents(backend));
      assertFalse(backend.isReadOnly());
    }
  }

  @Test
  void aDeletedIndexIsMadeAnew() throws IOException {
    FaultyStorage damaged = whole.restarted();
    for (Path part : damaged.list(Script.FILE.resolve("index"))) {
      damaged.delete(part);
    }
    try (LogBackend backend = Script.open(damaged, false)) {
      assertEquals(List.of(), backend.recoveryReport());
      assertEquals(contents, Script.contents(backend));
      assertFalse(backend.isReadOnly());
    }
  }
}
