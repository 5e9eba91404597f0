package dev.coffer.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.StoreOptions;
import dev.coffer.vfs.VirtualFileStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What extraction does to a target that has things in it already, and with a hostile store. */
final class ExtractorTest {
  private static final byte[] NEW = "new".getBytes(StandardCharsets.UTF_8);
  private static final Instant TIME = Instant.parse("2020-01-02T03:04:05.000000006Z");

  @TempDir Path temp;
  private Path target;
  private Path outside;
  private VirtualFileStore store;
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeEach
  void open() throws IOException {
    target = Files.createDirectory(temp.resolve("target"));
    outside = Files.createDirectory(temp.resolve("outside"));
    Files.writeString(outside.resolve("file"), "untouched");
    store = VirtualFileStore.inMemory(StoreOptions.DEFAULT);
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  private int extract(String... paths) throws IOException {
    Console console =
        new Console(InputStream.nullInputStream(), OutputStream.nullOutputStream(), err);
    try (Folder folder = Folder.open(target);
        Extractor extractor = new Extractor(store, console, folder)) {
      extractor.extract(paths.length == 0 ? List.of("/") : List.of(paths), false);
    }
    return console.exitCode();
  }

  private String errors() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private void assertOutsideUntouched(Map<String, String> before) throws IOException {
    assertEquals(before, Trees.describe(outside));
  }

  @Test
  void aLinkInTheWayOfAFolderIsReplacedNotFollowed() throws IOException {
    Map<String, String> before = Trees.describe(outside);
    Files.createSymbolicLink(target.resolve("a"), outside);
    store.write("/a/file", NEW);
    assertEquals(0, extract());
    assertOutsideUntouched(before);
    assertTrue(Files.isDirectory(target.resolve("a"), LinkOption.NOFOLLOW_LINKS));
    assertEquals("new", Files.readString(target.resolve("a/file")));
  }

  @Test
  void aLinkInTheWayOfAFileIsReplacedNotFollowed() throws IOException {
    Map<String, String> before = Trees.describe(outside);
    Files.createSymbolicLink(target.resolve("file"), outside.resolve("file"));
    store.write("/file", NEW, Attributes.of(0600, TIME));
    assertEquals(0, extract());
    assertOutsideUntouched(before);
    assertTrue(Files.isRegularFile(target.resolve("file"), LinkOption.NOFOLLOW_LINKS));
  }

  @Test
  void aLinkInTheWayOfALinkIsReplaced() throws IOException {
    Map<String, String> before = Trees.describe(outside);
    Files.createSymbolicLink(target.resolve("l"), outside.resolve("file"));
    store.createSymbolicLink("/l", "elsewhere", Attributes.of(0777, TIME));
    assertEquals(0, extract());
    assertEquals(Path.of("elsewhere"), Files.readSymbolicLink(target.resolve("l")));
    assertOutsideUntouched(before);
  }

  @Test
  void aLinkOfTheStoreIsNotFollowedByALaterExtraction() throws IOException {
    Map<String, String> before = Trees.describe(outside);
    store.createSymbolicLink("/a", outside.toString(), null);
    assertEquals(0, extract());
    store.delete("/a");
    store.write("/a/file", NEW);
    store.createDirectories("/a/made");
    assertEquals(0, extract());
    assertOutsideUntouched(before);
    assertEquals("new", Files.readString(target.resolve("a/file")));
  }

  @Test
  void aHardLinkInTheWayLeavesTheOtherNameAlone() throws IOException {
    Files.createLink(target.resolve("file"), outside.resolve("file"));
    store.write("/file", NEW);
    assertEquals(0, extract());
    assertEquals("untouched", Files.readString(outside.resolve("file")));
    assertEquals("new", Files.readString(target.resolve("file")));
  }

  @Test
  void aFolderIsNeverReplacedByAFileOrLink() throws IOException {
    Files.createDirectories(target.resolve("file"));
    Files.createDirectories(target.resolve("link"));
    store.write("/file", NEW);
    store.createSymbolicLink("/link", "x", null);
    store.write("/other", NEW);
    assertEquals(1, extract());
    assertTrue(Files.isDirectory(target.resolve("file")));
    assertTrue(Files.isDirectory(target.resolve("link"), LinkOption.NOFOLLOW_LINKS));
    assertEquals("new", Files.readString(target.resolve("other")));
    assertTrue(errors().contains("/file: ") && errors().contains("/link: "), errors());
  }

  @Test
  void aFileInTheWayOfAFolderLosesWhatIsBelowInOneLine() throws IOException {
    Files.writeString(target.resolve("a"), "mine");
    store.write("/a/one", NEW);
    store.write("/a/b/two", NEW);
    store.createSymbolicLink("/a/three", "x", null);
    store.write("/z", NEW);
    assertEquals(1, extract());
    assertEquals("mine", Files.readString(target.resolve("a")));
    assertEquals("new", Files.readString(target.resolve("z")));
    assertEquals(1, errors().lines().count(), errors());
    assertTrue(errors().startsWith("coffer: /a: a file is where a folder has to be"), errors());
    assertTrue(errors().contains("entries=4"), errors());
  }

  @Test
  void aLinkTargetThatCannotBeMadeAsItIsIsNamed() throws IOException {
    store.createSymbolicLink("/doubled", "a//b", null);
    store.createSymbolicLink("/ends", "a/", null);
    store.createSymbolicLink("/fine", "../a/./b", null);
    assertEquals(1, extract());
    assertEquals("a/b", Files.readSymbolicLink(target.resolve("doubled")).toString());
    assertEquals("../a/./b", Files.readSymbolicLink(target.resolve("fine")).toString());
    assertEquals(
        List.of(
            "coffer: /doubled: link target was normalised: target=a//b made=a/b",
            "coffer: /ends: link target was normalised: target=a/ made=a"),
        errors().lines().toList());
  }

  @Test
  void specialBitsAreNotRestored() throws IOException {
    store.write("/su", NEW, Attributes.of(06755, TIME));
    store.createDirectories("/sticky");
    store.setAttributes("/sticky", Attributes.of(01777, TIME));
    assertEquals(0, extract());
    assertEquals(0755, ((Integer) Files.getAttribute(target.resolve("su"), "unix:mode")) & 07777);
    int folder = (Integer) Files.getAttribute(target.resolve("sticky"), "unix:mode");
    assertEquals(0777, folder & 07777);
  }

  @Test
  void foldersGetTheirTimesAndModesLast() throws IOException {
    store.write("/a/b/c/file", NEW, Attributes.of(0, TIME));
    store.createSymbolicLink("/a/b/link", "x", Attributes.of(0777, TIME));
    store.setAttributes("/a", Attributes.of(0, TIME));
    store.setAttributes("/a/b", Attributes.of(0555, TIME.plusNanos(1)));
    store.setAttributes("/a/b/c", Attributes.of(0111, TIME.plusNanos(2)));
    assertEquals(0, extract());
    assertEquals(Set.of(), Files.getPosixFilePermissions(target.resolve("a")));
    Files.setPosixFilePermissions(
        target.resolve("a"),
        Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_EXECUTE));
    assertEquals(TIME, time("a"));
    assertEquals(TIME.plusNanos(1), time("a/b"));
    assertEquals(0555, Modes.mode(Files.getPosixFilePermissions(target.resolve("a/b"))));
    assertEquals(TIME.plusNanos(2), time("a/b/c"));
    assertEquals(0111, Modes.mode(Files.getPosixFilePermissions(target.resolve("a/b/c"))));
    Files.setPosixFilePermissions(target.resolve("a/b/c"), Modes.permissions(0755));
    assertEquals(TIME, time("a/b/c/file"));
  }

  private Instant time(String path) throws IOException {
    return Files.getLastModifiedTime(target.resolve(path), LinkOption.NOFOLLOW_LINKS).toInstant();
  }

  @Test
  void partialExtractionKeepsTheModesOfParents() throws IOException {
    store.write("/a/b/file", NEW);
    store.write("/a/other", NEW);
    store.setAttributes("/a", Attributes.of(0750, TIME));
    store.setAttributes("/a/b", Attributes.of(0700, TIME));
    assertEquals(0, extract("/a/b/file"));
    assertEquals(0750, Modes.mode(Files.getPosixFilePermissions(target.resolve("a"))));
    assertEquals(TIME, time("a"));
    assertEquals(TIME, time("a/b"));
    assertFalse(Files.exists(target.resolve("a/other")));
  }

  @Test
  void parentsThatWereThereStayAsTheyWere() throws IOException {
    Files.createDirectory(target.resolve("a"));
    Files.setPosixFilePermissions(target.resolve("a"), Modes.permissions(0711));
    store.write("/a/file", NEW);
    assertEquals(0, extract("/a/file"));
    assertEquals(0711, Modes.mode(Files.getPosixFilePermissions(target.resolve("a"))));
  }

  @Test
  void nothingTemporaryIsLeft() throws IOException {
    Files.createDirectory(target.resolve("clash"));
    store.write("/clash", NEW);
    store.write("/file", NEW);
    assertEquals(1, extract());
    try (Stream<Path> left = Files.list(target)) {
      assertEquals(
          List.of("clash", "file"), left.map(p -> p.getFileName().toString()).sorted().toList());
    }
  }
}
