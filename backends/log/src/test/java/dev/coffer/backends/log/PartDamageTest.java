package dev.coffer.backends.log;

import static dev.coffer.backends.log.PartSample.assertSame;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Damaged and hostile parts are told, or answer rightly. */
class PartDamageTest {

  /** Looks everything up and scans; answers how often damage was told. */
  private static int use(
      byte[] bytes, EntryPartInfo info, NavigableMap<byte[], Row> model, String what)
      throws StoreException {
    EntryPart part;
    try {
      part = new EntryPart(new PartSample.Memory(bytes), info);
    } catch (StoreCorruptException e) {
      return 1;
    }
    int told = 0;
    for (byte[] key : model.keySet()) {
      byte[] absent = Arrays.copyOf(key, key.length + 1);
      told += look(part, key, model, what) + look(part, absent, model, what);
    }
    try {
      PartCursor cursor = part.from(new byte[0]);
      for (Row row : model.values()) {
        assertTrue(cursor.next(), what);
        assertSame(row, cursor.row(), what);
      }
      assertTrue(!cursor.next(), what);
    } catch (StoreCorruptException e) {
      told++;
    }
    try {
      part.verify();
      assertEquals(0, told, what);
    } catch (StoreCorruptException e) {
      told++;
    }
    return told;
  }

  private static int look(EntryPart part, byte[] key, NavigableMap<byte[], Row> model, String what)
      throws StoreException {
    int told = 0;
    try {
      assertSame(model.get(key), PartSample.get(part, key), what);
    } catch (StoreCorruptException e) {
      told++;
    }
    try {
      PartCursor cursor = part.from(key);
      byte[] expected = model.ceilingKey(key);
      boolean next = cursor.next();
      assertEquals(expected != null, next, what);
      if (expected != null) {
        assertSame(model.get(expected), cursor.row(), what);
      }
    } catch (StoreCorruptException e) {
      told++;
    }
    return told;
  }

  @Test
  void flippedBytes() throws StoreException {
    NavigableMap<byte[], Row> model = PartSample.random(new Random(1), 60, 300);
    PartSample.Part part = PartSample.Part.of(model.values());
    assertEquals(0, use(part.bytes(), part.info(), model, "whole"));
    Random random = new Random(2);
    int silent = 0;
    for (int i = 0; i < part.bytes().length; i++) {
      byte[] bytes = part.bytes().clone();
      bytes[i] ^= (byte) (1 + random.nextInt(255));
      silent += use(bytes, part.info(), model, "at=" + i) == 0 ? 1 : 0;
    }
    long padding = part.info().tableOffset() - (long) part.info().endUnit() * PartLayout.UNIT;
    assertEquals(padding, silent);
  }

  @Test
  void rangesOfZerosAndOfOtherParts() throws StoreException {
    NavigableMap<byte[], Row> model = PartSample.random(new Random(1), 400, 300);
    PartSample.Part part = PartSample.Part.of(model.values());
    for (int seed = 1; seed <= 60; seed++) {
      Random random = new Random(seed);
      byte[] bytes = part.bytes().clone();
      int unit = PartLayout.LINE_LENGTH;
      int count = (1 + random.nextInt(8)) * unit;
      int to = random.nextInt((bytes.length - count) / unit) * unit;
      int from = random.nextInt((bytes.length - count) / unit) * unit;
      System.arraycopy(
          seed % 2 == 0 ? new byte[bytes.length] : part.bytes(), from, bytes, to, count);
      assertEquals(
          Arrays.equals(bytes, part.bytes()), use(bytes, part.info(), model, "seed=" + seed) == 0);
    }
  }

  @Test
  void truncation() throws StoreException {
    NavigableMap<byte[], Row> model = PartSample.random(new Random(3), 100, 300);
    PartSample.Part part = PartSample.Part.of(model.values());
    for (int length = 0; length < part.bytes().length; length += 7) {
      byte[] shorter = Arrays.copyOf(part.bytes(), length);
      assertThrows(
          StoreCorruptException.class,
          () -> new EntryPart(new PartSample.Memory(shorter), part.info()));
      PartSource lying = new Lying(new PartSample.Memory(shorter), part.info().length());
      EntryPart opened;
      try {
        opened = new EntryPart(lying, part.info());
      } catch (StoreCorruptException e) {
        continue;
      }
      for (byte[] key : model.keySet()) {
        look(opened, key, model, "length=" + length);
      }
    }
  }

  private record Lying(PartSource source, long length) implements PartSource {
    @Override
    public void read(long offset, byte[] target, int at, int count) throws StoreException {
      source.read(offset, target, at, count);
    }
  }

  @Test
  void hostileBlocksOfRightChecksums() throws StoreException {
    NavigableMap<byte[], Row> model = PartSample.random(new Random(4), 300, 300);
    PartSample.Part part = PartSample.Part.of(model.values());
    EntryPartInfo info = part.info();
    PartCrc crc = new PartCrc();
    List<byte[]> keys = new ArrayList<>(model.keySet());
    int told = 0;
    for (int seed = 1; seed <= 3000; seed++) {
      Random random = new Random(seed);
      byte[] bytes = part.bytes().clone();
      int unit = 1;
      int length =
          PartLayout.units(PartLayout.u32(bytes, unit * PartLayout.UNIT)) * PartLayout.UNIT;
      for (int skip = random.nextInt(info.blocks()); skip > 0; skip--) {
        unit += length / PartLayout.UNIT;
        length = PartLayout.units(PartLayout.u32(bytes, unit * PartLayout.UNIT)) * PartLayout.UNIT;
      }
      int start = unit * PartLayout.UNIT;
      for (int i = random.nextInt(4); i >= 0; i--) {
        int inHead = random.nextInt(4) == 0 ? 3 : random.nextInt(length - 4);
        bytes[start + inHead] = (byte) (random.nextBoolean() ? -1 : random.nextInt(256));
      }
      int claimed = PartLayout.units(PartLayout.u32(bytes, start)) * PartLayout.UNIT;
      if (claimed > 0 && claimed <= bytes.length - start) {
        crc.seal(bytes, start, claimed, info.salt(), unit);
      }
      told += abuse(new EntryPart(new PartSample.Memory(bytes), info), keys);
    }
    assertTrue(told > 3000, "told=" + told);
  }

  /** Answers may be anything now, but nothing else may come of it. */
  private static int abuse(EntryPart part, List<byte[]> keys) {
    int told = 0;
    for (int i = 0; i < keys.size(); i += 1 + i / 10) {
      try {
        PartSample.get(part, keys.get(i));
        part.from(keys.get(i)).next();
      } catch (StoreException e) {
        told++;
      }
    }
    try {
      PartCursor cursor = part.from(new byte[0]);
      int rows = 0;
      while (cursor.next()) {
        cursor.row().path();
        rows++;
      }
      assertTrue(rows < 20_000);
    } catch (StoreException e) {
      told++;
    }
    try {
      part.verify();
    } catch (StoreException e) {
      told++;
    }
    return told;
  }

  @Test
  void hostileDescriptions() throws StoreException {
    NavigableMap<byte[], Row> model = PartSample.random(new Random(5), 100, 300);
    PartSample.Part part = PartSample.Part.of(model.values());
    BytesOut out = new BytesOut(64);
    part.info().encode(out);
    byte[] good = out.toByteArray();
    EntryPartInfo same = EntryPartInfo.decode(new BytesIn(good));
    assertEquals(0, use(part.bytes(), same, model, "described"));
    List<byte[]> keys = new ArrayList<>(model.keySet());
    int told = 0;
    for (int i = 0; i < good.length; i++) {
      for (int value = 0; value < 256; value++) {
        byte[] bytes = good.clone();
        bytes[i] = (byte) value;
        try {
          EntryPartInfo info = EntryPartInfo.decode(new BytesIn(bytes));
          told += abuse(new EntryPart(new PartSample.Memory(part.bytes()), info), keys);
        } catch (StoreException e) {
          told++;
        }
      }
      byte[] shorter = Arrays.copyOf(good, i);
      assertThrows(StoreCorruptException.class, () -> EntryPartInfo.decode(new BytesIn(shorter)));
    }
    assertTrue(told > 1000, "told=" + told);
  }

  @Test
  void hugeNumbersInDescriptions() {
    for (long[] numbers :
        List.of(
            new long[] {Long.MAX_VALUE, 1, 10, 1, 1},
            new long[] {-1, 1, 10, 1, 1},
            new long[] {0, 1, 10, 1, 1},
            new long[] {1, 1L << 40, 10, 1, 1},
            new long[] {1, 1, 1L << 32 | 10, 1, 1},
            new long[] {1, 1, 0, 0, 1},
            new long[] {1, 1, 10, 10, 1},
            new long[] {1, 1, 10, 0, 1},
            new long[] {1, 1, 10, 1, 10},
            new long[] {9, 9, 9, 1, 1},
            new long[] {1, 1, 10, 1, Integer.MAX_VALUE})) {
      BytesOut out = new BytesOut(64).u32(1);
      for (long number : numbers) {
        out.varint(number);
      }
      out.varint(2).raw(new byte[] {0, 'a'}).varint(2).raw(new byte[] {0, 'a'});
      assertThrows(
          StoreCorruptException.class,
          () -> EntryPartInfo.decode(new BytesIn(out.toByteArray())),
          Arrays.toString(numbers));
    }
  }
}
