package dev.coffer.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.DirectoryNotEmptyException;
import dev.coffer.vfs.FileEntry;
import dev.coffer.vfs.InvalidPathException;
import dev.coffer.vfs.NoSuchEntryException;
import dev.coffer.vfs.NotADirectoryException;
import dev.coffer.vfs.WriteBatch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Directories, listings, walks and deletion. */
abstract class StoreTreeCases extends StoreCases {

  StoreTreeCases(StoreContract contract) {
    super(contract);
  }

  private List<String> listed(String directory) throws IOException {
    return store().list(directory).stream().map(FileEntry::name).toList();
  }

  @Test
  void anEmptyStoreHasItsRootOnly() throws IOException {
    assertEquals(List.of("/"), paths());
    assertEquals(List.of(), store().list("/"));
    assertTrue(store().exists("/"));
    assertEquals(0, store().stats().entries());
    assertEquals(0, store().stats().sequence());
  }

  @Test
  void directoriesAreMadeOnce() throws IOException {
    store().createDirectories("/a/b/c");
    assertEquals(List.of("/", "/a", "/a/b", "/a/b/c"), paths());
    Attributes own = store().stat("/a/b").attributes().withMode(0700);
    store().setAttributes("/a/b", own);
    store().createDirectories("/a/b/c");
    store().createDirectories("/a/b");
    store().createDirectories("/");
    assertEquals(own, store().stat("/a/b").attributes());
    assertEquals(4, paths().size());
  }

  @Test
  void readsFilesInKeyOrderFromAnyPlaceOn() throws IOException {
    for (String file : new String[] {"/d/b", "/d/a", "/d/s/x", "/d-e/y", "/c", "/e/z"}) {
      write(file, file);
    }
    store().createSymbolicLink("/d/l", "x", null);
    assertEquals(
        List.of("/c", "/d/a", "/d/b", "/d/s/x", "/d-e/y", "/e/z"), filesRead("/", null, 99));
    assertEquals(List.of("/d/a", "/d/b", "/d/s/x"), filesRead("/d", null, 99));
    assertEquals(List.of("/d/b", "/d/s/x"), filesRead("/d", "/d/a", 2));
    assertEquals(List.of("/d/b"), filesRead("/", "/d/aa", 1));
    assertEquals(List.of(), filesRead("/", "/e/z", 1));
    assertEquals(List.of(), filesRead("/", null, 0));
    assertEquals(List.of(), filesRead("/nothing", null, 1));
  }

  private List<String> filesRead(String directory, @Nullable String after, int limit)
      throws IOException {
    List<String> paths = new ArrayList<>();
    int count =
        store()
            .readFiles(
                directory,
                after,
                limit,
                (entry, content) -> {
                  assertEquals(entry.path(), new String(content, StandardCharsets.UTF_8));
                  paths.add(entry.path());
                });
    assertEquals(paths.size(), count);
    return paths;
  }

  @Test
  void listsChildrenOnly() throws IOException {
    for (String file : new String[] {"/d/b", "/d/a", "/d/sub/x", "/d-e/y", "/d.f", "/c", "/d/B"}) {
      write(file, file);
    }
    store().createSymbolicLink("/d/l", "x", null);
    assertEquals(List.of("B", "a", "b", "l", "sub"), listed("/d"));
    assertEquals(List.of("c", "d", "d-e", "d.f"), listed("/"));
    assertEquals(List.of("x"), listed("/d/sub"));
    assertTrue(store().list("/d").get(4).isDirectory());
    assertRefused(NotADirectoryException.class, () -> store().list("/c"));
    assertRefused(NotADirectoryException.class, () -> store().list("/d/l"));
    assertRefused(NoSuchEntryException.class, () -> store().list("/nothing"));
  }

  @Test
  void listsManyChildren() throws IOException {
    int count = 2500;
    try (WriteBatch batch = store().newBatch()) {
      for (int i = 0; i < count; i++) {
        batch.write("/many/" + (10_000 + i), text("" + i));
      }
      batch.commit();
    }
    List<String> expected = IntStream.range(0, count).mapToObj(i -> "" + (10_000 + i)).toList();
    assertEquals(expected, listed("/many"));
    assertEquals(count + 2, paths().size());
    store().deleteRecursively("/many");
    assertEquals(List.of("/"), paths());
  }

  @Test
  void walksInKeyOrder() throws IOException {
    for (String file : new String[] {"/b/y", "/b/x/1", "/b/x/2", "/a", "/b-c/z", "/c"}) {
      write(file, file);
    }
    assertEquals(
        List.of("/", "/a", "/b", "/b-c", "/c", "/b/x", "/b/y", "/b/x/1", "/b/x/2", "/b-c/z"),
        paths());
    assertEquals(List.of("/b", "/b/x", "/b/y", "/b/x/1", "/b/x/2"), Trees.paths(store(), "/b"));
    assertEquals(List.of("/a"), Trees.paths(store(), "/a"));
    assertRefused(NoSuchEntryException.class, () -> store().walk("/nothing").close());
  }

  @Test
  void aWalkIsOfOneMoment() throws IOException {
    try (WriteBatch batch = store().newBatch()) {
      for (int i = 0; i < 2100; i++) {
        batch.write("/w/" + (10_000 + i), text("old"));
      }
      batch.commit();
    }
    List<String> before = paths();
    try (Stream<FileEntry> walk = store().walk("/")) {
      Iterator<FileEntry> entries = walk.iterator();
      assertEquals("/", entries.next().path());
      store().deleteRecursively("/w");
      write("/w/10000", "new");
      write("/z", "new");
      store().compact();
      for (int i = 1; i < before.size(); i++) {
        FileEntry entry = entries.next();
        assertEquals(before.get(i), entry.path());
        assertTrue(entry.isDirectory() || entry.length() == 3);
      }
      assertFalse(entries.hasNext());
    }
    assertEquals(List.of("/", "/w", "/z", "/w/10000"), paths());
  }

  @Test
  void aWalkMayBeGivenUp() throws IOException {
    write("/a/b", "x");
    try (Stream<FileEntry> walk = store().walk("/")) {
      assertEquals("/", walk.findFirst().orElseThrow().path());
    }
    store().walk("/").close();
    write("/a/b", "y");
    store().compact();
    assertContent("y", "/a/b");
  }

  @Test
  void deletesFilesLinksAndEmptyDirectories() throws IOException {
    write("/d/file", "x");
    store().createSymbolicLink("/d/link", "file", null);
    store().createDirectories("/d/empty");
    store().delete("/d/link");
    assertContent("x", "/d/file");
    store().delete("/d/file");
    store().delete("/d/empty");
    assertEquals(List.of("/", "/d"), paths());
    store().delete("/d");
    assertEquals(List.of("/"), paths());
    assertEquals(0, store().stats().entries());
  }

  @Test
  void deletesNothingElse() throws IOException {
    write("/d/file", "x");
    write("/d/file2", "y");
    assertRefused(DirectoryNotEmptyException.class, () -> store().delete("/d"));
    assertRefused(NoSuchEntryException.class, () -> store().delete("/nothing"));
    assertRefused(NoSuchEntryException.class, () -> store().delete("/d/file/below"));
    assertRefused(NoSuchEntryException.class, () -> store().deleteRecursively("/nothing"));
    assertRefused(InvalidPathException.class, () -> store().delete("/"));
    store().delete("/d/file");
    assertEquals(List.of("/", "/d", "/d/file2"), paths());
  }

  @Test
  void deletesRecursively() throws IOException {
    for (String file : new String[] {"/d/a", "/d/sub/b", "/d/sub/deep/c", "/d-e/f", "/d.x", "/e"}) {
      write(file, file);
    }
    store().deleteRecursively("/d");
    assertEquals(List.of("/", "/d-e", "/d.x", "/e", "/d-e/f"), paths());
    store().deleteRecursively("/e");
    assertFalse(store().exists("/e"));
    store().createSymbolicLink("/l", "d-e", null);
    store().deleteRecursively("/l");
    assertTrue(store().exists("/d-e/f"));
    store().deleteRecursively("/");
    assertEquals(List.of("/"), paths());
    store().deleteRecursively("/");
    assertThrows(NoSuchEntryException.class, () -> store().stat("/d-e"));
  }
}
