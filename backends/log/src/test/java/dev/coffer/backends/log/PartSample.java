package dev.coffer.backends.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.EntryKey;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Rows to make parts of, and a part in memory. */
final class PartSample {
  static final int SALT = 0x5a17;

  private PartSample() {}

  /** A part made of rows, in memory. */
  record Part(byte[] bytes, EntryPartInfo info) {

    static Part of(Collection<Row> rows) throws StoreException {
      BytesOut out = new BytesOut(1024);
      EntryPartWriter writer = new EntryPartWriter((b, at, count) -> out.raw(b, at, count), SALT);
      for (Row row : rows) {
        writer.add(row);
      }
      EntryPartInfo info = writer.finish();
      assertEquals(rows.size(), writer.rows());
      assertEquals(info.length(), writer.length());
      return new Part(out.toByteArray(), info);
    }

    EntryPart open() throws StoreException {
      return new EntryPart(new Memory(bytes), info);
    }
  }

  /** Bytes as a source. */
  record Memory(byte[] bytes) implements PartSource {
    @Override
    public long length() {
      return bytes.length;
    }

    @Override
    public void read(long offset, byte[] target, int at, int length) throws StoreException {
      if (offset < 0 || length > bytes.length - offset) {
        throw new StoreCorruptException("beyond the end", null, offset, null);
      }
      System.arraycopy(bytes, (int) offset, target, at, length);
    }
  }

  static byte[] key(String path) {
    return Keys.encode(EntryKey.of(path));
  }

  static Row row(byte[] key, long version, int segment, long offset, byte[] body) {
    byte[] meta = new BytesOut(64).u16(key.length).raw(key).raw(body).toByteArray();
    return new Row(meta, version, segment, offset);
  }

  static void put(NavigableMap<byte[], Row> model, Row row) {
    model.put(row.key(), row);
  }

  static NavigableMap<byte[], Row> model() {
    return new TreeMap<>(Arrays::compareUnsigned);
  }

  /** Rows whose numbers are as small and large as they get; few have long keys or bodies. */
  static NavigableMap<byte[], Row> random(Random random, int count, int longBody) {
    NavigableMap<byte[], Row> model = model();
    while (model.size() < count) {
      put(model, randomRow(random, randomKey(random), longBody));
    }
    return model;
  }

  private static Row randomRow(Random random, byte[] key, int longBody) {
    long version = random.nextLong() >>> (1 + random.nextInt(63));
    if (random.nextInt(8) == 0) {
      return Row.deletion(key, version);
    }
    int length = 1 + random.nextInt(random.nextInt(200) == 0 ? longBody : 60);
    byte[] body = new byte[length];
    random.nextBytes(body);
    if (random.nextBoolean()) {
      return row(key, version, 0, -1, body);
    }
    int segment = random.nextInt() >>> (1 + random.nextInt(31));
    long offset = 1 + (random.nextLong() >>> (2 + random.nextInt(62)));
    return row(key, version, segment, random.nextInt(4) == 0 ? -1 : offset, body);
  }

  static byte[] randomKey(Random random) {
    if (random.nextInt(300) == 0) {
      // A path of 4,096 bytes: the same long way down, then a name of its own.
      String name = "n".repeat(239) + String.format("%016x", random.nextLong());
      return key(("/" + "d".repeat(255)).repeat(15) + "/" + name);
    }
    StringBuilder path = new StringBuilder();
    for (int depth = 1 + random.nextInt(4); depth > 0; depth--) {
      int name = random.nextInt(depth == 1 ? 100_000 : 5);
      path.append('/').append(random.nextBoolean() ? "f\u00fc" : "dir-").append(name);
    }
    return key(path.toString());
  }

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  static @Nullable Row get(EntryPart part, byte[] key) throws StoreException {
    return part.get(key, EntryPart.hash(key));
  }

  static void assertSame(@Nullable Row expected, @Nullable Row found, String message) {
    if (expected == null) {
      assertEquals(null, found, message);
      return;
    }
    assertNotNull(found, message);
    assertArrayEquals(expected.meta(), found.meta(), message);
    assertEquals(expected.version(), found.version(), message);
    assertEquals(expected.segment(), found.segment(), message);
    assertEquals(expected.contentOffset(), found.contentOffset(), message);
  }
}
