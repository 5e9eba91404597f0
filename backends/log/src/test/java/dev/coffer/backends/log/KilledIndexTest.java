package dev.coffer.backends.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.Layout;
import dev.coffer.vfs.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SortedMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A killed store whose index is damaged as well: what is replayed asks the index about older rows,
 * so the damage shows in the middle of opening.
 */
final class KilledIndexTest {

  @ParameterizedTest
  @EnumSource(Layout.class)
  void aDamagedIndexOfAKilledStoreLosesNothing(Layout layout) throws IOException {
    FaultyStorage killed = new FaultyStorage();
    Tuning tiny = FaultyStorage.TINY;
    killed.tuning =
        new Tuning(
            5 * tiny.freezeBytes(), // So that enough is left to be replayed.
            tiny.replayBytes(),
            tiny.mergeRatio(),
            tiny.partRows(),
            tiny.aheadBytes(),
            false,
            tiny.minSegment(),
            tiny.maxSegment(),
            tiny.reserveBytes(),
            tiny.blockChanges());
    killed.layout = layout;
    Script script = new Script(killed, 5);
    script.run(40);
    FaultyStorage whole = killed.restarted();
    SortedMap<String, String> contents;
    try (LogBackend backend = Script.open(whole.restarted(), true)) {
      contents = Script.contents(backend);
    }
    Path index =
        layout == Layout.FOLDER ? Script.FILE.resolve("index") : IndexFiles.beside(Script.FILE);
    int harmed = 0;
    for (Path part : whole.list(index)) {
      if (part.getFileName().toString().startsWith("part-")) {
        byte[] sound = whole.bytes(part);
        for (int at = 0; at < sound.length; at += 5) {
          byte[] bytes = sound.clone();
          bytes[at] ^= 1;
          for (boolean readOnly : new boolean[] {true, false}) {
            assertWhole(whole, part, bytes, readOnly, contents);
          }
          harmed++;
        }
      }
    }
    assertTrue(harmed > 20, "parts are there to be harmed: " + harmed);
  }

  private static void assertWhole(
      FaultyStorage whole,
      Path part,
      byte[] bytes,
      boolean readOnly,
      SortedMap<String, String> contents)
      throws IOException, StoreException {
    FaultyStorage damaged = whole.restarted();
    try (Storage.OpenFile open = damaged.create(part)) {
      open.write(0, bytes, 0, bytes.length);
    }
    try (LogBackend backend = Script.open(damaged, readOnly)) {
      assertEquals(contents, Script.contents(backend), part.toString());
      assertFalse(!readOnly && backend.isReadOnly());
    }
  }
}
