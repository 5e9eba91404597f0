package dev.coffer.backends.log;

import static dev.coffer.backends.log.PartSample.assertSame;
import static dev.coffer.backends.log.PartSample.get;
import static dev.coffer.backends.log.PartSample.key;
import static dev.coffer.backends.log.PartSample.row;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.PackedChunk;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EntryPartTest {

  private static List<Row> rows(PartCursor cursor) throws StoreException {
    List<Row> rows = new ArrayList<>();
    while (cursor.next()) {
      rows.add(cursor.row());
    }
    assertFalse(cursor.next());
    return rows;
  }

  private static void assertSameRows(Iterable<Row> expected, PartCursor cursor, String message)
      throws StoreException {
    for (Row row : expected) {
      assertTrue(cursor.next(), message);
      assertSame(row, cursor.row(), message);
    }
    assertFalse(cursor.next(), message);
  }

  @Test
  void behavesAsATreeMap() throws StoreException {
    for (int seed = 1; seed <= 40; seed++) {
      Random random = new Random(seed);
      String message = "seed=" + seed;
      int count = 1 + random.nextInt(seed % 4 == 0 ? 6000 : 300);
      NavigableMap<byte[], Row> model = PartSample.random(random, count, 128 * 1024);
      PartSample.Part made = PartSample.Part.of(model.values());
      EntryPart part = made.open();
      part.verify();
      for (Row row : model.values()) {
        assertSame(row, get(part, row.key()), message);
      }
      assertSameRows(model.values(), part.from(new byte[0]), message);
      for (int i = 0; i < 200; i++) {
        byte[] key = PartSample.randomKey(random);
        assertSame(model.get(key), get(part, key), message);
        if (i % 20 == 0) {
          assertSameRows(model.tailMap(key).values(), part.from(key), message);
        }
      }
    }
  }

  @Test
  void startsAtEachKeyAndRightBehindIt() throws StoreException {
    NavigableMap<byte[], Row> model = PartSample.random(new Random(7), 700, 5000);
    EntryPart part = PartSample.Part.of(model.values()).open();
    for (byte[] key : model.keySet()) {
      PartCursor cursor = part.from(key);
      assertTrue(cursor.next());
      assertArrayEquals(key, cursor.row().key());
      byte[] behind = Arrays.copyOf(key, key.length + 1);
      byte[] above = model.higherKey(key);
      cursor = part.from(behind);
      assertEquals(above != null, cursor.next());
      if (above != null) {
        assertArrayEquals(above, cursor.row().key());
      }
      assertNull(get(part, behind));
    }
  }

  @Test
  void longBodiesAllAlone() throws StoreException {
    NavigableMap<byte[], Row> model = PartSample.model();
    for (int i = 0; i < 70; i++) {
      byte[] body = new byte[128 * 1024 - 1 + i % 3];
      Arrays.fill(body, (byte) i);
      PartSample.put(model, row(key("/" + "x".repeat(1 + i)), i, i, 1 + i, body));
    }
    EntryPart part = PartSample.Part.of(model.values()).open();
    part.verify();
    assertSameRows(model.values(), part.from(new byte[0]), "long bodies");
    assertSame(model.firstEntry().getValue(), get(part, model.firstKey()), "first");
  }

  @Test
  void fencesOfLongKeysStillNarrow() throws StoreException {
    NavigableMap<byte[], Row> model = PartSample.model();
    String common = ("/" + "c".repeat(250)).repeat(15);
    for (int i = 0; i < 120; i++) {
      String path = String.format("/%03d%s/", i / 2, common) + (char) ('a' + i % 2);
      PartSample.put(model, row(key(path), 1, 0, -1, new byte[3000]));
    }
    EntryPart part = PartSample.Part.of(model.values()).open();
    part.verify();
    assertSameRows(model.values(), part.from(new byte[0]), "long fences");
  }

  @Test
  void manyRowsOfOneHashAreFoundByOrder() throws StoreException {
    NavigableMap<byte[], Row> model = PartSample.model();
    List<byte[]> absent = new ArrayList<>();
    for (int i = 0; model.size() < 400; i++) {
      byte[] key = key("/" + i);
      if (EntryPart.hash(key) >>> 56 == 0) {
        if (i % 5 == 0) {
          absent.add(key);
        } else {
          PartSample.put(model, row(key, i, 0, -1, new byte[] {(byte) i}));
        }
      }
    }
    EntryPart part = PartSample.Part.of(model.values()).open();
    part.verify();
    for (Row row : model.values()) {
      assertSame(row, get(part, row.key()), "crowded");
    }
    for (byte[] key : absent) {
      assertNull(get(part, key));
    }
  }

  @Test
  void namesOfEqualStringHashesHaveHashesOfTheirOwn() {
    Set<Long> hashes = new HashSet<>();
    int[] lines = new int[1 << 8];
    for (int i = 0; i < 1 << 14; i++) {
      StringBuilder name = new StringBuilder("/");
      for (int bit = 0; bit < 14; bit++) {
        name.append((i >> bit & 1) == 0 ? "Aa" : "BB");
      }
      long hash = EntryPart.hash(key(name.toString()));
      hashes.add(hash);
      lines[PartLayout.line(hash, lines.length)]++;
    }
    assertEquals(1 << 14, hashes.size());
    assertTrue(Arrays.stream(lines).max().getAsInt() < 110, "64 are expected in each line");
  }

  @Test
  void writerRefusesWhatCannotBeKept() throws StoreException {
    EntryPartWriter writer = new EntryPartWriter((bytes, offset, length) -> {});
    assertThrows(IllegalStateException.class, writer::finish);
    writer.add(Row.deletion(key("/b"), 1));
    for (Row row :
        List.of(
            Row.deletion(key("/b"), 2),
            Row.deletion(key("/a"), 2),
            Row.deletion(key("/c"), -1),
            Row.deletion(new byte[0], 1),
            Row.deletion(new byte[Keys.MAX_LENGTH + 1], 1),
            row(key("/c"), 1, 0, -2, new byte[1]),
            row(key("/c"), 1, 0, 0, new byte[1]),
            row(key("/c"), 1, -1, 1, new byte[1]))) {
      assertThrows(IllegalArgumentException.class, () -> writer.add(row));
    }
    writer.add(Row.deletion(key("/c"), 1));
    assertEquals(2, writer.finish().rows());
  }

  @Test
  void writerIsFullAtItsLength() throws StoreException {
    EntryPartWriter writer = new EntryPartWriter((bytes, offset, length) -> {});
    byte[] body = new byte[RecordHeader.MAX_META - 100];
    int number = 10;
    while (!writer.isFull()) {
      writer.add(row(key("/" + number++), 1, 0, -1, body));
    }
    Row more = Row.deletion(key("/" + number), 1);
    assertThrows(IllegalStateException.class, () -> writer.add(more));
    EntryPartInfo info = writer.finish();
    assertTrue(info.length() > EntryPartWriter.FULL_LENGTH);
    assertEquals(info.length(), writer.length());
  }

  @Test
  void partsCanBeTold() throws StoreException {
    List<Row> rows = Collections.singletonList(Row.deletion(key("/a"), 1));
    PartSample.Part one = PartSample.Part.of(rows);
    BytesOut out = new BytesOut(100);
    EntryPartWriter writer = new EntryPartWriter(out::raw);
    writer.add(rows.get(0));
    EntryPartInfo other = writer.finish();
    assertNotEquals(one.info().salt(), other.salt());
    assertEquals(
        1,
        rows(new EntryPart(new PartSample.Memory(out.toByteArray()), other).from(new byte[0]))
            .size());
    assertThrows(
        StoreException.class, () -> new EntryPart(new PartSample.Memory(one.bytes()), other));
  }

  @Test
  void layoutIsPinned() throws StoreException {
    List<Row> rows =
        List.of(
            row(key("/a"), 3, 2, 300, PartSample.ascii("xyz")),
            Row.deletion(key("/ab"), 200),
            row(key("/b"), 5, 0, -1, PartSample.ascii("w")));
    PartSample.Part part = PartSample.Part.of(rows);
    BytesOut info = new BytesOut(64);
    part.info().encode(info);
    assertEquals("175a00000301020101020061020062", HexFormat.of().formatHex(info.toByteArray()));
    String header = "8efe506172741a0a01000000175a00000000000000000000000000006f03c1d2";
    String block = "0100000600020700610702ac0278797a020102629003010102620a77737a2c54";
    String line =
        "496f0300c15701007dd906000000000000000000000000000000000000000000"
            + "00000000000000000000000000000000000000000000000000000000e93733e8";
    assertEquals(header + block + line, HexFormat.of().formatHex(part.bytes()));
  }

  @Test
  void layoutOfManyBlocksIsPinned() throws StoreException {
    List<Row> rows = new ArrayList<>();
    for (int i = 1000; i < 3000; i++) {
      rows.add(row(key("/dir/" + i), i, 0, i, new byte[] {(byte) i, 1}));
    }
    PartSample.Part part = PartSample.Part.of(rows);
    byte[] bytes = part.bytes();
    assertEquals(
        "rows=2000 blocks=255 root=1055 length=46656 crc=77f61b5a",
        "rows=%d blocks=%d root=%d length=%d crc=%08x"
            .formatted(
                part.info().rows(),
                part.info().blocks(),
                part.info().rootUnit(),
                bytes.length,
                PackedChunk.checksum(bytes, 0, bytes.length)));
  }

  @Test
  void hashIsPinned() {
    assertEquals(0xebbceb7cafd2104dL, KeyHash.of(PartSample.ascii("a"), 0, 1));
    assertEquals(0x5b2dca98434454e5L, KeyHash.of(PartSample.ascii("abcdefgh"), 0, 8));
    assertEquals(0x28d4e8a519e7f246L, KeyHash.of(PartSample.ascii("-abcdefghijk"), 1, 11));
  }
}
