package dev.coffer.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.EntryExistsException;
import dev.coffer.vfs.FileEntry;
import dev.coffer.vfs.Packing;
import dev.coffer.vfs.StoreClosedException;
import dev.coffer.vfs.VirtualFileStore;
import dev.coffer.vfs.WriteBatch;
import dev.coffer.vfs.WriteOption;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Batches that pack small files of one kind together. */
abstract class StoreClusterCases extends StoreCases {
  private static final int FILES = 120;

  StoreClusterCases(StoreContract contract) {
    super(contract);
  }

  /** A short record, much like all others. */
  private static byte[] record(int i) {
    return text(
        "{\"id\": "
            + i
            + ", \"name\": \"record "
            + i % 7
            + "\", \"tags\": [\"common\", \"text\"]}");
  }

  private void writeRecords(int count) throws IOException {
    try (WriteBatch batch = store().newBatch(Packing.CLUSTERED)) {
      for (int i = 0; i < count; i++) {
        batch.write("/d" + i % 3 + "/r" + i + ".json", record(i));
      }
      batch.commit();
    }
  }

  private static String path(int i) {
    return "/d" + i % 3 + "/r" + i + ".json";
  }

  private void assertRecords(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      assertContent(record(i), path(i));
    }
  }

  private long packedLength() throws IOException {
    long sum = 0;
    for (FileEntry entry : Trees.entries(store())) {
      sum += entry.packedLength();
    }
    return sum;
  }

  @Test
  void everyFileIsReadByItself() throws IOException {
    writeRecords(FILES);
    assertRecords(FILES);
    for (int i = 0; i < FILES; i++) {
      byte[] expected = record(i);
      byte[] range = store().readRange(path(i), 3, 20);
      assertEquals(
          new String(expected, 3, 20, StandardCharsets.UTF_8),
          new String(range, StandardCharsets.UTF_8));
      assertArrayEquals(expected, store().newInputStream(path(i)).readAllBytes());
    }
    var read = new TreeMap<String, byte[]>();
    assertEquals(
        FILES, store().readFiles("/", null, FILES + 1, (entry, b) -> read.put(entry.path(), b)));
    for (int i = 0; i < FILES; i++) {
      assertArrayEquals(record(i), read.get(path(i)));
    }
  }

  @Test
  void takesLessThanAlone() throws IOException {
    try (WriteBatch batch = store().newBatch()) {
      for (int i = 0; i < FILES; i++) {
        batch.write(path(i), record(i));
      }
      batch.commit();
    }
    long alone = packedLength();
    store().deleteRecursively("/d0");
    store().deleteRecursively("/d1");
    store().deleteRecursively("/d2");
    writeRecords(FILES);
    long together = packedLength();
    assertTrue(together > 0 && together < alone / 2, "alone=" + alone + " together=" + together);
  }

  @Test
  void oneIsReplacedWithoutTheOthers() throws IOException {
    writeRecords(FILES);
    store().write(path(5), text("new"));
    store().delete(path(7));
    store().move(path(8), "/moved.json");
    store().copy(path(9), "/copied.json");
    store().compact();
    for (int i = 0; i < FILES; i++) {
      if (i != 5 && i != 7 && i != 8) {
        assertContent(record(i), path(i));
      }
    }
    assertContent("new", path(5));
    assertContent(record(8), "/moved.json");
    assertContent(record(9), "/copied.json");
    for (int i = 0; i < FILES; i++) {
      if (store().exists(path(i))) {
        store().delete(path(i));
      }
    }
    store().compact();
    assertContent(record(8), "/moved.json");
    assertContent(record(9), "/copied.json");
  }

  @Test
  void kindsAndLengthsOfAllSorts() throws IOException {
    Random random = new Random(4);
    var expected = new TreeMap<String, byte[]>();
    try (WriteBatch batch = store().newBatch(Packing.CLUSTERED)) {
      for (int i = 0; i < 400; i++) {
        String name = "/x" + i + (i % 5 == 0 ? "" : ".k" + i % 5) + (i % 50 == 1 ? ".odd" + i : "");
        byte[] bytes = new byte[i % 40 == 3 ? 3000 + random.nextInt(9000) : random.nextInt(700)];
        if (i % 5 == 2) {
          random.nextBytes(bytes);
        } else {
          bytes = mixed(i, bytes.length);
        }
        batch.write(name, bytes);
        expected.put(name, bytes);
      }
      batch.write("/x7.k2", text("twice"));
      expected.put("/x7.k2", text("twice"));
      batch.commit();
    }
    for (var file : expected.entrySet()) {
      assertContent(file.getValue(), file.getKey());
    }
  }

  @Test
  void whatIsGatheredInABatchIsThereForIt() throws IOException {
    try (WriteBatch batch = store().newBatch(Packing.CLUSTERED)) {
      for (int i = 0; i < FILES; i++) {
        batch.write(path(i), record(i));
      }
      batch.copy(path(1), "/copied.json");
      batch.move("/d2", "/e");
      batch.delete(path(3));
      batch.write(path(4), record(5), WriteOption.MUST_EXIST);
      batch.commit();
      assertThrows(StoreClosedException.class, () -> batch.write("/late", record(1)));
    }
    assertContent(record(1), "/copied.json");
    assertContent(record(2), "/e/r2.json");
    assertFalse(store().exists(path(3)));
    assertContent(record(5), path(4));
  }

  @Test
  void allOrNothing() throws IOException {
    write(path(9), "there");
    try (WriteBatch batch = store().newBatch(Packing.CLUSTERED)) {
      for (int i = 0; i < FILES; i++) {
        batch.write(path(i), record(i), WriteOption.CREATE_NEW);
      }
      assertThrows(EntryExistsException.class, batch::commit);
    }
    try (WriteBatch batch = store().newBatch(Packing.CLUSTERED)) {
      for (int i = 0; i < FILES; i++) {
        batch.write(path(i), record(i));
      }
    }
    assertContent("there", path(9));
    assertFalse(store().exists(path(1)));
    store().compact();
    writeRecords(FILES);
    assertRecords(FILES);
  }

  @Test
  void equalFilesOfABatchShareTheirContent() throws IOException {
    byte[] noise = new byte[3500];
    new Random(1).nextBytes(noise);
    byte[] large = new byte[20_000];
    new Random(2).nextBytes(large);
    byte[] other = large.clone();
    other[19_999]++;
    try (WriteBatch batch = store().newBatch(Packing.CLUSTERED)) {
      for (int i = 0; i < 50; i++) {
        batch.write("/noise" + i + ".bin", noise);
        batch.write("/large" + i + ".bin", large);
      }
      batch.write("/other.bin", other);
      batch.delete("/large0.bin");
      batch.write("/noise0.bin", text("no longer"));
      batch.commit();
    }
    assertTrue(store().stats().liveBytes() < 200_000, "bytes=" + store().stats().liveBytes());
    for (int round = 0; round < 2; round++) {
      for (int i = 1; i < 50; i += 1 + 7 * round) {
        assertContent(noise, "/noise" + i + ".bin");
        assertContent(large, "/large" + i + ".bin");
      }
      assertContent(other, "/other.bin");
      for (int i = 2; i < 8; i++) {
        store().delete("/large" + i + ".bin");
        store().write("/noise" + i + ".bin", text("replaced"));
        if (round == 0) {
          store().write("/large" + i + ".bin", large);
          store().write("/noise" + i + ".bin", noise);
        }
      }
      store().compact();
    }
  }

  @Test
  void endureReopening() throws IOException {
    writeRecords(FILES);
    if (contract().outlivesClose()) {
      store().close();
      use(VirtualFileStore.open(path(), StoreContract.OPTIONS.withCacheBytes(0)));
    }
    assertRecords(FILES);
  }
}
