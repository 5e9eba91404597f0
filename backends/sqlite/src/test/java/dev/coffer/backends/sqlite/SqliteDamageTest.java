package dev.coffer.backends.sqlite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.testkit.SampleStore;
import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.BackendOptions;
import dev.coffer.vfs.spi.EntryKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever happens to the file, no wrong byte comes out of it unnoticed. */
final class SqliteDamageTest {
  private static final int FLIPS = 2_000;

  @TempDir private Path directory;
  private Path store;

  @BeforeEach
  void make() throws StoreException {
    store = directory.resolve("store.coffer");
    Sample.make(store);
  }

  @Test
  void anUndamagedStoreHasNoProblem() throws StoreException {
    try (Backend backend = Sample.open(store, Sample.READ_ONLY)) {
      assertEquals(List.of(), SampleStore.verify(backend));
      assertEquals(33, SampleStore.dump(backend).size());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE entry SET length = length + 1 WHERE name = 's3'",
        "UPDATE entry SET mode = 511 WHERE name = 's3'",
        "UPDATE entry SET name = 's99' WHERE name = 's3'",
        "UPDATE entry SET inline = zeroblob(length(inline)) WHERE name = 's3'",
        "UPDATE entry SET content_id = 3 WHERE name = 'm1'",
        "UPDATE entry SET modified = 0 WHERE name = 'a'",
        "UPDATE entry SET row_hash = row_hash + 1 WHERE name = 's3'",
        "DELETE FROM entry WHERE name = 's3'",
        "DELETE FROM entry WHERE name LIKE 's%'",
        "DELETE FROM entry",
        "INSERT INTO entry SELECT x'7a00', name, kind, version, length, modified, modified_nanos,"
            + " mode, attributes, link_target, content_kind, content_id, content_offset,"
            + " plain_length, packed_length, codec, dictionary, checksum, chunk_length, row_hash,"
            + " inline FROM entry WHERE name = 's3'",
        "DELETE FROM content WHERE id = 5",
        "DELETE FROM chunk WHERE id = 5",
        "UPDATE content SET refs = refs + 1 WHERE id = 5",
        "UPDATE content SET refs = refs + 1, row_check = row_check + 1 WHERE id = 5",
        "UPDATE content SET codec = 1 WHERE id = 5",
        "UPDATE chunk SET data = zeroblob(length(data)) WHERE id IN (6, 10)",
        "UPDATE chunk SET id = 1000 - id WHERE id IN (499, 501)",
        "UPDATE property SET value = 'red'",
        "DELETE FROM property",
        "INSERT INTO property VALUES ('more', '1')",
        "UPDATE meta SET sequence = sequence + 1",
        "UPDATE meta SET entries = entries - 1",
        "DELETE FROM meta",
        "INSERT INTO chunk VALUES (500, x'00')",
        "INSERT INTO dictionary VALUES (7, x'0102')",
      })
  void tamperingWithRowsShows(String sql) throws StoreException, SQLException {
    // A swap of two chunks of equal length needs a row to go round.
    Sample.tamper(
        store,
        sql.startsWith("UPDATE chunk SET id")
            ? "UPDATE chunk SET data = CASE id WHEN 6 THEN (SELECT data FROM chunk WHERE id = 7)"
                + " ELSE (SELECT data FROM chunk WHERE id = 6) END WHERE id IN (6, 7)"
            : sql);
    boolean shown;
    try (Backend backend = Sample.open(store, Sample.READ_ONLY)) {
      shown = !SampleStore.verify(backend).isEmpty();
      try {
        SampleStore.dump(backend);
      } catch (StoreCorruptException e) {
        shown = true;
      }
    }
    assertTrue(shown, sql);
  }

  @Test
  void alteredEntriesNameTheirPath() throws StoreException, SQLException {
    Sample.tamper(store, "UPDATE entry SET length = 7 WHERE name = 's3'");
    try (Backend backend = Sample.open(store, Sample.EXISTING)) {
      StoreCorruptException thrown =
          assertThrows(StoreCorruptException.class, () -> backend.lookup(EntryKey.of("/small/s3")));
      assertEquals("/small/s3", thrown.path());
      assertNotEquals(null, backend.lookup(EntryKey.of("/small/s4")));
      assertTrue(
          SampleStore.verify(backend).stream().map(Problem::path).anyMatch("/small/s3"::equals));
    }
  }

  @Test
  void aStoreWhoseOwnRowIsDamagedOpensReadOnly() throws StoreException, SQLException {
    SortedMap<String, String> before;
    try (Backend backend = Sample.open(store, Sample.READ_ONLY)) {
      before = SampleStore.dump(backend);
    }
    Sample.tamper(store, "UPDATE meta SET entries = 3");
    try (Backend backend = Sample.open(store, Sample.EXISTING)) {
      assertTrue(backend.isReadOnly());
      assertFalse(backend.recoveryReport().isEmpty());
      assertEquals(before, SampleStore.dump(backend));
      assertFalse(SampleStore.verify(backend).isEmpty());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 1, 5000})
  void anotherLengthIsAProblem(int by) throws IOException, StoreException {
    byte[] clean = Files.readAllBytes(store);
    Files.write(store, java.util.Arrays.copyOf(clean, clean.length + by));
    String message =
        (by > 0 ? "file goes on behind its end" : "file ends before its end")
            + ": fileBytes="
            + (clean.length + by)
            + " expected="
            + clean.length;
    for (BackendOptions options : List.of(Sample.READ_ONLY, Sample.EXISTING)) {
      try (Backend backend = Sample.open(store, options)) {
        assertTrue(
            SampleStore.verify(backend).stream().map(Problem::message).anyMatch(message::equals));
      }
    }
  }

  @Test
  void damageIsAProblemAndNotAnException() throws IOException {
    long seed = 20260304;
    Random random = new Random(seed);
    byte[] clean = Files.readAllBytes(store);
    Path damaged = directory.resolve("damaged.coffer");
    int told = 0;
    for (int i = 0; i < FLIPS / 10; i++) {
      byte[] bytes = clean.clone();
      // Whole pages, trees' roots among them.
      int at = 4096 * (1 + random.nextInt(bytes.length / 4096 - 1));
      java.util.Arrays.fill(bytes, at, at + 4096, (byte) random.nextInt());
      Files.write(damaged, bytes);
      Backend opened;
      try {
        opened = Sample.open(damaged, Sample.READ_ONLY);
      } catch (StoreException e) {
        continue;
      }
      try (Backend backend = opened) {
        told += SampleStore.verify(backend).isEmpty() ? 0 : 1;
        List<Problem> entries = new ArrayList<>();
        backend.verifyEntries(entries::add);
      } catch (StoreException e) {
        throw new AssertionError("seed=" + seed + " page at=" + at, e);
      }
    }
    assertTrue(told > 0, "seed=" + seed);
  }

  @Test
  void aDamagedTreeNamesThePathLookedUp() throws IOException {
    byte[] clean = Files.readAllBytes(store);
    Path damaged = directory.resolve("damaged.coffer");
    int named = 0;
    for (int page = 1; page < clean.length / 4096; page++) {
      byte[] bytes = clean.clone();
      java.util.Arrays.fill(bytes, page * 4096, page * 4096 + 4096, (byte) 0x55);
      Files.write(damaged, bytes);
      try (Backend backend = Sample.open(damaged, Sample.READ_ONLY)) {
        backend.lookup(EntryKey.of("/small/s3"));
      } catch (StoreCorruptException e) {
        named += "/small/s3".equals(e.path()) ? 1 : 0;
      } catch (StoreException e) {
        throw new AssertionError("page=" + page, e);
      }
    }
    assertTrue(named > 0, "no damage of a page names the path");
  }

  @Test
  void noFlippedByteGoesUnnoticed() throws IOException {
    long seed = 20260301;
    Random random = new Random(seed);
    byte[] clean = Files.readAllBytes(store);
    SortedMap<String, String> before;
    try (Backend backend = Sample.open(store, Sample.READ_ONLY)) {
      before = SampleStore.dump(backend);
    }
    int refused = 0;
    int shown = 0;
    Path damaged = directory.resolve("damaged.coffer");
    for (int i = 0; i < FLIPS; i++) {
      byte[] bytes = clean.clone();
      int at = random.nextInt(bytes.length);
      bytes[at] ^= (byte) (1 + random.nextInt(255));
      Files.write(damaged, bytes);
      List<Problem> problems = new ArrayList<>();
      boolean threw = false;
      SortedMap<String, String> after = before;
      try (Backend backend = Sample.open(damaged, Sample.READ_ONLY)) {
        backend.verifyEntries(problems::add);
        after = SampleStore.dump(backend);
      } catch (StoreException e) {
        threw = true;
      }
      if (!threw && problems.isEmpty()) {
        assertEquals(before, after, "seed=" + seed + " round=" + i + " offset=" + at);
      }
      refused += threw ? 1 : 0;
      shown += problems.isEmpty() ? 0 : 1;
    }
    assertTrue(refused > FLIPS / 4, "damage hardly ever shows: refused=" + refused);
    assertTrue(shown > 0, "damaged entries are never told");
  }

  @Test
  void noFlippedByteMakesAWriterFailUndeclared() throws IOException {
    long seed = 20260302;
    Random random = new Random(seed);
    byte[] clean = Files.readAllBytes(store);
    Path damaged = directory.resolve("damaged.coffer");
    int worked = 0;
    for (int i = 0; i < FLIPS / 10; i++) {
      byte[] bytes = clean.clone();
      int at = random.nextInt(bytes.length);
      bytes[at] ^= (byte) (1 << random.nextInt(8));
      Files.write(damaged, bytes);
      try (Backend backend = Sample.open(damaged, Sample.EXISTING)) {
        SampleStore.commit(
            backend,
            dev.coffer.vfs.Durability.PROCESS,
            SampleStore.put(backend, "/new" + i, 900, i));
        SampleStore.commit(
            backend, dev.coffer.vfs.Durability.PROCESS, SampleStore.delete(backend, "/new" + i));
        worked++;
      } catch (StoreException e) {
        // Declared; anything else fails the test.
      }
    }
    assertTrue(worked > 0, "seed=" + seed);
  }

  @Test
  void everyTruncationIsDeclared() throws IOException {
    byte[] clean = Files.readAllBytes(store);
    Path damaged = directory.resolve("damaged.coffer");
    for (int length = 1; length < clean.length; length += 1 + length / 7) {
      Files.write(damaged, java.util.Arrays.copyOf(clean, length));
      boolean noticed = false;
      try (Backend backend = Sample.open(damaged, Sample.READ_ONLY)) {
        noticed = !SampleStore.verify(backend).isEmpty();
        SampleStore.dump(backend);
      } catch (StoreException e) {
        noticed = true;
      }
      assertTrue(noticed, "length=" + length);
    }
  }
}
