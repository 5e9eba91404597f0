package dev.coffer.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.DirectoryNotEmptyException;
import dev.coffer.vfs.EntryExistsException;
import dev.coffer.vfs.InvalidPathException;
import dev.coffer.vfs.NoSuchEntryException;
import dev.coffer.vfs.NotADirectoryException;
import dev.coffer.vfs.WriteBatch;
import dev.coffer.vfs.WriteOption;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Moves and copies: of files, links and whole directories. */
abstract class StoreRelocationCases extends StoreCases {
  private static final WriteOption REPLACE = WriteOption.REPLACE;

  StoreRelocationCases(StoreContract contract) {
    super(contract);
  }

  @FunctionalInterface
  private interface Relocation {
    void apply(String from, String to, WriteOption... options) throws IOException;
  }

  private Relocation relocation(boolean move) {
    return move ? store()::move : store()::copy;
  }

  private void makeTree() throws IOException {
    store().write("/d/small", text("small"));
    store().write("/d/sub/large", mixed(1, 50_000));
    store().createSymbolicLink("/d/sub/link", "../small", null);
    store().createDirectories("/d/sub/empty");
    write("/d-e", "beside");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 5, 600, 4096, 50_000})
  void movesFiles(int length) throws IOException {
    byte[] content = mixed(length, length);
    store().write("/a", content, Attributes.of(0600, Instant.EPOCH));
    store().move("/a", "/new/dir/b");
    assertFalse(store().exists("/a"));
    assertContent(content, "/new/dir/b");
    assertEquals(0600, store().stat("/new/dir/b").attributes().mode());
    assertEquals(Instant.EPOCH, store().stat("/new/dir/b").attributes().modified());
    store().compact();
    assertContent(content, "/new/dir/b");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 5, 600, 4096, 50_000})
  void copiesFiles(int length) throws IOException {
    byte[] content = mixed(length, length);
    store().write("/a", content);
    store().copy("/a", "/new/b");
    store().copy("/new/b", "/c");
    store().write("/a", text("replaced"));
    assertContent(content, "/new/b");
    store().delete("/new/b");
    store().compact();
    assertContent(content, "/c");
    assertContent("replaced", "/a");
  }

  @Test
  void copiesWithoutPackingAgain() throws IOException {
    byte[] content = Chunks.bytes(1, 500_000);
    store().write("/a", content);
    long before = store().stats().fileBytes();
    for (int i = 0; i < 10; i++) {
      store().copy("/a", "/copy" + i);
    }
    assertTrue(store().stats().fileBytes() < before + 5_000_000 - 500_000);
    assertContent(content, "/copy9");
  }

  @Test
  void movesADirectoryWithAllBelow() throws IOException {
    makeTree();
    store().move("/d", "/x/y");
    assertEquals(
        List.of(
            "/",
            "/d-e",
            "/x",
            "/x/y",
            "/x/y/small",
            "/x/y/sub",
            "/x/y/sub/empty",
            "/x/y/sub/large",
            "/x/y/sub/link"),
        paths());
    assertContent(mixed(1, 50_000), "/x/y/sub/large");
    assertEquals("../small", store().stat("/x/y/sub/link").linkTarget());
    store().move("/x/y", "/d");
    assertContent("small", "/d/small");
    assertContent("beside", "/d-e");
  }

  @Test
  void copiesADirectoryWithAllBelow() throws IOException {
    makeTree();
    store().copy("/d", "/d-e2");
    store().copy("/d/sub", "/d/sub2");
    assertEquals(6, Trees.paths(store(), "/d-e2").size());
    assertEquals(4, Trees.paths(store(), "/d/sub2").size());
    store().deleteRecursively("/d/sub");
    store().compact();
    assertContent(mixed(1, 50_000), "/d-e2/sub/large");
    assertContent(mixed(1, 50_000), "/d/sub2/large");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aDirectoryDoesNotGoBelowItself(boolean move) throws IOException {
    makeTree();
    for (String below : new String[] {"/d/x", "/d/sub/x", "/d/sub", "/d/sub/empty"}) {
      assertRefused(InvalidPathException.class, () -> relocation(move).apply("/d", below, REPLACE));
    }
    relocation(move).apply("/d", "/d-e-beside");
    assertContent("small", "/d-e-beside/small");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void onlyWhatIsThereGoes(boolean move) throws IOException {
    makeTree();
    assertRefused(NoSuchEntryException.class, () -> relocation(move).apply("/nothing", "/x"));
    assertRefused(NoSuchEntryException.class, () -> relocation(move).apply("/d/small/below", "/x"));
    assertRefused(InvalidPathException.class, () -> relocation(move).apply("/", "/x"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theTargetIsFreeUnlessToBeReplaced(boolean move) throws IOException {
    makeTree();
    write("/f", "file");
    for (String target : new String[] {"/d-e", "/d", "/d/sub/empty", "/d/sub/link", "/"}) {
      assertRefused(EntryExistsException.class, () -> relocation(move).apply("/f", target));
    }
    assertRefused(
        DirectoryNotEmptyException.class, () -> relocation(move).apply("/f", "/d", REPLACE));
    assertRefused(
        DirectoryNotEmptyException.class,
        () -> relocation(move).apply("/d/sub/large", "/d", REPLACE));
    assertRefused(
        NotADirectoryException.class, () -> relocation(move).apply("/f", "/d-e/x", REPLACE));
    assertRefused(
        NotADirectoryException.class, () -> relocation(move).apply("/d", "/d-e/x", REPLACE));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void replacesFilesLinksAndEmptyDirectories(boolean move) throws IOException {
    makeTree();
    write("/f", "file");
    for (String target : new String[] {"/d-e", "/d/sub/link", "/d/sub/empty", "/d/sub/large"}) {
      write("/f", target);
      relocation(move).apply("/f", target, REPLACE);
      assertContent(target, target);
      assertEquals(!move, store().exists("/f"));
    }
    store().createDirectories("/empty");
    relocation(move).apply("/d", "/empty", REPLACE);
    assertContent("small", "/empty/small");
    relocation(move).apply("/empty", "/d-e", REPLACE);
    assertContent("small", "/d-e/small");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void ontoItselfNothingHappens(boolean move) throws IOException {
    makeTree();
    var before = Trees.read(store()).keySet();
    relocation(move).apply("/d", "/d");
    relocation(move).apply("/d/small", "/d/small", REPLACE);
    assertEquals(before, Trees.read(store()).keySet());
    assertContent("small", "/d/small");
  }

  @Test
  void swapsInABatch() throws IOException {
    makeTree();
    byte[] large = mixed(7, 20_000);
    store().write("/e/large", large);
    try (WriteBatch batch = store().newBatch()) {
      batch.move("/d", "/tmp");
      batch.move("/e", "/d");
      batch.move("/tmp", "/e");
      batch.commit();
    }
    assertContent(large, "/d/large");
    assertContent("small", "/e/small");
    assertContent(mixed(1, 50_000), "/e/sub/large");
    assertFalse(store().exists("/tmp"));
  }

  @Test
  void movesManyAtOnce() throws IOException {
    try (WriteBatch batch = store().newBatch()) {
      for (int i = 0; i < 3000; i++) {
        batch.write("/many/" + i % 50 + "/" + i, text("content " + i));
      }
      batch.commit();
    }
    long sequence = store().stats().sequence();
    store().move("/many", "/moved");
    assertEquals(sequence + 1, store().stats().sequence());
    assertEquals(3052, paths().size());
    assertContent("content 1234", "/moved/34/1234");
  }

  @Test
  void versionsTellThatAPathChanged() throws IOException {
    write("/a", "x");
    long before = store().stat("/a").version();
    store().move("/a", "/b");
    assertTrue(store().stat("/b").version() > before);
  }
}
