package dev.coffer.vfs.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.EntryKind;
import dev.coffer.vfs.spi.Change;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChangeOrderTest {
  private static final String LETTERS = "ab\u0001\u00e9\u732b\ud83d\ude00";

  private static String name(Random random, int most) {
    StringBuilder name = new StringBuilder("x");
    for (int i = random.nextInt(most); i > 0; i--) {
      int point = LETTERS.codePointAt(random.nextInt(6));
      name.appendCodePoint(Character.isLowSurrogate((char) point) ? 'z' : point);
    }
    return name.toString();
  }

  private static Entry file(EntryKey key) {
    Attributes attributes = Attributes.of(Attributes.FILE_MODE, Instant.EPOCH);
    return new Entry(key, EntryKind.FILE, 1, 0, attributes, null, Content.NONE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/folder", "/a/longer/folder/than/eight"})
  void isTheOrderOfKeys(String folder) {
    for (long seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      List<Change> changes = new ArrayList<>();
      for (int i = random.nextInt(40); i >= 0; i--) {
        String below = random.nextInt(3) == 0 ? "/" + name(random, 3) : "";
        EntryKey key = EntryKey.of(folder + below + "/" + name(random, 14));
        changes.add(new Change(key, null, file(key)));
      }
      List<Change> expected = new ArrayList<>(changes);
      expected.sort(Comparator.comparing(Change::key));
      ChangeOrder.sort(changes);
      assertEquals(
          expected.stream().map(Change::key).toList(),
          changes.stream().map(Change::key).toList(),
          "seed=" + seed);
    }
  }
}
