package dev.coffer.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.InvalidPathException;
import dev.coffer.vfs.PathException;
import dev.coffer.vfs.Problem;
import dev.coffer.vfs.VerifyReport;
import dev.coffer.vfs.VirtualFileStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Cases that each start with a new store, which must verify clean at their end. */
abstract class StoreCases {
  private final StoreContract contract;
  private Path directory;
  private VirtualFileStore store;

  @SuppressWarnings("NullAway.Init") // JUnit calls create before every test.
  StoreCases(StoreContract contract) {
    this.contract = contract;
  }

  @BeforeEach
  void create(@TempDir Path temporary) throws IOException {
    directory = temporary;
    store = contract.create(temporary, StoreContract.OPTIONS);
  }

  @AfterEach
  void verifyAndClose() throws IOException {
    try (VirtualFileStore closing = store) {
      assertClean(closing);
    }
  }

  final StoreContract contract() {
    return contract;
  }

  final VirtualFileStore store() {
    return store;
  }

  final Path directory() {
    return directory;
  }

  final Path path() {
    return contract.storePath(directory);
  }

  /** Takes the place of a store that the test closed. */
  final void use(VirtualFileStore opened) {
    store = opened;
  }

  static void assertClean(VirtualFileStore store) throws IOException {
    List<Problem> problems = new ArrayList<>();
    VerifyReport report = store.verify(problems::add);
    assertEquals(List.of(), problems, "verify");
    assertTrue(report.isClean());
    assertEquals(List.of(), store.findLostEntries(), "findLostEntries");
  }

  static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Bytes that pack, but not to nothing: random ones between runs. */
  static byte[] mixed(long seed, int length) {
    byte[] bytes = new byte[length];
    Random random = new Random(seed);
    for (int from = 0; from < length; ) {
      int run = Math.min(length - from, 1 + random.nextInt(200));
      boolean flat = random.nextBoolean();
      for (int i = 0; i < run; i++) {
        bytes[from + i] = (byte) (flat ? 'x' : random.nextInt());
      }
      from += run;
    }
    return bytes;
  }

  final void write(String path, String content) throws IOException {
    store.write(path, text(content));
  }

  final void assertContent(byte[] expected, String path) throws IOException {
    assertArrayEquals(expected, store.read(path), path);
    assertEquals(expected.length, store.stat(path).length(), path);
  }

  final void assertContent(String expected, String path) throws IOException {
    assertEquals(expected, new String(store.read(path), StandardCharsets.UTF_8), path);
  }

  /** The paths in the whole store, in the order of a walk. */
  final List<String> paths() throws IOException {
    return Trees.paths(store, "/");
  }

  /** Asserts that a call fails for a path, and changes nothing. */
  final <T extends PathException> T assertRefused(Class<T> expected, Executable call)
      throws IOException {
    var before = Trees.read(store);
    T thrown = assertThrows(expected, call);
    assertNotNull(thrown.getMessage());
    assertFalse(thrown.path().isEmpty() && !(thrown instanceof InvalidPathException));
    assertEquals(before, Trees.read(store), "nothing changed");
    return thrown;
  }
}
