package dev.coffer.backends.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class IndexMapTest {

  private static byte[] key(int number) {
    return String.format("%06d", number).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
  }

  private static Row row(int number, long version) {
    return Row.deletion(key(number), version);
  }

  private static List<Long> versions(Iterator<Row> rows) {
    List<Long> versions = new ArrayList<>();
    rows.forEachRemaining(row -> versions.add(row.version()));
    return versions;
  }

  @Test
  void behavesAsATreeMapAndOldVersionsStay() {
    for (long seed = 1; seed <= 20; seed++) {
      Random random = new Random(seed);
      TreeMap<Integer, Long> model = new TreeMap<>();
      IndexMap map = IndexMap.EMPTY;
      List<Map.Entry<IndexMap, List<Long>>> old = new ArrayList<>();
      int range = 1 + random.nextInt(3000);
      for (int batch = 0; batch < 60; batch++) {
        IndexMap.Editor editor = map.edit();
        boolean shrinking = batch % 20 >= 12;
        for (int i = 0; i < 200; i++) {
          int number = random.nextInt(range);
          if (random.nextInt(10) < (shrinking ? 9 : 2)) {
            Row removed = editor.remove(key(number));
            assertEquals(model.remove(number), removed == null ? null : (Long) removed.version());
          } else {
            long version = random.nextLong();
            Row replaced = editor.put(row(number, version));
            Long before = model.put(number, version);
            assertEquals(before, replaced == null ? null : (Long) replaced.version());
          }
        }
        map = editor.done();
        assertEquals(model.size(), map.size(), "seed=" + seed);
        assertEquals(List.copyOf(model.values()), versions(map.iterator()), "seed=" + seed);
        int from = random.nextInt(range + 1);
        assertEquals(List.copyOf(model.tailMap(from).values()), versions(map.from(key(from))));
        old.add(Map.entry(map, List.copyOf(model.values())));
      }
      for (Map.Entry<IndexMap, List<Long>> each : old) {
        assertEquals(each.getValue(), versions(each.getKey().iterator()), "seed=" + seed);
      }
    }
  }

  @Test
  void sortedLoadsFillTheirNodes() {
    IndexMap.Editor editor = IndexMap.EMPTY.edit();
    for (int i = 0; i < 100_000; i++) {
      editor.put(row(i, i));
    }
    IndexMap map = editor.done();
    assertEquals(100_000, map.size());
    for (int i = 0; i < 100_000; i += 777) {
      assertEquals(i, map.get(key(i)).version());
    }
  }
}
