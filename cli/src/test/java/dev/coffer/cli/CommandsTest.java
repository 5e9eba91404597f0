package dev.coffer.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.StoreOptions;
import dev.coffer.vfs.VirtualFileStore;
import dev.coffer.vfs.WriteBatch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every command, on every backend. */
final class CommandsTest {
  @TempDir Path temp;

  private Path newStore(String backend) throws IOException {
    Path tree = Files.createDirectories(temp.resolve("small"));
    Trees.file(tree, "a.txt", "alpha");
    Trees.file(tree, "d/b.txt", "beta");
    Trees.file(tree, "d/e/c.txt", "gamma");
    Path store = temp.resolve("s.coffer");
    Run.ok("-q", "pack", store, "-C", tree, ".", "--backend", backend);
    return store;
  }

  @ParameterizedTest
  @ValueSource(strings = {"log", "sqlite", "duckdb"})
  void aTreeOfOddNamesComesBackAsItWas(String backend) throws IOException {
    Path tree = Trees.odd(temp.resolve("tree"));
    Path store = temp.resolve("odd store.coffer");
    Run.ok("pack", store, "-C", tree, ".", "--backend", backend);
    Run.ok("verify", store);
    Run extracted = Run.ok("extract", store, "-d", temp.resolve("out"));
    assertEquals("", extracted.err());
    assertEquals(Trees.describe(tree), Trees.describe(temp.resolve("out")));
    for (String json : Run.ok("ls", "-R", "--json", store).lines()) {
      JsonReader.check(json);
    }
    assertEquals(
        Trees.describe(tree).size(), Run.ok("ls", "-R", store).lines().size(), "one line each");
    assertArrayEquals(Trees.random(1, 3_000_000), Run.ok("cat", store, "sub/large").bytes());
  }

  @ParameterizedTest
  @ValueSource(strings = {"log", "sqlite", "duckdb"})
  void deepPathsComeBack(String backend) throws IOException {
    // 4,096 bytes with the first slash: more than the system takes at once below another folder.
    Path tree = Files.createDirectories(temp.resolve("tree"));
    String name = "f".repeat(15);
    Deep.make(tree, 16, 254, name);
    Path out = Files.createDirectory(temp.resolve("out"));
    Path store = temp.resolve("deep.coffer");
    try {
      Run.ok("pack", store, "-C", tree, ".", "--backend", backend);
      Run.ok("extract", store, "-d", out);
      assertEquals("deep", Deep.read(out, 16, 254, name));
    } finally {
      Deep.delete(tree, 16, 254, name);
      Deep.delete(out, 16, 254, name);
    }
    List<String> lines = Run.ok("ls", "-R", store).lines();
    assertEquals(17, lines.size());
    assertEquals(4095, lines.get(16).length());
    assertEquals("deep", Run.ok("cat", store, lines.get(16)).out());
  }

  @ParameterizedTest
  @ValueSource(strings = {"log", "sqlite", "duckdb"})
  void listsFoldersInKeyOrder(String backend) throws IOException {
    Path store = newStore(backend);
    assertEquals(List.of("a.txt", "d/"), Run.ok("ls", store).lines());
    assertEquals(List.of("b.txt", "e/"), Run.ok("ls", store, "d/").lines());
    assertEquals(
        List.of("a.txt", "d/", "d/b.txt", "d/e/", "d/e/c.txt"), Run.ok("ls", "-R", store).lines());
    assertEquals(
        List.of("d/e/", "d/b.txt").stream().sorted().toList(),
        Run.ok("ls", "-R", store, "/d").lines().stream().limit(2).toList());
    assertEquals(List.of("d/b.txt"), Run.ok("ls", store, "/d/b.txt").lines());
    Run missing = Run.of("ls", store, "nowhere");
    assertEquals(1, missing.code());
    assertTrue(missing.err().startsWith("coffer: ") && missing.err().contains("nowhere"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"log", "sqlite", "duckdb"})
  void readsAndNamesWhatItCannotRead(String backend) throws IOException {
    Path store = newStore(backend);
    Run run = Run.of("cat", store, "a.txt", "missing\n", "d", "d/b.txt");
    assertEquals(1, run.code());
    assertEquals("alphabeta", run.out());
    assertEquals(2, run.err().lines().count(), run.err());
    assertTrue(run.err().contains("coffer: missing\\n: "), run.err());
    assertTrue(run.err().contains("coffer: d: "), run.err());
    assertFalse(run.err().contains("path="), run.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"log", "sqlite", "duckdb"})
  void changesOneFileAtATime(String backend) throws IOException {
    Path store = newStore(backend);
    byte[] piped = "piped".getBytes(StandardCharsets.UTF_8);
    assertEquals(0, Run.withInput(piped, "put", store, "new/p").code());
    assertEquals("piped", Run.ok("cat", store, "new/p").out());
    Path file = Trees.file(temp, "x", "from a file");
    Trees.set(file, "rwxr-x---", Instant.parse("2011-01-01T00:00:00.000000001Z"));
    Run.ok("put", store, "/a.txt", file);
    assertEquals("from a file", Run.ok("cat", store, "a.txt").out());
    String line = Run.ok("ls", "-l", store, "a.txt").out();
    assertTrue(line.startsWith("-rwxr-x--- ") && line.contains(" 2011-01-01T00:00:00.000000001Z "));
    Run.ok("mv", store, "a.txt", "d");
    assertEquals("from a file", Run.ok("cat", store, "d/a.txt").out());
    assertEquals(1, Run.of("mv", store, "new/p", "d/a.txt").code());
    Run.ok("mv", "-f", store, "new/p", "d/a.txt");
    assertEquals("piped", Run.ok("cat", store, "d/a.txt").out());
    Run.ok("mv", store, "d", "moved");
    assertEquals(1, Run.of("rm", store, "moved").code());
    Run.ok("rm", "-r", store, "moved");
    Run.ok("mkdir", store, "m/n/o");
    Run.ok("rm", store, "m/n/o", "new");
    assertEquals(List.of("m/", "m/n/"), Run.ok("ls", "-R", store).lines());
    Run partly = Run.of("rm", store, "gone", "m/n");
    assertEquals(1, partly.code());
    assertEquals(List.of("m/"), Run.ok("ls", "-R", store).lines());
    Run.ok("compact", store);
    Run.ok("verify", store);
  }

  @ParameterizedTest
  @ValueSource(strings = {"log", "sqlite", "duckdb"})
  void anIncompletePackIsCalledThat(String backend) throws IOException {
    Path store = newStore(backend);
    try (VirtualFileStore open = VirtualFileStore.open(store);
        WriteBatch batch = open.newBatch()) {
      batch.setProperty("coffer.pack", "incomplete");
      batch.commit();
    }
    assertIncomplete(0, Run.of("ls", store));
    assertIncomplete(0, Run.of("info", store));
    assertIncomplete(1, Run.of("verify", store));
    assertIncomplete(1, Run.of("extract", store, "-d", temp.resolve("out")));
    assertEquals("alpha", Files.readString(temp.resolve("out/a.txt")));
  }

  private static void assertIncomplete(int code, Run run) {
    assertEquals(code, run.code(), run.err());
    assertTrue(run.err().contains("incomplete pack"), run.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"log", "sqlite", "duckdb"})
  void infoTellsTheBackend(String backend) throws IOException {
    List<String> lines = Run.ok("info", newStore(backend)).lines();
    assertTrue(lines.contains("backend: " + backend), lines.toString());
    assertTrue(lines.contains("files: 3") && lines.contains("folders: 2"), lines.toString());
    assertTrue(lines.contains("plain: 14 (14 B)"), lines.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"log", "sqlite", "duckdb"})
  void readingChangesNothing(String backend) throws IOException {
    Path store = newStore(backend);
    byte[] before = Files.readAllBytes(store);
    Files.setLastModifiedTime(store, java.nio.file.attribute.FileTime.fromMillis(1_000_000));
    Run.ok("ls", "-lR", store);
    Run.ok("cat", store, "a.txt");
    Run.ok("info", store);
    Run.ok("verify", store);
    Run.ok("extract", store, "a.txt", "-d", temp.resolve("out"));
    assertArrayEquals(before, Files.readAllBytes(store));
    assertEquals(1_000_000, Files.getLastModifiedTime(store).toMillis());
  }

  @ParameterizedTest
  @ValueSource(strings = {"log", "sqlite", "duckdb"})
  void aStoreThatIsOpenElsewhereIsLocked(String backend) throws IOException {
    Path store = newStore(backend);
    try (VirtualFileStore open = VirtualFileStore.open(store, StoreOptions.DEFAULT)) {
      assertFalse(open.isReadOnly());
      Run run = Run.of("rm", store, "a.txt");
      assertEquals(2, run.code());
      assertEquals(1, run.err().lines().count(), run.err());
    }
    Run.ok("rm", store, "a.txt");
  }

  @ParameterizedTest
  @ValueSource(strings = {"log", "sqlite", "duckdb"})
  void damageIsNamedAndNeverExitsWithZero(String backend) throws IOException {
    Path tree = Files.createDirectories(temp.resolve("tree"));
    for (int i = 0; i < 20; i++) {
      Trees.file(tree, "f" + i, Trees.random(i, 20_000));
    }
    Path store = temp.resolve("s.coffer");
    Run.ok("pack", store, "-C", tree, ".", "--backend", backend);
    byte[] sound = Files.readAllBytes(store);
    int shown = 0;
    for (int i = 0; i < 12; i++) {
      byte[] damaged = sound.clone();
      damaged[(int) ((long) sound.length * (2 * i + 1) / 24)] ^= 0x10;
      Files.write(store, damaged);
      Path out = temp.resolve("out" + i);
      Run extract = Run.of("extract", store, "-d", out);
      Run verify = Run.of("verify", store);
      if (extract.code() == 0) {
        assertEquals(Trees.describe(tree), Trees.describe(out), "byte " + i);
      } else {
        assertTrue(verify.code() != 0, "byte " + i + verify.out());
        assertTrue(extract.err().startsWith("coffer: "), extract.err());
        shown++;
      }
    }
    assertTrue(shown > 0, "no flipped byte was noticed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"log", "sqlite", "duckdb"})
  void whatCannotBePackedIsNamedAndTheRestIsPacked(String backend) throws Exception {
    Path tree = Files.createDirectories(temp.resolve("tree"));
    Trees.file(tree, "ok", "fine");
    Process made =
        new ProcessBuilder("sh", "-c", "mkfifo pipe; printf x > \"$(printf 'bad\\377name')\"")
            .directory(tree.toFile())
            .start();
    assertEquals(0, made.waitFor());
    Path store = tree.resolve("inside.coffer");
    Run run = Run.of("pack", store, "-C", tree, ".", "--backend", backend);
    assertEquals(1, run.code());
    assertTrue(run.err().contains("/pipe: "), run.err());
    assertTrue(run.err().contains("/bad\\xFFname: "), run.err());
    assertEquals(List.of("ok"), Run.ok("ls", "-R", store).lines());
  }

  @ParameterizedTest
  @ValueSource(strings = {"log", "sqlite", "duckdb"})
  void packsNamedPathsWithTheFoldersAbove(String backend) throws IOException {
    Path tree = Files.createDirectories(temp.resolve("tree"));
    Trees.file(tree, "a/b/c", "c");
    Trees.file(tree, "a/x", "x");
    Trees.file(tree, "z", "z");
    Files.setPosixFilePermissions(tree.resolve("a"), PosixFilePermissions.fromString("rwx--x---"));
    Path store = temp.resolve("s.coffer");
    Run.ok("pack", store, "-C", tree, "z", "./a/b/", "a/b/c", "--backend", backend);
    assertEquals(List.of("a/", "z", "a/b/", "a/b/c"), Run.ok("ls", "-R", store).lines());
    assertTrue(Run.ok("ls", "-l", store).out().startsWith("drwx--x---"));
    Path absolute = temp.resolve("t.coffer");
    Run run = Run.ok("pack", absolute, tree.resolve("z"), "--backend", backend);
    assertTrue(run.err().contains("leading /"), run.err());
    assertEquals("z", Run.ok("cat", absolute, tree.resolve("z")).out());
  }
}
