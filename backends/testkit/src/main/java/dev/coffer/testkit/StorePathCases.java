package dev.coffer.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.FileEntry;
import dev.coffer.vfs.InvalidPathException;
import dev.coffer.vfs.VirtualFileStore;
import dev.coffer.vfs.WriteBatch;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which paths are let in. One store serves all cases. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StorePathCases {
  private final StoreContract contract;
  private VirtualFileStore store;

  @SuppressWarnings("NullAway.Init") // JUnit calls create before the first test.
  StorePathCases(StoreContract contract) {
    this.contract = contract;
  }

  @BeforeAll
  void create(@TempDir Path temporary) throws IOException {
    store = contract.create(temporary, StoreContract.OPTIONS);
    try (WriteBatch batch = store.newBatch()) {
      for (String path : OddNames.paths()) {
        batch.write(path, path.getBytes(StandardCharsets.UTF_8));
      }
      batch.commit();
    }
  }

  @AfterAll
  void verifyAndClose() throws IOException {
    try (VirtualFileStore closing = store) {
      StoreCases.assertClean(closing);
    }
  }

  static List<String> valid() {
    return OddNames.paths();
  }

  static List<String> invalid() {
    return List.of(
        "",
        "//",
        "/a//b",
        "/a/",
        "a/",
        "//a",
        ".",
        "/.",
        "..",
        "/..",
        "/a/./b",
        "/a/../b",
        "../a",
        "./a",
        "/a/..",
        "/a/.",
        "\0",
        "/a\0b",
        "/\ud800",
        "/\udc00",
        "/a\ud83d",
        "/\ude00\ud83d",
        "/a\ud83d/\ude00",
        "/" + "x".repeat(256),
        "/" + "\u00e9".repeat(128),
        "/" + "\ud83d\ude00".repeat(64),
        "/ok/" + "x".repeat(256) + "/ok",
        ("/" + "d".repeat(255)).repeat(16) + "/d",
        "/d".repeat(257),
        "/a".repeat(3000),
        "x".repeat(100_000));
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource("valid")
  void keepsValidPaths(String path) throws IOException {
    assertArrayEquals(
        path.getBytes(StandardCharsets.UTF_8), store.read(path), OddNames.escape(path));
    FileEntry entry = store.stat(path);
    assertEquals(path, entry.path());
    assertTrue(path.endsWith("/" + entry.name()));
    assertEquals(entry, store.find(path.substring(1)));
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource("invalid")
  void refusesInvalidPaths(String path) throws IOException {
    long sequence = store.stats().sequence();
    byte[] bytes = {1};
    assertThrows(InvalidPathException.class, () -> store.write(path, bytes));
    assertThrows(
        InvalidPathException.class, () -> store.write(path, new ByteArrayInputStream(bytes), null));
    assertThrows(InvalidPathException.class, () -> store.newOutputStream(path).close());
    assertThrows(InvalidPathException.class, () -> store.createSymbolicLink(path, "t", null));
    assertThrows(InvalidPathException.class, () -> store.createDirectories(path));
    assertThrows(InvalidPathException.class, () -> store.move("/plain", path));
    assertThrows(InvalidPathException.class, () -> store.copy("/plain", path));
    assertThrows(InvalidPathException.class, () -> store.move(path, "/free"));
    assertThrows(InvalidPathException.class, () -> store.copy(path, "/free"));
    assertThrows(InvalidPathException.class, () -> store.delete(path));
    assertThrows(InvalidPathException.class, () -> store.deleteRecursively(path));
    assertThrows(InvalidPathException.class, () -> store.read(path));
    assertThrows(InvalidPathException.class, () -> store.readRange(path, 0, 1));
    assertThrows(InvalidPathException.class, () -> store.newInputStream(path).close());
    assertThrows(InvalidPathException.class, () -> store.stat(path));
    assertThrows(InvalidPathException.class, () -> store.find(path));
    assertThrows(InvalidPathException.class, () -> store.exists(path));
    assertThrows(InvalidPathException.class, () -> store.list(path));
    assertThrows(InvalidPathException.class, () -> store.walk(path).close());
    assertThrows(
        InvalidPathException.class, () -> store.setAttributes(path, CommitBuilder.attributes()));
    assertEquals(sequence, store.stats().sequence(), "nothing was committed");
  }

  @Test
  void batchesRefuseInvalidPathsAtOnce() throws IOException {
    try (WriteBatch batch = store.newBatch()) {
      for (String path : invalid()) {
        assertThrows(InvalidPathException.class, () -> batch.write(path, new byte[1]));
        assertThrows(InvalidPathException.class, () -> batch.delete(path));
        assertThrows(InvalidPathException.class, () -> batch.requireVersion(path, 0));
      }
    }
  }

  @Test
  void aCopyIsRefusedIfItWouldMakeAPathTooLong() throws IOException {
    String deep = ("/" + "d".repeat(255)).repeat(15);
    long sequence = store.stats().sequence();
    assertThrows(
        InvalidPathException.class,
        () -> store.copy("/" + "d".repeat(255), "/e/" + "d".repeat(255)));
    assertTrue(store.exists(deep));
    assertEquals(sequence, store.stats().sequence(), "nothing was committed");
  }

  @Test
  void listsAreInTheOrderOfBytes() throws IOException {
    List<String> expected =
        OddNames.names().stream()
            .sorted(
                Comparator.comparing(
                    name -> name.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned))
            .toList();
    assertEquals(expected, store.list("/in").stream().map(FileEntry::name).toList());
  }
}
