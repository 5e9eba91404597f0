package dev.coffer.backends.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.coffer.vfs.Durability;
import dev.coffer.vfs.Layout;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Commit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Power cuts chosen one by one: subsets, single steps, prefixes and tears of what is unforced. */
class CrashStatesTest {
  private static final int STEPS = 30;

  /** Enough that the choices after one step do not crowd out those after others. */
  private static final int PER_CUT = 12;

  private long states;
  private long nested;

  private static FaultyStorage storage(long seed, FaultyStorage.Bug... bugs) {
    FaultyStorage storage = new FaultyStorage(bugs);
    storage.tuning = seed % 2 == 0 ? FaultyStorage.TINY : FaultyStorage.PLAIN;
    storage.layout = seed % 3 == 0 ? Layout.FOLDER : Layout.FILE;
    return storage;
  }

  /** Tries up to {@code most} states of one script; answers what was broken in them. */
  private List<String> tryStates(FaultyStorage storage, long seed, long most)
      throws StoreException {
    Script script = new Script(storage, seed);
    script.run(STEPS);
    Random random = new Random(seed ^ 0xc0ffe);
    List<Integer> cuts = new ArrayList<>();
    for (int steps = 0; steps <= storage.steps(); steps++) {
      cuts.add(steps);
    }
    Collections.shuffle(cuts, random);
    List<String> broken = new ArrayList<>();
    long end = states + most;
    for (int steps : cuts) {
      List<CrashStates.Choice> choices = CrashStates.of(storage, steps, random);
      Collections.shuffle(choices, random);
      for (CrashStates.Choice choice : choices.subList(0, Math.min(PER_CUT, choices.size()))) {
        if (states == end) {
          return broken;
        }
        String where = "seed=" + seed + " steps=" + steps + " " + choice;
        FaultyStorage left = storage.cutAfter(steps, choice.fates(seed));
        broken.addAll(CrashTest.check(script, left, steps, Durability.SYNC, where));
        broken.addAll(further(left.restarted(), where));
        if (states++ % 10 == 0) {
          FaultyStorage again = storage.cutAfter(steps, choice.fates(seed));
          broken.addAll(CrashTest.checkNested(script, again, steps, random, where));
          nested++;
        }
      }
    }
    return broken;
  }

  /** A recovered store must take a commit, and have it when it is opened again. */
  private static List<String> further(FaultyStorage left, String where) {
    if (!left.exists(Script.FILE)) {
      return List.of();
    }
    try {
      long sequence;
      SortedMap<String, String> expected;
      try (LogBackend backend = Script.open(left, false)) {
        sequence = backend.sequence() + 1;
        expected = Script.contents(backend);
        SortedMap<String, String> properties = new TreeMap<>();
        properties.put("further", "yes");
        expected.put("property further", "yes");
        Instant time = Instant.ofEpochSecond(1_800_000_000L);
        backend.commit(
            new Commit(sequence, time, List.of(), properties, List.of()), Durability.SYNC);
      }
      try (LogBackend backend = Script.open(left, true)) {
        if (backend.sequence() != sequence || !expected.equals(Script.contents(backend))) {
          return List.of(where + " lost a commit made after recovery: sequence=" + sequence);
        }
      }
      return List.of();
    } catch (StoreException e) {
      return List.of(where + " takes no further commit: " + e);
    }
  }

  @Test
  void everyChosenStateIsAPrefixThatCanBeWrittenTo() throws StoreException {
    long wanted = Long.getLong("coffer.states", 2000);
    long seed = Long.getLong("coffer.seed", 5000);
    for (; states < wanted; seed++) {
      long most = Math.min(wanted - states, 100);
      List<String> broken = tryStates(storage(seed), seed, most);
      assertEquals(List.of(), broken.stream().limit(5).toList(), "of " + broken.size());
    }
    System.out.println(
        "chosen crash states: " + states + ", nested: " + nested + ", next coffer.seed=" + seed);
  }

  @ParameterizedTest
  @EnumSource(FaultyStorage.Bug.class)
  void aStorageThatLiesIsNoticed(FaultyStorage.Bug bug) throws StoreException {
    List<String> broken = new ArrayList<>();
    for (long seed = 5000; seed < 5024 && broken.isEmpty(); seed++) {
      try {
        broken.addAll(tryStates(storage(seed, bug), seed, 400));
      } catch (StoreException e) {
        broken.add("seed=" + seed + " " + e);
      }
    }
    assertNotEquals(List.of(), broken);
  }
}
