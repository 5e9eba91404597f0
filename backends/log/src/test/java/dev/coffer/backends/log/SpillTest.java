package dev.coffer.backends.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.Layout;
import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A store without an index is opened for writing run by run, not into memory. */
class SpillTest {
  private static FaultyStorage killed(Layout layout, Script script) throws IOException {
    FaultyStorage left = script.storage.killedAfter(script.storage.steps());
    for (Path file : left.list(index(layout))) {
      left.delete(file);
    }
    left.delete(index(layout));
    return left;
  }

  private static Path index(Layout layout) {
    return layout == Layout.FOLDER ? Script.FILE.resolve("index") : IndexFiles.beside(Script.FILE);
  }

  private static Script script(Layout layout, long seed) throws StoreException {
    FaultyStorage storage = new FaultyStorage();
    storage.layout = layout;
    storage.tuning = FaultyStorage.TINY;
    Script script = new Script(storage, seed);
    script.run(80);
    return script;
  }

  private static void assertHolds(Script script, LogBackend backend, long seed)
      throws StoreException {
    assertEquals(
        script.states.get((int) backend.sequence()), Script.contents(backend), "seed=" + seed);
    List<Problem> problems = new ArrayList<>();
    backend.verify(problems::add);
    assertEquals(List.of(), problems, "seed=" + seed);
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void runsAreMadeWhileTheLogIsReplayed(Layout layout) throws IOException {
    int spilled = 0;
    for (long seed = 1; seed <= 8; seed++) {
      Script script = script(layout, seed);
      FaultyStorage left = killed(layout, script);
      try (LogBackend backend = Script.open(left, false)) {
        spilled += left.exists(index(layout).resolve("root")) ? 1 : 0;
        assertHolds(script, backend, seed);
      }
      try (LogBackend backend = Script.open(left.restarted(), false)) {
        assertEquals(List.of(), backend.recoveryReport(), "seed=" + seed);
        assertHolds(script, backend, seed);
      }
    }
    assertTrue(spilled > 5, "spilled=" + spilled);
  }

  /** Whatever opening had done when it was killed, the next opening finds all. */
  @ParameterizedTest
  @EnumSource(Layout.class)
  void openingMayBeKilledMeanwhile(Layout layout) throws IOException {
    Script script = script(layout, 4);
    FaultyStorage left = killed(layout, script);
    LogBackend opened = Script.open(left, false);
    int steps = left.steps();
    long sequence = opened.sequence();
    for (int cut = 0; cut <= steps; cut += 1 + steps / 60) {
      try (LogBackend backend = Script.open(left.killedAfter(cut), false)) {
        assertEquals(sequence, backend.sequence(), "cut=" + cut);
        assertHolds(script, backend, cut);
      }
    }
  }

  /** A reader leaves nothing behind. */
  @ParameterizedTest
  @EnumSource(Layout.class)
  void readersReplayIntoMemory(Layout layout) throws IOException {
    Script script = script(layout, 4);
    FaultyStorage left = killed(layout, script);
    int steps = left.steps();
    try (LogBackend backend = Script.open(left, true)) {
      assertEquals(script.states.get((int) backend.sequence()), Script.contents(backend));
    }
    assertEquals(steps, left.steps());
    assertFalse(left.exists(index(layout)));
  }
}
