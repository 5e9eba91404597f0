package dev.coffer.backends.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.EntryKind;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.PackedChunk;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes into a metadata block comes out of it, and nothing else is taken for one. */
class BlockLayoutTest {
  private static final long CONTENT = 1000;

  private static byte[] meta(String path, Content content) {
    Entry entry =
        new Entry(
            EntryKey.of(path),
            EntryKind.FILE,
            1,
            content == Content.NONE ? 0 : 10,
            Attributes.of(0644, Instant.ofEpochSecond(1_700_000_000L)),
            null,
            content);
    return EntryLayout.encode(new BytesOut(64), entry, true);
  }

  private static Content.Packed packed(int length) {
    return new Content.Packed(PackedChunk.of(false, 1, 0, 10, new byte[length]));
  }

  private static byte[] block(byte[] plain) {
    return BlockLayout.encode(plain, plain.length);
  }

  private static List<LogItem> items(EntryBlock.Packed block) throws StoreCorruptException {
    return BlockLayout.items(block.meta(), CONTENT, block.contentLength());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void comesOutAsItWentIn(long seed) throws StoreCorruptException {
    Random random = new Random(seed);
    EntryBlock block = new EntryBlock();
    List<LogItem> expected = new ArrayList<>();
    int content = 0;
    while (!block.isFull()) {
      String path =
          "/d" + random.nextInt(3) + "/" + "x".repeat(random.nextInt(200)) + expected.size();
      long version = random.nextLong() >>> 1;
      long at = CONTENT + content;
      if (random.nextInt(4) == 0) {
        byte[] key = EntryLayout.encodeKey(Keys.encode(EntryKey.of(path)));
        assertEquals(content, block.add(key, version, null));
        expected.add(new LogItem(RecordKind.DELETE, version, key, at, 0, true));
      } else if (random.nextInt(3) == 0) {
        byte[] meta = meta(path, new Content.Chunk(7, 3, 10, 1, 99, 6, 0x01020304));
        assertEquals(content, block.add(meta, version, null));
        expected.add(new LogItem(RecordKind.PUT, version, meta, at, 0, true));
      } else {
        Content.Packed own = packed(1 + random.nextInt(5000));
        byte[] meta = meta(path, own);
        assertEquals(content, block.add(meta, version, own.chunk()));
        int length = own.chunk().length();
        expected.add(new LogItem(RecordKind.PUT, version, meta, at, length, true));
        content += length;
      }
    }
    assertTrue(expected.size() > 1);
    List<LogItem> found = items(block.pack());
    assertEquals(expected.size(), found.size());
    for (int i = 0; i < found.size(); i++) {
      LogItem item = found.get(i);
      assertArrayEquals(expected.get(i).meta(), item.meta());
      assertEquals(
          expected.get(i).toString().replaceAll("meta=[^,]*", ""),
          item.toString().replaceAll("meta=[^,]*", ""));
      if (item.kind() == RecordKind.PUT) {
        Row row = item.row(0);
        assertTrue(row.isInBlock());
        assertEquals(item.contentLength() > 0 ? item.contentOffset() : -1, row.contentOffset());
      }
    }
    assertTrue(block.isEmpty());
  }

  @Test
  void noCutOfABlockGivesAnythingElseThanAnError() throws StoreCorruptException {
    EntryBlock block = new EntryBlock();
    for (int i = 0; i < 40; i++) {
      var unused = block.add(meta("/dir/file" + i, packed(3)), 7, packed(3).chunk());
    }
    EntryBlock.Packed whole = block.pack();
    assertEquals(40, items(whole).size());
    for (int length = 0; length < whole.meta().length; length++) {
      byte[] cut = java.util.Arrays.copyOf(whole.meta(), length);
      assertThrows(
          StoreCorruptException.class,
          () -> BlockLayout.items(cut, CONTENT, whole.contentLength()),
          "length=" + length);
    }
  }

  @Test
  void contentOfAnotherLengthIsDamage() {
    EntryBlock block = new EntryBlock();
    var unused = block.add(meta("/f", packed(3)), 7, packed(3).chunk());
    byte[] meta = block.pack().meta();
    assertThrows(StoreCorruptException.class, () -> BlockLayout.items(meta, CONTENT, 2));
    assertThrows(StoreCorruptException.class, () -> BlockLayout.items(meta, CONTENT, 4));
  }

  @Test
  void whatABlockSaysIsBounded() {
    BytesOut plain = new BytesOut(1 << 16);
    byte[] key = new byte[4000];
    java.util.Arrays.fill(key, (byte) 'x');
    plain.varint(0).varint(key.length).raw(key).varint(1).varint(0);
    for (int i = 0; i < 1000; i++) {
      plain.varint(key.length).varint(1).u8('y').varint(1).varint(0);
    }
    assertThrows(
        StoreCorruptException.class,
        () -> BlockLayout.items(block(plain.toByteArray()), CONTENT, 0));
    byte[] tooLong = new byte[BlockLayout.MAX_PLAIN + 1];
    assertThrows(StoreCorruptException.class, () -> BlockLayout.items(block(tooLong), CONTENT, 0));
  }

  @Test
  void keysAndLengthsOutOfRangeAreDamage() {
    byte[][] wrong = {
      new BytesOut(9).varint(1).varint(1).u8('x').varint(1).varint(0).toByteArray(), // shared
      new BytesOut(9).varint(0).varint(0).varint(1).varint(0).toByteArray(), // no key
      new BytesOut(9).varint(0).varint(9).u8('x').varint(1).varint(0).toByteArray(), // length
      new BytesOut(9).varint(0).varint(1).u8('x').varint(-1).varint(0).toByteArray(), // version
      new BytesOut(9).varint(0).varint(1).u8('x').varint(1).varint(1L << 62).toByteArray(), // body
    };
    for (byte[] plain : wrong) {
      assertThrows(StoreCorruptException.class, () -> BlockLayout.items(block(plain), CONTENT, 0));
    }
    byte[] codec = block(new byte[] {0, 1, 'x', 1, 0});
    codec[4] = 9;
    assertThrows(StoreCorruptException.class, () -> BlockLayout.items(codec, CONTENT, 0));
  }

  @Test
  void entriesSayWhetherTheyLieInABlock() throws StoreCorruptException {
    byte[] inside = meta("/f", packed(3));
    byte[] alone = EntryLayout.placed(inside, false);
    assertEquals(16, new LogItem(RecordKind.PUT, 1, inside, 9, 3, true).row(0).recordLength());
    assertEquals(
        RecordHeader.LENGTH + alone.length,
        new LogItem(RecordKind.PUT, 1, alone, 9, 3, false).row(0).recordLength());
    assertThrows(
        StoreCorruptException.class,
        () -> new LogItem(RecordKind.PUT, 1, alone, 9, 3, true).row(0));
    assertThrows(
        StoreCorruptException.class,
        () -> new LogItem(RecordKind.PUT, 1, inside, 9, 3, false).row(0));
  }
}
