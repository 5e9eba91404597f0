package dev.coffer.backends.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.EntryKind;
import dev.coffer.vfs.FileEntry;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreExistsException;
import dev.coffer.vfs.StoreOptions;
import dev.coffer.vfs.StoreReadOnlyException;
import dev.coffer.vfs.VirtualFileStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sealed files: hold what the store held, and nothing else may be made of them. */
class SealTest {
  @TempDir Path temp;

  /** A store with files of every form, some of them shared, replaced or gone. */
  private Path newStore(int files) throws IOException {
    Path file = temp.resolve("s.coffer");
    try (VirtualFileStore store = VirtualFileStore.create(file)) {
      Random random = new Random(7);
      for (int i = 0; i < files; i++) {
        byte[] content = new byte[random.nextInt(300)];
        random.nextBytes(content);
        store.write("/small/" + i, content);
      }
      byte[] large = new byte[600_000];
      random.nextBytes(large);
      store.write("/large", large);
      store.write("/zeros", new byte[3_000_000]);
      store.write("/text", "text ".repeat(20_000).getBytes(UTF_8));
      store.write("/empty", new byte[0]);
      store.createSymbolicLink("/link", "../elsewhere", null);
      store.createDirectories("/folder/below");
      store.copy("/text", "/folder/copy");
      store.copy("/large", "/folder/below/copy");
      store.move("/small/1", "/folder/moved");
      store.delete("/small/2");
      store.write("/small/3", "replaced".getBytes(UTF_8), Attributes.of(0600, Instant.EPOCH));
    }
    return file;
  }

  /** What a store holds, a line an entry. */
  static List<String> listing(VirtualFileStore store) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<FileEntry> entries = store.walk("/")) {
      for (FileEntry entry : (Iterable<FileEntry>) entries::iterator) {
        int content =
            entry.kind() == EntryKind.FILE
                ? java.util.Arrays.hashCode(store.read(entry.path()))
                : 0;
        lines.add(entry + " content=" + content);
      }
    }
    return lines;
  }

  private static List<String> listing(Path file) throws IOException {
    try (VirtualFileStore store =
        VirtualFileStore.open(file, StoreOptions.DEFAULT.withReadOnly(true))) {
      return listing(store);
    }
  }

  private Path sealed(Path store) throws IOException {
    Path sealed = temp.resolve("sealed.coffer");
    try (VirtualFileStore open = VirtualFileStore.open(store)) {
      open.sealTo(sealed);
    }
    return sealed;
  }

  private static List<String> problems(Path file) throws IOException {
    List<String> problems = new ArrayList<>();
    try (VirtualFileStore store = VirtualFileStore.open(file)) {
      var unused = store.verify(problem -> problems.add(problem.message()));
    }
    return problems;
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(temp)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void holdsWhatTheStoreHeldAndIsNeverWritten() throws IOException {
    Path store = newStore(500);
    Path sealed = sealed(store);
    assertEquals(listing(store), listing(sealed));
    assertEquals(List.of(), problems(sealed));
    assertEquals(
        List.of(".s.coffer.lock", ".s.coffer.reserve", "s.coffer", "sealed.coffer"), names());
    byte[] before = Files.readAllBytes(sealed);
    try (VirtualFileStore first = VirtualFileStore.open(sealed);
        VirtualFileStore second = VirtualFileStore.open(sealed)) {
      assertTrue(first.isReadOnly() && second.isReadOnly());
      assertThrows(StoreReadOnlyException.class, () -> first.write("/x", new byte[1]));
      assertThrows(StoreReadOnlyException.class, first::compact);
      assertEquals(listing(first), listing(second));
    }
    assertArrayEquals(before, Files.readAllBytes(sealed));
    assertEquals(
        List.of(".s.coffer.lock", ".s.coffer.reserve", "s.coffer", "sealed.coffer"), names());
    assertThrows(StoreExistsException.class, () -> sealed(store));
    assertTrue(Files.size(sealed) < Files.size(store), "the text is kept once, as it was");
  }

  @Test
  void isSealedOfTheMomentWhileWritesGoOn() throws IOException {
    Path store = newStore(5);
    Path sealed = temp.resolve("sealed.coffer");
    List<String> expected = listing(store);
    try (VirtualFileStore open = VirtualFileStore.open(store)) {
      open.sealTo(sealed);
      open.write("/later", new byte[5]);
    }
    assertEquals(expected, listing(sealed));
    Path again = temp.resolve("again.coffer");
    try (VirtualFileStore open = VirtualFileStore.open(sealed)) {
      open.sealTo(again);
      assertNull(open.find("/later"));
    }
    assertEquals(expected, listing(again));
    assertEquals(List.of(), problems(again));
  }

  @Test
  void anEmptyStoreCanBeSealed() throws IOException {
    Path store = temp.resolve("s.coffer");
    VirtualFileStore.create(store).close();
    Path sealed = sealed(store);
    assertEquals(listing(store), listing(sealed));
    assertEquals(List.of(), problems(sealed));
  }

  @Test
  void opensWithItsIndexAndWithoutReadingTheLog() throws IOException {
    Path sealed = sealed(newStore(500));
    byte[] bytes = Files.readAllBytes(sealed);
    List<String> expected = listing(sealed);
    bytes[FileHeader.LENGTH + 40] ^= 1; // In the first record, which only a replay reads.
    Files.write(sealed, bytes);
    try (VirtualFileStore store = VirtualFileStore.open(sealed)) {
      assertEquals(List.of(), store.recoveryReport());
      assertEquals(expected, listing(store));
    }
    assertFalse(problems(sealed).isEmpty());
  }

  @Test
  void cutAnywhereItIsTruncatedAndStaysAsItIs() throws IOException {
    Path sealed = sealed(newStore(20));
    byte[] bytes = Files.readAllBytes(sealed);
    for (int cut : new int[] {1, 95, 96, 97, 160, 161, 5000, bytes.length - 200}) {
      byte[] rest = java.util.Arrays.copyOf(bytes, bytes.length - cut);
      Files.write(sealed, rest);
      for (boolean readOnly : new boolean[] {true, false}) {
        StoreCorruptException e =
            assertThrows(
                StoreCorruptException.class,
                () -> VirtualFileStore.open(sealed, StoreOptions.DEFAULT.withReadOnly(readOnly)));
        assertTrue(
            e.getMessage()
                .contains("truncated: expected=" + bytes.length + " found=" + rest.length),
            e.getMessage());
      }
      assertArrayEquals(rest, Files.readAllBytes(sealed));
    }
  }

  @Test
  void whateverIsBehindItsEndIsToldAndDoesNotCount() throws IOException {
    Path sealed = sealed(newStore(20));
    List<String> expected = listing(sealed);
    Files.write(sealed, new byte[300], java.nio.file.StandardOpenOption.APPEND);
    try (VirtualFileStore store = VirtualFileStore.open(sealed)) {
      assertEquals(1, store.recoveryReport().size());
      assertEquals(expected, listing(store));
    }
  }

  @Test
  void everyFlippedByteIsFoundByVerify() throws IOException {
    Path sealed = sealed(newStore(40));
    byte[] bytes = Files.readAllBytes(sealed);
    List<String> expected = listing(sealed);
    Random random = new Random(11);
    for (int i = 0; i < 40; i++) {
      // The ends of the file are where the special records are.
      int at =
          i < 16
              ? bytes.length - 1 - random.nextInt(400)
              : i < 24 ? random.nextInt(400) : random.nextInt(bytes.length);
      byte[] damaged = bytes.clone();
      damaged[at] ^= (byte) (1 << random.nextInt(8));
      Files.write(sealed, damaged);
      List<String> problems = problems(sealed);
      assertFalse(problems.isEmpty(), "seed 11, byte " + at);
      try (VirtualFileStore store = VirtualFileStore.open(sealed)) {
        List<String> listed = listing(store);
        assertEquals(expected, listed, "byte " + at);
      } catch (StoreCorruptException | java.io.UncheckedIOException e) {
        assertTrue(at >= FileHeader.LENGTH, "byte " + at + " " + e);
      }
      assertArrayEquals(damaged, Files.readAllBytes(sealed));
    }
  }

  @Test
  void opensFromAReadOnlyFolder() throws IOException {
    Path sealed = sealed(newStore(20));
    Path folder = Files.createDirectory(temp.resolve("media"));
    Path there = Files.move(sealed, folder.resolve("sealed.coffer"));
    Files.setPosixFilePermissions(there, PosixFilePermissions.fromString("r--r--r--"));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("r-xr-xr-x"));
    try (VirtualFileStore store = VirtualFileStore.open(there)) {
      assertTrue(store.isReadOnly());
      assertEquals(listing(temp.resolve("s.coffer")), listing(store));
    } finally {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(there), files.toList());
    }
  }

  private static int indexOf(byte[] bytes, byte[] part) {
    int at = 0;
    while (!java.util.Arrays.equals(bytes, at, at + part.length, part, 0, part.length)) {
      at++;
    }
    return at;
  }

  @Test
  void damagedContentIsNotSealed() throws IOException {
    Path store = newStore(20);
    byte[] bytes = Files.readAllBytes(store);
    byte[] large;
    try (VirtualFileStore open = VirtualFileStore.open(store)) {
      large = open.readRange("/large", 100, 16);
    }
    bytes[indexOf(bytes, large)] ^= 1; // Random bytes are stored as they are.
    Files.write(store, bytes);
    assertThrows(StoreCorruptException.class, () -> sealed(store));
    assertEquals(List.of(".s.coffer.lock", ".s.coffer.reserve", "s.coffer"), names());
  }
}
