package dev.coffer.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.FileEntry;
import dev.coffer.vfs.StoreOptions;
import dev.coffer.vfs.VirtualFileStore;
import dev.coffer.vfs.WriteBatch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is left when packing fails, and what packing does about what was left. */
final class PackCommandTest {
  @TempDir Path temp;
  private Path tree;

  @BeforeEach
  void makeTree() throws IOException {
    tree = temp.resolve("tree");
    Trees.file(tree, "a", "alpha");
    Trees.file(tree, "b/c", "gamma");
  }

  private Path incomplete(String backend) throws IOException {
    Path store = temp.resolve("s." + backend);
    try (VirtualFileStore open =
            VirtualFileStore.create(store, StoreOptions.DEFAULT.withBackend(backend));
        WriteBatch batch = open.newBatch()) {
      batch.setProperty("coffer.pack", "incomplete");
      batch.write("/old", new byte[0]);
      batch.commit();
    }
    return store;
  }

  @ParameterizedTest
  @ValueSource(strings = {"log", "sqlite", "duckdb"})
  void anIncompletePackIsPackedAnew(String backend) throws IOException {
    Path store = incomplete(backend);
    Run run = Run.ok("pack", store, "-C", tree, ".", "--backend", backend);
    assertTrue(run.err().contains("starting over"), run.err());
    assertEquals(List.of("a", "b/", "b/c"), Run.ok("ls", "-R", store).lines());
    byte[] complete = Files.readAllBytes(store);
    assertEquals(2, Run.of("pack", store, "-C", tree, ".", "--backend", backend).code());
    assertArrayEquals(complete, Files.readAllBytes(store));
  }

  @ParameterizedTest
  @ValueSource(strings = {"log", "sqlite", "duckdb"})
  void aPackThatStillRunsIsLeftAlone(String backend) throws IOException {
    Path store = incomplete(backend);
    try (VirtualFileStore running = VirtualFileStore.open(store)) {
      Run run = Run.of("pack", store, "-C", tree, ".", "--backend", backend);
      assertEquals(2, run.code(), run.err());
      assertTrue(run.err().contains("open for writing"), run.err());
      assertTrue(running.exists("/old"));
    }
    assertEquals(List.of("old"), Run.ok("ls", store).lines());
  }

  @ParameterizedTest
  @ValueSource(strings = {"log", "sqlite", "duckdb"})
  void aPackThatFailsBeforeAnythingIsCommittedLeavesNothing(String backend) throws IOException {
    Path folder = Files.createDirectory(temp.resolve("folder"));
    Path link = Files.createSymbolicLink(temp.resolve("loop"), Path.of("loop"));
    Path store = folder.resolve("s");
    Run run =
        Run.of("pack", store, "-C", temp, "tree", link.getFileName() + "/x", "--backend", backend);
    assertEquals(2, run.code(), run.err());
    assertEquals(List.of(), left(folder));
    Path used = incomplete(backend);
    byte[] before = Files.readAllBytes(used);
    assertEquals(2, Run.of("pack", used, "-C", tree, "missing").code());
    assertArrayEquals(before, Files.readAllBytes(used));
  }

  private static List<String> left(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private void makeSources(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      String line = "  int field" + i + " = " + i * 17 + ";\n";
      Trees.file(
          tree, "src/p" + i % 5 + "/C" + i + ".java", "class C {\n" + line.repeat(9) + "}\n");
    }
  }

  /** Everything is packed together, and one file is changed, verified and extracted by itself. */
  @ParameterizedTest
  @CsvSource({"log, ''", "sqlite, ''", "duckdb, ''", "log, --best", "log, --level=1"})
  void smallFilesArePackedTogether(String backend, String option) throws IOException {
    makeSources(300);
    Path store = temp.resolve("s." + backend);
    List<Object> arguments = new ArrayList<>(List.of("pack", store, "-C", tree, "."));
    arguments.addAll(List.of("--backend", backend));
    if (!option.isEmpty()) {
      arguments.add(option);
    }
    Run.ok(arguments.toArray());
    long packed = 0;
    try (VirtualFileStore open =
            VirtualFileStore.open(store, StoreOptions.DEFAULT.withReadOnly(true));
        Stream<FileEntry> walk = open.walk("/src")) {
      packed = walk.mapToLong(FileEntry::packedLength).sum();
    }
    assertTrue(packed > 0 && packed < 300 * 40, "packed=" + packed);
    Run.withInput("changed".getBytes(StandardCharsets.UTF_8), "put", store, "src/p1/C1.java");
    assertEquals("changed", Run.ok("cat", store, "src/p1/C1.java").out());
    Run.ok("verify", store);
    Path out = temp.resolve("out");
    Run.ok("extract", store, "-d", out);
    Trees.file(tree, "src/p1/C1.java", "changed");
    for (int i = 0; i < 300; i++) {
      String name = "src/p" + i % 5 + "/C" + i + ".java";
      assertEquals(Files.readString(tree.resolve(name)), Files.readString(out.resolve(name)));
    }
  }

  @Test
  void aStoreCutWithinItsLastBytesKeepsItsEntries() throws IOException {
    Path store = temp.resolve("s");
    Run.ok("pack", store, "-C", tree, ".");
    byte[] whole = Files.readAllBytes(store);
    for (int cut = 1; cut < whole.length; cut++) {
      Files.write(store, Arrays.copyOf(whole, whole.length - cut));
      Run run = Run.of("ls", "-R", store);
      if (run.err().contains("incomplete pack")) {
        assertEquals(List.of("a", "b/", "b/c"), run.lines(), "cut=" + cut);
        assertTrue(run.err().contains("or the file was cut short"), run.err());
        return;
      }
    }
    throw new AssertionError("never incomplete");
  }

  @Test
  void everyCommandTakesAFolderStore() throws IOException {
    Path store = tree.resolve("s"); // Among what is packed, too.
    Run.ok("pack", "--layout", "folder", store, "-C", tree, ".");
    assertTrue(Files.isDirectory(store));
    assertEquals(List.of("a", "b/", "b/c"), Run.ok("ls", "-R", store).lines());
    Run.withInput(new byte[] {'x', '\n'}, "put", store, "new");
    assertEquals("x\n", Run.ok("cat", store, "new").out());
    Run.ok("mkdir", store, "d");
    Run.ok("mv", store, "new", "d/moved");
    Run.ok("rm", store, "a");
    assertTrue(Run.ok("info", store).out().contains("backend: log"));
    assertTrue(Run.ok("verify", store).out().startsWith("sound: "));
    Run.ok("compact", store);
    Run.ok("extract", store, "-d", temp.resolve("out"));
    assertEquals("x\n", Files.readString(temp.resolve("out/d/moved")));
    assertEquals(2, Run.of("pack", store, "-C", tree, ".").code());
    assertEquals(List.of("b/", "d/", "b/c", "d/moved"), Run.ok("ls", "-R", store).lines());
    StoreFiles.delete(store);
    try (var left = Files.list(tree)) {
      assertEquals(0, left.filter(file -> file.toString().contains("s.")).count());
    }
    assertFalse(Files.exists(store));
  }

  @Test
  void anUncleanEndIsNotDamage() throws IOException {
    Path store = temp.resolve("s");
    Run.ok("pack", store, "-C", tree, ".");
    byte[] whole = Files.readAllBytes(store);
    Files.write(store, Arrays.copyOf(whole, whole.length - 1));
    Run verify = Run.of("verify", store);
    assertEquals(1, verify.code());
    assertEquals(1, verify.lines().size(), verify.out());
    assertTrue(verify.out().startsWith("not closed cleanly; complete up to commit "), verify.out());
    Run extract = Run.of("extract", store, "-d", temp.resolve("extracted"));
    assertEquals(1, extract.code());
    assertTrue(extract.err().contains("extracting what was committed"), extract.err());
    assertFalse(extract.err().contains("lost or altered"), extract.err());
    assertEquals("", verify.err());
    Run.ok("compact", store);
    assertTrue(Run.ok("verify", store).out().startsWith("sound: "));
  }

  @Test
  void verifySaysEachProblemOnce() throws IOException {
    Path store = temp.resolve("s");
    Run.ok("pack", store, "-C", tree, ".");
    byte[] damaged = Files.readAllBytes(store);
    damaged[damaged.length / 2] ^= 1;
    Files.write(store, damaged);
    Run verify = Run.of("verify", store);
    assertEquals(1, verify.code(), verify.err());
    assertEquals("", verify.err());
    assertTrue(verify.lines().size() > 1, verify.out());
    assertEquals(verify.lines().stream().distinct().toList(), verify.lines());
    assertTrue(verify.out().contains("damaged: " + (verify.lines().size() - 1)), verify.out());
  }

  @ParameterizedTest
  @CsvSource({"s.sqlite,sqlite", "S.DB,sqlite", "s.duckdb,duckdb", "s.coffer,log", "s,log"})
  void theNameTellsTheBackend(String name, String backend) throws IOException {
    Run.ok("pack", temp.resolve(name), "-C", tree, ".");
    assertTrue(Run.ok("info", temp.resolve(name)).lines().contains("backend: " + backend));
    Path other = Files.createDirectory(temp.resolve("other")).resolve(name);
    Run.ok("pack", other, "-C", tree, ".", "--backend", "log");
    assertTrue(Run.ok("info", other).lines().contains("backend: log"));
  }

  @Test
  void whatLeadsUpwardsIsDroppedFromNames() throws IOException {
    Path below = Files.createDirectories(tree.resolve("b/below"));
    Path store = temp.resolve("s");
    Run run = Run.ok("pack", store, "-C", below, "../c", "../../a");
    assertTrue(run.err().contains("removing the leading ../ from names"), run.err());
    assertTrue(run.err().contains("removing the leading ../../ from names"), run.err());
    assertEquals(List.of("a", "c"), Run.ok("ls", "-R", store).lines());
    assertEquals("gamma", Run.ok("cat", store, "c").out());
    Path all = temp.resolve("all");
    Run.ok("pack", all, "-C", below, "../..");
    assertEquals(List.of("a", "b/"), Run.ok("ls", all).lines());
  }

  @ParameterizedTest
  @ValueSource(strings = {"sqlite", "duckdb"})
  void aStoreThatSomebodyWritesIsNotSaidToBeRecovered(String backend) throws IOException {
    Path store = incomplete(backend);
    try (VirtualFileStore writer = VirtualFileStore.open(store)) {
      writer.write("/new", new byte[10]);
      Run run = Run.of("ls", store);
      assertEquals(2, run.code(), run.err());
      assertEquals(1, run.err().lines().count(), run.err());
      assertTrue(run.err().contains("store is open for writing"), run.err());
    }
  }
}
