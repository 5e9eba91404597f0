package dev.coffer.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.StoreOptions;
import dev.coffer.vfs.VirtualFileStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code coffer seal} and {@code coffer backup} make is what the store was. */
class SealAndBackupTest {
  @TempDir Path temp;

  private Path newStore(String backend) throws IOException {
    return newStore(backend, "file");
  }

  private Path newStore(String backend, String layout) throws IOException {
    Path tree = Trees.odd(temp.resolve("tree"));
    Path store = temp.resolve("s.coffer");
    Run.ok("-q", "pack", store, "-C", tree, ".", "--backend", backend, "--layout", layout);
    Run.ok("-q", "mkdir", store, "later/folder");
    Run.ok("-q", "mv", store, "sub", "later");
    return store;
  }

  private void assertSame(Path store, Path copy) throws IOException {
    assertEquals(Run.ok("ls", "-lR", store).out(), Run.ok("ls", "-lR", copy).out());
    Run.ok("-q", "extract", store, "-d", temp.resolve("out"));
    Run.ok("-q", "extract", copy, "-d", temp.resolve("copied"));
    assertEquals(Trees.describe(temp.resolve("out")), Trees.describe(temp.resolve("copied")));
    Run.ok("verify", copy);
  }

  @ParameterizedTest
  @ValueSource(strings = {"log", "sqlite", "duckdb"})
  void sealsAStoreOfAnyBackend(String backend) throws IOException {
    Path store = newStore(backend);
    Path sealed = temp.resolve("sealed.coffer");
    Run run = Run.ok("seal", store, sealed);
    assertTrue(run.err().startsWith("coffer: sealed: entries="), run.err());
    assertSame(store, sealed);
    byte[] bytes = Files.readAllBytes(sealed);
    for (Run refused :
        new Run[] {
          Run.of("rm", sealed, "later/folder"),
          Run.of("mkdir", sealed, "x"),
          Run.of("compact", sealed),
          Run.of("seal", store, sealed)
        }) {
      assertFalse(refused.code() == 0);
      assertEquals(1, refused.err().lines().count(), refused.err());
    }
    assertArrayEquals(bytes, Files.readAllBytes(sealed));
    assertFalse(Files.exists(temp.resolve(".sealed.coffer.lock")));
    Files.write(sealed, java.util.Arrays.copyOf(bytes, bytes.length - 1));
    Run cut = Run.of("ls", sealed);
    assertEquals(2, cut.code());
    assertTrue(cut.err().contains("truncated"), cut.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "folder"})
  void aBackupIsAStoreOfItsOwn(String layout) throws IOException {
    Path store = newStore("log", layout);
    Path copy = temp.resolve("copy.coffer");
    Run.ok("backup", store, copy);
    assertSame(store, copy);
    Run.ok("-q", "mkdir", copy, "only/here");
    assertFalse(Run.ok("ls", "-R", store).out().contains("only"));
    assertFalse(Run.of("backup", store, copy).code() == 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "folder"})
  void aStoreIsBackedUpWhileItIsWritten(String layout) throws IOException {
    Path store = newStore("log", layout);
    try (VirtualFileStore open = VirtualFileStore.open(store, StoreOptions.DEFAULT)) {
      open.write("/now", new byte[] {1, 2, 3});
      Path copy = temp.resolve("live.coffer");
      Run.ok("backup", store, copy);
      open.write("/after", new byte[1]);
      Run.ok("verify", copy);
      String names = Run.ok("ls", "-R", copy).out();
      assertTrue(names.contains("now"), names);
      Path own = temp.resolve("own.coffer");
      open.backupTo(own);
      Run.ok("verify", own);
      assertTrue(Run.ok("ls", "-R", own).out().contains("after"));
    }
  }
}
