package dev.coffer.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.EntryExistsException;
import dev.coffer.vfs.EntryKind;
import dev.coffer.vfs.FileEntry;
import dev.coffer.vfs.InvalidPathException;
import dev.coffer.vfs.NoSuchEntryException;
import dev.coffer.vfs.NotADirectoryException;
import dev.coffer.vfs.NotAFileException;
import dev.coffer.vfs.WriteOption;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writing and reading whole files and links, and their attributes. */
abstract class StoreFileCases extends StoreCases {
  private static final Attributes ODD =
      new Attributes(
              04711,
              Instant.parse("1969-12-31T23:59:59.000000001Z"),
              Instant.parse("2001-02-03T04:05:06.789Z"),
              Instant.parse("9999-12-31T23:59:59.999999999Z"),
              Instant.EPOCH,
              "owner",
              "group",
              new TreeMap<>())
          .withUser(Map.of("a", new byte[] {0, 1, -1}, "empty", new byte[0]));

  StoreFileCases(StoreContract contract) {
    super(contract);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        0, 1, 6, 7, 127, 128, 511, 512, 513, 4095, 4096, 4097, 8192, 8193, 65_536, 100_000,
        3_000_000, 4_194_304, 4_198_401
      })
  void contentOfEveryLengthIsReadBack(int length) throws IOException {
    byte[] content = mixed(length, length);
    store().write("/dir/file", content);
    assertContent(content, "/dir/file");
    byte[] zeros = new byte[length];
    store().write("/zeros", zeros);
    assertContent(zeros, "/zeros");
    byte[] random = Chunks.bytes(length, length);
    store().write("/dir/file", random);
    assertContent(random, "/dir/file");
  }

  @Test
  void theArrayBelongsToTheCaller() throws IOException {
    for (int length : new int[] {5, 1000, 50_000}) {
      byte[] content = mixed(1, length);
      byte[] copy = content.clone();
      store().write("/file", content);
      Arrays.fill(content, (byte) 9);
      assertContent(copy, "/file");
      Arrays.fill(store().read("/file"), (byte) 9);
      assertContent(copy, "/file");
    }
  }

  @Test
  void parentsAreMade() throws IOException {
    write("/a/b/c/file", "x");
    assertEquals(List.of("/", "/a", "/a/b", "/a/b/c", "/a/b/c/file"), paths());
    FileEntry parent = store().stat("/a/b");
    assertTrue(parent.isDirectory());
    assertEquals(Attributes.DIRECTORY_MODE, parent.attributes().mode());
  }

  @Test
  void aNewFileHasTheAttributesOfOne() throws IOException {
    Instant before = Instant.now().minusSeconds(60);
    write("/file", "content");
    FileEntry entry = store().stat("file");
    assertEquals("/file", entry.path());
    assertEquals("file", entry.name());
    assertEquals(EntryKind.FILE, entry.kind());
    assertEquals(7, entry.length());
    assertTrue(entry.packedLength() > 0);
    assertEquals(Attributes.FILE_MODE, entry.attributes().mode());
    assertTrue(entry.attributes().modified().isAfter(before));
    assertEquals(entry.attributes().modified(), entry.attributes().created());
    assertNull(entry.attributes().owner());
    assertNull(entry.linkTarget());
  }

  @Test
  void givenAttributesAreKept() throws IOException {
    store().write("/file", text("x"), ODD);
    assertEquals(ODD, store().stat("/file").attributes());
    store().createSymbolicLink("/link", "file", ODD);
    assertEquals(ODD, store().stat("/link").attributes());
    write("/plain", "x");
    store().setAttributes("/plain", ODD);
    assertEquals(ODD, store().stat("/plain").attributes());
    assertContent("x", "/plain");
    store().createDirectories("/dir");
    store().setAttributes("/dir", ODD);
    assertEquals(ODD, store().stat("/dir").attributes());
  }

  @Test
  void replacingKeepsAttributesButNotTimes() throws IOException {
    store().write("/file", text("x"), ODD);
    Instant before = Instant.now().minusSeconds(60);
    write("/file", "longer than before");
    Attributes now = store().stat("/file").attributes();
    assertEquals(ODD.mode(), now.mode());
    assertEquals("owner", now.owner());
    assertEquals(ODD.created(), now.created());
    assertArrayEquals(new byte[] {0, 1, -1}, now.user().get("a"));
    assertTrue(now.modified().isAfter(before));
    assertContent("longer than before", "/file");
  }

  @Test
  void theRootHasAttributes() throws IOException {
    FileEntry root = store().stat("/");
    assertTrue(root.isDirectory());
    assertEquals("", root.name());
    store().setAttributes("/", ODD);
    assertEquals(ODD, store().stat("/").attributes());
    assertEquals(List.of("/"), paths());
    write("/file", "x");
    assertEquals(List.of("/", "/file"), paths());
    assertEquals(1, store().list("/").size());
  }

  @Test
  void versionsGrowWithEveryChange() throws IOException {
    write("/file", "a");
    long first = store().stat("/file").version();
    assertEquals(store().stats().sequence(), first);
    write("/other", "x");
    assertEquals(first, store().stat("/file").version());
    write("/file", "b");
    long second = store().stat("/file").version();
    assertTrue(second > first);
    store().setAttributes("/file", ODD);
    assertTrue(store().stat("/file").version() > second);
  }

  @Test
  void createNewWantsNothingThere() throws IOException {
    store().write("/new", text("x"), WriteOption.CREATE_NEW);
    assertRefused(
        EntryExistsException.class, () -> store().write("/new", text("y"), WriteOption.CREATE_NEW));
    assertRefused(
        EntryExistsException.class,
        () -> store().createSymbolicLink("/new", "t", null, WriteOption.CREATE_NEW));
    store().createDirectories("/dir");
    assertRefused(
        EntryExistsException.class, () -> store().write("/dir", text("y"), WriteOption.CREATE_NEW));
    assertContent("x", "/new");
  }

  @Test
  void mustExistWantsSomethingThere() throws IOException {
    assertRefused(
        NoSuchEntryException.class, () -> store().write("/a/b", text("x"), WriteOption.MUST_EXIST));
    assertFalse(store().exists("/a"));
    write("/a/b", "x");
    store().write("/a/b", text("y"), WriteOption.MUST_EXIST);
    assertContent("y", "/a/b");
  }

  @Test
  void aDirectoryIsNotOverwritten() throws IOException {
    store().createDirectories("/dir/sub");
    assertRefused(NotAFileException.class, () -> write("/dir", "x"));
    assertRefused(NotAFileException.class, () -> write("/", "x"));
    assertRefused(
        NotAFileException.class, () -> store().createSymbolicLink("/dir", "target", null));
    assertRefused(
        NotAFileException.class,
        () -> store().write("/dir", new ByteArrayInputStream(text("x")), null));
  }

  @Test
  void aFileIsNoParent() throws IOException {
    write("/file", "x");
    store().createSymbolicLink("/link", "/", null);
    for (String parent : new String[] {"/file", "/link"}) {
      assertRefused(NotADirectoryException.class, () -> write(parent + "/below", "y"));
      assertRefused(NotADirectoryException.class, () -> write(parent + "/a/b/c", "y"));
      assertRefused(
          NotADirectoryException.class,
          () -> store().createSymbolicLink(parent + "/below", "y", null));
      assertRefused(
          NotADirectoryException.class, () -> store().createDirectories(parent + "/below"));
      assertRefused(NotADirectoryException.class, () -> store().createDirectories(parent));
    }
  }

  @Test
  void onlyFilesAreRead() throws IOException {
    store().createDirectories("/dir");
    store().createSymbolicLink("/link", "dir", null);
    for (String path : new String[] {"/dir", "/link", "/"}) {
      assertRefused(NotAFileException.class, () -> store().read(path));
      assertRefused(NotAFileException.class, () -> store().readRange(path, 0, 1));
      assertRefused(NotAFileException.class, () -> store().newInputStream(path).close());
    }
    for (String path : new String[] {"/nothing", "/dir/nothing", "/link/nothing"}) {
      assertRefused(NoSuchEntryException.class, () -> store().read(path));
      assertRefused(NoSuchEntryException.class, () -> store().readRange(path, 0, 1));
      assertRefused(NoSuchEntryException.class, () -> store().newInputStream(path).close());
      assertRefused(NoSuchEntryException.class, () -> store().stat(path));
      assertRefused(NoSuchEntryException.class, () -> store().setAttributes(path, ODD));
      assertNull(store().find(path));
      assertFalse(store().exists(path));
    }
  }

  @Test
  void anExceptionNamesThePath() throws IOException {
    NoSuchEntryException thrown =
        assertRefused(NoSuchEntryException.class, () -> store().read("dir/no such file"));
    assertEquals("/dir/no such file", thrown.path());
    assertEquals("nothing is at the path: path=/dir/no such file", thrown.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "/", "..", "../../x", "no/such", "\u00e9\ud83d\ude00", "a\nb", "//"})
  void linksKeepTheirTargets(String target) throws IOException {
    store().createSymbolicLink("/dir/link", target, null);
    FileEntry link = store().stat("/dir/link");
    assertEquals(EntryKind.SYMBOLIC_LINK, link.kind());
    assertEquals(target, link.linkTarget());
    assertEquals(text(target).length, link.length());
    assertEquals(Attributes.LINK_MODE, link.attributes().mode());
  }

  @Test
  void aTargetThatNoLinkHasIsRefused() throws IOException {
    for (String target : new String[] {"", "a\0b", "x".repeat(4097)}) {
      assertRefused(
          InvalidPathException.class, () -> store().createSymbolicLink("/link", target, null));
    }
  }

  @Test
  void filesAndLinksReplaceEachOther() throws IOException {
    write("/x", "file");
    store().createSymbolicLink("/x", "target", null);
    assertTrue(store().stat("/x").isSymbolicLink());
    assertEquals(Attributes.LINK_MODE, store().stat("/x").attributes().mode());
    store().createSymbolicLink("/x", "other", null);
    assertEquals("other", store().stat("/x").linkTarget());
    write("/x", "file again");
    assertContent("file again", "/x");
    assertEquals(Attributes.FILE_MODE, store().stat("/x").attributes().mode());
  }

  @Test
  void namesThatDifferInCaseOrFormDiffer() throws IOException {
    write("/e\u0301", "nfd");
    write("/\u00e9", "nfc");
    write("/a", "lower");
    write("/A", "upper");
    assertContent("nfd", "/e\u0301");
    assertContent("nfc", "/\u00e9");
    assertContent("lower", "/a");
    assertContent("upper", "/A");
    assertEquals(5, paths().size());
    assertNotEquals(store().stat("/a").version(), store().stat("/A").version());
  }

  @Test
  void theLeadingSlashMayBeLeftOut() throws IOException {
    write("a/b", "x");
    assertContent("x", "/a/b");
    assertEquals("/a/b", store().stat("a/b").path());
    assertEquals(1, store().list("a").size());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100, 4096, 30_000})
  void rangesAreThoseOfTheWhole(int length) throws IOException {
    byte[] content = mixed(3, length);
    store().write("/file", content);
    long[] positions = {0, 1, 99, 100, 4095, 4096, 4097, 8191, 8192, 29_999, 30_000, 1L << 40};
    for (long position : positions) {
      for (int count : new int[] {0, 1, 2, 4095, 4096, 4097, 9000, 1_000_000}) {
        int from = (int) Math.min(position, length);
        int to = Math.min(length, from + count);
        assertArrayEquals(
            Arrays.copyOfRange(content, from, to),
            store().readRange("/file", position, count),
            () -> "position=" + position + " count=" + count);
      }
    }
    assertThrows(IllegalArgumentException.class, () -> store().readRange("/file", -1, 1));
    assertThrows(IllegalArgumentException.class, () -> store().readRange("/file", 0, -1));
  }
}
