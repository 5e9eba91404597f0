package dev.coffer.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.FileEntry;
import dev.coffer.vfs.StoreOptions;
import dev.coffer.vfs.VirtualFileStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PackerTest {
  private static final StoreFiles NONE = new StoreFiles(null, Set.of());

  @TempDir Path tree;
  private VirtualFileStore store;
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Console console =
      new Console(InputStream.nullInputStream(), OutputStream.nullOutputStream(), err);

  @BeforeEach
  void open() throws IOException {
    store = VirtualFileStore.inMemory(StoreOptions.DEFAULT);
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  private void scan(TreeScanner.Sink sink) throws IOException {
    TreeScanner scanner = new TreeScanner(console, NONE, sink);
    scanner.scan(new PackSource(tree, "/"));
  }

  @Test
  void entriesComeInTheOrderOfTheStore() throws IOException {
    for (String path : List.of("b/x", "b-/x", "a", "b/c/d", "B", "b.c", "\uffee", "\ud83d\ude80")) {
      Trees.file(tree, path, path);
    }
    List<String> added = new ArrayList<>();
    scan(new Recorder(added));
    try (Packer packer = new Packer(store, console)) {
      scan(packer);
      packer.finish();
    }
    try (Stream<FileEntry> walk = store.walk("/")) {
      assertEquals(walk.map(FileEntry::path).toList(), added);
    }
  }

  @Test
  void aPackIsIncompleteUntilItIsFinished() throws IOException {
    Trees.file(tree, "a", "a");
    try (Packer packer = new Packer(store, console)) {
      assertTrue(Stores.isIncomplete(store));
      scan(packer);
      assertTrue(Stores.isIncomplete(store));
    }
    assertTrue(Stores.isIncomplete(store));
    assertFalse(store.exists("/a"));
    try (Packer packer = new Packer(store, console)) {
      scan(packer);
      packer.finish();
    }
    assertFalse(Stores.isIncomplete(store));
    assertTrue(store.exists("/a"));
  }

  @Test
  void muchIsCommittedInSeveralBatches() throws IOException {
    for (int i = 0; i < 90; i++) {
      Trees.file(tree, "f" + i, Trees.random(i, 1 << 20));
    }
    try (Packer packer = new Packer(store, console)) {
      scan(packer);
      assertTrue(store.stats().entries() > 0, "nothing committed on the way");
      assertTrue(Stores.isIncomplete(store));
      packer.finish();
    }
    for (int i = 0; i < 90; i++) {
      assertArrayEquals(Trees.random(i, 1 << 20), store.read("/f" + i));
    }
  }

  @Test
  void filesAtTheLimitsOfReadingAheadArePackedWhole() throws IOException {
    int[] lengths = {0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 5 << 20};
    for (int length : lengths) {
      Trees.file(tree, "f" + length, Trees.random(length, length));
    }
    try (Packer packer = new Packer(store, console)) {
      scan(packer);
      packer.finish();
    }
    for (int length : lengths) {
      assertArrayEquals(Trees.random(length, length), store.read("/f" + length));
    }
  }

  @Test
  void aFileThatChangesOrVanishesIsNamed() throws IOException {
    Trees.file(tree, "grows", Trees.random(1, 1000));
    Trees.file(tree, "grows-much", Trees.random(2, 1000));
    Trees.file(tree, "shrinks", Trees.random(3, 1000));
    Trees.file(tree, "stays", Trees.random(4, 1000));
    Trees.file(tree, "vanishes", Trees.random(5, 1000));
    try (Packer packer = new Packer(store, console)) {
      scan(new Changer(packer));
      packer.finish();
    }
    String said = err.toString(StandardCharsets.UTF_8);
    assertEquals(4, said.lines().count(), said);
    assertEquals(ExitCodes.FAILED, console.exitCode());
    assertFalse(store.exists("/vanishes"));
    assertArrayEquals(Trees.random(6, 1001), store.read("/grows"));
    assertArrayEquals(Trees.random(7, 3 << 20), store.read("/grows-much"));
    assertArrayEquals(Trees.random(8, 1), store.read("/shrinks"));
    assertArrayEquals(Trees.random(4, 1000), store.read("/stays"));
  }

  /** Changes files after the scan has seen them and before they are read. */
  private final class Changer implements TreeScanner.Sink {
    private final Packer packer;

    Changer(Packer packer) {
      this.packer = packer;
    }

    @Override
    public void folder(String path, FileMeta meta) throws IOException {
      packer.folder(path, meta);
    }

    @Override
    public void link(String path, FileMeta meta, String target) throws IOException {
      packer.link(path, meta, target);
    }

    @Override
    public void file(String path, FileMeta meta, Folder folder, String name) throws IOException {
      switch (name) {
        case "grows" -> Trees.file(tree, name, Trees.random(6, 1001));
        case "grows-much" -> Trees.file(tree, name, Trees.random(7, 3 << 20));
        case "shrinks" -> Trees.file(tree, name, Trees.random(8, 1));
        case "vanishes" -> Files.delete(tree.resolve(name));
        default -> assertEquals("stays", name);
      }
      packer.file(path, meta, folder, name);
    }
  }

  private record Recorder(List<String> paths) implements TreeScanner.Sink {
    @Override
    public void folder(String path, FileMeta meta) {
      paths.add(path);
    }

    @Override
    public void link(String path, FileMeta meta, String target) {
      paths.add(path);
    }

    @Override
    public void file(String path, FileMeta meta, Folder folder, String name) {
      paths.add(path);
    }
  }
}
