package dev.coffer.backends.duckdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.testkit.ChildJvm;
import dev.coffer.testkit.SampleStore;
import dev.coffer.vfs.Durability;
import dev.coffer.vfs.NotAStoreException;
import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreVersionException;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.BackendOptions;
import dev.coffer.vfs.spi.EntryKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever happens to the file, no wrong byte comes out of it unnoticed. */
final class DuckDamageTest {
  private static final int FLIPS = Integer.getInteger("coffer.flips", 100);

  @TempDir private Path directory;
  private Path store;

  @BeforeEach
  void make() throws StoreException {
    store = directory.resolve("store.coffer");
    DuckSamples.make(store);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE entry SET length = length + 1 WHERE name = 's3'::BLOB",
        "UPDATE entry SET name = 's99'::BLOB WHERE name = 's3'::BLOB",
        "UPDATE entry SET inline = '\\x00\\x00'::BLOB WHERE name = 's3'::BLOB",
        "UPDATE entry SET content = 3 WHERE name = 'a'::BLOB",
        "UPDATE entry SET record = ''::BLOB WHERE name = 's3'::BLOB",
        "UPDATE entry SET row_hash = row_hash + 1 WHERE name = 's3'::BLOB",
        "UPDATE entry SET key_hash = key_hash + 1 WHERE name = 's3'::BLOB",
        "DELETE FROM entry WHERE name = 's3'::BLOB",
        "DELETE FROM entry",
        "INSERT INTO entry SELECT key_hash, parent, 'z'::BLOB, kind, version, length, content,"
            + " record, inline, row_hash FROM entry WHERE name = 's3'::BLOB",
        "INSERT INTO entry SELECT * FROM entry WHERE name = 's3'::BLOB",
        "DELETE FROM content WHERE id = 3",
        "DELETE FROM chunk WHERE id = 3",
        "UPDATE content SET refs = refs + 1 WHERE id = 3",
        "UPDATE content SET page = NOT page WHERE id = 3",
        "UPDATE chunk SET bytes = '\\x00'::BLOB WHERE id = 3",
        "UPDATE chunk SET id = 1000 WHERE id = 3",
        "UPDATE property SET value = 'red'",
        "DELETE FROM property",
        "INSERT INTO property VALUES ('more', '1')",
        "UPDATE meta SET sequence = sequence + 1",
        "UPDATE meta SET entries = entries - 1",
        "DELETE FROM meta",
        "INSERT INTO chunk VALUES (500, 0, '\\x00'::BLOB)",
        "INSERT INTO dictionary VALUES (7, '\\x01\\x02'::BLOB)",
      })
  void tamperingWithRowsShows(String sql) throws SQLException {
    DuckSamples.tamper(store, sql);
    List<Problem> problems = new ArrayList<>();
    boolean shown = false;
    try (Backend backend = DuckSamples.open(store, DuckSamples.READ_ONLY)) {
      problems.addAll(SampleStore.verify(backend));
      SampleStore.dump(backend);
    } catch (StoreException e) {
      shown = true;
    }
    assertTrue(shown || !problems.isEmpty(), sql);
  }

  @Test
  void alteredEntriesNameTheirPath() throws StoreException, SQLException {
    DuckSamples.tamper(store, "UPDATE entry SET length = 7 WHERE name = 's3'::BLOB");
    try (Backend backend = DuckSamples.open(store, DuckSamples.EXISTING)) {
      StoreCorruptException thrown =
          assertThrows(StoreCorruptException.class, () -> backend.lookup(EntryKey.of("/small/s3")));
      assertEquals("/small/s3", thrown.path());
      assertTrue(backend.lookup(EntryKey.of("/small/s4")) != null);
      assertTrue(
          SampleStore.verify(backend).stream().map(Problem::path).anyMatch("/small/s3"::equals));
    }
  }

  @Test
  void anOverlongValueDoesNotReachTheHeap() throws SQLException, StoreException {
    DuckSamples.tamper(store, "UPDATE chunk SET bytes = repeat('x', 90000000)::BLOB WHERE id = 3");
    try (Backend backend = DuckSamples.open(store, DuckSamples.READ_ONLY)) {
      assertThrows(StoreCorruptException.class, () -> SampleStore.dump(backend));
    }
  }

  /**
   * Damages copies and reads them, in a process of its own: what a damaged database does to the
   * driver's native code is not this project's to promise.
   */
  static final class Flipper {
    private Flipper() {}

    public static void main(String[] arguments) throws IOException {
      Path store = Path.of(arguments[0]);
      int first = Integer.parseInt(arguments[2]);
      int rounds = Integer.parseInt(arguments[3]);
      byte[] clean = Files.readAllBytes(store);
      Path damaged = store.resolveSibling("damaged.coffer");
      Files.copy(store, damaged, StandardCopyOption.REPLACE_EXISTING);
      SortedMap<String, String> before = dump(damaged);
      for (int round = first; round < rounds; round++) {
        Random random = new Random(Long.parseLong(arguments[1]) + round);
        byte[] bytes = clean.clone();
        int at = random.nextInt(bytes.length);
        bytes[at] ^= (byte) (1 + random.nextInt(255));
        Files.write(damaged, bytes);
        System.out.println("try " + round + " " + at);
        try {
          boolean same = dump(damaged).equals(before);
          System.out.println(same ? "unchanged" : "WRONG at=" + at);
        } catch (StoreException e) {
          boolean named =
              e instanceof StoreCorruptException
                  || e instanceof NotAStoreException
                  || e instanceof StoreVersionException;
          System.out.println(named ? "declared" : "WRONG at=" + at + " error=" + e);
        }
      }
    }

    private static SortedMap<String, String> dump(Path file) throws StoreException {
      try (Backend backend = DuckSamples.open(file, DuckSamples.READ_ONLY)) {
        List<Problem> problems = new ArrayList<>();
        backend.verifyEntries(problems::add);
        if (!problems.isEmpty()) {
          throw new StoreCorruptException(problems.toString());
        }
        return SampleStore.dump(backend);
      }
    }
  }

  @Test
  void noFlippedByteGivesWrongBytes() throws IOException, InterruptedException {
    long seed = 20260303;
    int round = 0;
    int declared = 0;
    List<String> crashes = new ArrayList<>();
    while (round < FLIPS) {
      String trying = "";
      int exit;
      try (ChildJvm flipper =
          ChildJvm.start(256, Flipper.class, store.toString(), "" + seed, "" + round, "" + FLIPS)) {
        for (String line; (line = flipper.line()) != null; ) {
          assertTrue(!line.startsWith("WRONG"), line + " seed=" + seed);
          if (line.startsWith("try ")) {
            trying = line;
            round = Integer.parseInt(line.substring(4, line.lastIndexOf(' '))) + 1;
          } else {
            declared += line.startsWith("declared") ? 1 : 0;
          }
        }
        exit = flipper.awaitExit();
      }
      if (exit != 0) {
        crashes.add(trying + " exit=" + exit);
        assertTrue(!trying.isEmpty(), "the process never started: exit=" + exit);
      }
    }
    assertEquals(List.of(), crashes, "seed=" + seed);
    assertTrue(declared > FLIPS / 20, "damage hardly ever shows: declared=" + declared);
  }

  /** Before any read of the block that is cut, and before a write that might leave it out. */
  @Test
  void aFileThatEndsInsideABlockIsNotOpened() throws IOException {
    byte[] all = Files.readAllBytes(store);
    for (int missing : new int[] {1, 4096, 200_000}) {
      Files.write(store, Arrays.copyOf(all, all.length - missing));
      for (BackendOptions options : List.of(DuckSamples.READ_ONLY, DuckSamples.EXISTING)) {
        StoreCorruptException thrown =
            assertThrows(
                StoreCorruptException.class, () -> DuckSamples.open(store, options).close());
        assertEquals(all.length - missing, thrown.offset());
      }
      assertEquals(all.length - missing, Files.size(store));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 11, 12, 4095, 4096, 8192, 12288, 100_000, 274_000})
  void aTruncatedFileIsDeclared(int length) throws IOException {
    byte[] all = Files.readAllBytes(store);
    Files.write(store, Arrays.copyOf(all, length));
    assertThrows(
        StoreException.class,
        () -> {
          try (Backend backend = DuckSamples.open(store, DuckSamples.READ_ONLY)) {
            SampleStore.dump(backend);
          }
        });
    assertThrows(
        StoreException.class,
        () -> {
          try (Backend backend = DuckSamples.open(store, DuckSamples.EXISTING)) {
            SampleStore.commit(
                backend, Durability.SYNC, SampleStore.put(backend, "/new", 900, length));
            SampleStore.dump(backend);
          }
        });
  }
}
