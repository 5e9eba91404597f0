package dev.coffer.backends.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Merged walks against a map that keeps the newest row of each key. */
class MergeCursorTest {

  @Test
  void theNewestRowOfEachKeyComesInOrder() throws Exception {
    for (int seed = 0; seed < 300; seed++) {
      check(new SplittableRandom(seed), "seed=" + seed);
    }
  }

  private static void check(SplittableRandom random, String message) throws Exception {
    int count = random.nextInt(6);
    int names = 1 + random.nextInt(60);
    int size = random.nextInt(40);
    boolean withDeletions = random.nextBoolean();
    RowCursor[] sources = new RowCursor[count];
    TreeMap<String, Long> newest = new TreeMap<>();
    for (int i = count - 1; i >= 0; i--) {
      // Some sources lie apart, as runs of a load in order do.
      int base = random.nextBoolean() ? 0 : 100 * i;
      IndexMap.Editor map = IndexMap.EMPTY.edit();
      for (int j = 0; j < size; j++) {
        String name = "%04d".formatted(base + random.nextInt(names));
        long version = 1L + random.nextInt(1000);
        boolean deletion = random.nextInt(4) == 0;
        var unused = map.put(row(name, version, deletion));
        newest.put(name, deletion ? -version : version);
      }
      sources[i] = new Index.MapCursor(map.done().iterator());
    }
    if (!withDeletions) {
      newest.values().removeIf(version -> version < 0);
    }
    List<String> expected = new ArrayList<>();
    newest.forEach((name, version) -> expected.add("/" + name + "=" + version));

    List<String> found = new ArrayList<>();
    List<String> seen = new ArrayList<>();
    MergeCursor cursor = new MergeCursor(withDeletions, sources);
    while (cursor.next()) {
      found.add(text(cursor.row()));
      seen.add(text(cursor.view().toRow()));
    }
    assertEquals(expected, found, message);
    assertEquals(expected, seen, message);
  }

  private static String text(Row row) {
    return row.path() + "=" + (row.isDeletion() ? -row.version() : row.version());
  }

  private static Row row(String name, long version, boolean deletion) {
    byte[] key = ("\0" + name).getBytes(StandardCharsets.UTF_8);
    if (deletion) {
      return Row.deletion(key, version);
    }
    byte[] meta = new BytesOut(32).u16(key.length).raw(key).u8(1).toByteArray();
    return new Row(meta, version, 0, -1);
  }
}
