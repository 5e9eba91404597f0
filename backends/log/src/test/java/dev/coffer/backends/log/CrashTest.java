package dev.coffer.backends.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.coffer.vfs.Durability;
import dev.coffer.vfs.Layout;
import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What crashes leave behind: a prefix of the commits, with all that was promised. */
class CrashTest {
  /** How many states were checked. */
  private static long states;

  private static final int STEPS = 40;

  /** Tries crash states of one script; answers what was broken in them. */
  private static List<String> tryStates(FaultyStorage storage, long seed, int cutsAt)
      throws StoreException {
    return tryStates(storage, seed, cutsAt, 1);
  }

  private static List<String> tryStates(FaultyStorage storage, long seed, int cutsAt, int stride)
      throws StoreException {
    Script script = new Script(storage, seed);
    script.run(STEPS);
    Random random = new Random(seed ^ 0x5eed);
    List<String> broken = new ArrayList<>();
    for (int steps = 0; steps <= storage.steps(); steps += 1 + random.nextInt(stride)) {
      String where = "seed=" + seed + " steps=" + steps;
      broken.addAll(check(script, storage.killedAfter(steps), steps, Durability.PROCESS, where));
      for (int i = 0; i < cutsAt; i++) {
        FaultyStorage cut = storage.cutAfter(steps, random);
        broken.addAll(check(script, cut, steps, Durability.SYNC, where + " cut=" + i));
        broken.addAll(checkNested(script, cut, steps, random, where + " cut=" + i));
      }
    }
    return broken;
  }

  /** Crashes again while the state is being recovered. */
  static List<String> checkNested(
      Script script, FaultyStorage cut, int steps, Random random, String where) {
    int taken = cut.steps();
    FaultyStorage again = cut.restarted();
    try {
      Script.open(again, false).close();
    } catch (StoreException e) {
      return List.of(where + " does not open again: " + e);
    }
    int at = random.nextInt(again.steps() + 1);
    FaultyStorage nested = again.cutAfter(at, random);
    return check(script, nested, steps, Durability.SYNC, where + " nested=" + at + "/" + taken);
  }

  static List<String> check(
      Script script, FaultyStorage left, int steps, Durability atLeast, String where) {
    states++;
    long promised = -1;
    for (Script.Promise promise : script.promises) {
      if (promise.steps() <= steps && promise.durability().compareTo(atLeast) >= 0) {
        promised = Math.max(promised, promise.sequence());
      }
    }
    if (!left.exists(Script.FILE)) {
      return promised < 0 ? List.of() : List.of(where + " store is gone");
    }
    List<String> broken = new ArrayList<>();
    try (LogBackend readOnly = Script.open(left, true)) {
      check(script, readOnly, promised, where + " read-only", broken);
    } catch (StoreException e) {
      broken.add(where + " read-only: " + e);
    }
    try (LogBackend backend = Script.open(left, false)) {
      check(script, backend, promised, where, broken);
    } catch (StoreException e) {
      broken.add(where + " " + e);
    }
    try (LogBackend backend = Script.open(left, true)) {
      check(script, backend, promised, where + " reopened", broken);
      if (!backend.recoveryReport().isEmpty()) {
        broken.add(where + " reopened: " + backend.recoveryReport());
      }
    } catch (StoreException e) {
      broken.add(where + " reopened: " + e);
    }
    return broken;
  }

  private static void check(
      Script script, LogBackend backend, long promised, String where, List<String> broken)
      throws StoreException {
    long sequence = backend.sequence();
    if (sequence < promised) {
      broken.add(where + " lost commits: promised=" + promised + " found=" + sequence);
    }
    if (!script.states.get((int) sequence).equals(Script.contents(backend))) {
      broken.add(where + " holds something else: sequence=" + sequence);
    }
    backend.verify(
        problem -> {
          if (!isTail(problem)) {
            broken.add(where + " " + problem);
          }
        });
  }

  private static boolean isTail(Problem problem) {
    return problem.message().startsWith("store was not closed cleanly")
        || problem.message().startsWith("file goes on behind its end");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void aCrashLeavesAPrefixWithAllThatWasPromised(long seed) throws StoreException {
    assertEquals(List.of(), tryStates(new FaultyStorage(), seed, 3));
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14, 15, 16})
  void soDoesOneWhileRunsAreWrittenAndMerged(long seed) throws StoreException {
    FaultyStorage storage = new FaultyStorage();
    storage.tuning = FaultyStorage.TINY;
    assertEquals(List.of(), tryStates(storage, seed, 2));
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23})
  void soDoesOneInAFolderThatIsRolledAndCompacted(long seed) throws StoreException {
    FaultyStorage storage = new FaultyStorage();
    storage.tuning = FaultyStorage.TINY;
    storage.layout = Layout.FOLDER;
    assertEquals(List.of(), tryStates(storage, seed, 1, 8));
  }

  /** As many states as {@code coffer.states} says, from seeds of their own, in all settings. */
  @Test
  void soDoManyMore() throws StoreException {
    long wanted = Long.getLong("coffer.states", 1000);
    long seed = Long.getLong("coffer.seed", 1000);
    long before = states;
    for (; states - before < wanted; seed++) {
      FaultyStorage storage = new FaultyStorage();
      storage.tuning = seed % 2 == 0 ? FaultyStorage.TINY : FaultyStorage.PLAIN;
      storage.layout = seed % 3 == 0 ? Layout.FOLDER : Layout.FILE;
      List<String> broken = tryStates(storage, seed, 2, 4);
      assertEquals(List.of(), broken.stream().limit(5).toList(), "of " + broken.size());
    }
    System.out.println("crash states: " + (states - before) + ", next coffer.seed=" + seed);
  }

  @ParameterizedTest
  @EnumSource(FaultyStorage.Bug.class)
  void aStorageThatLiesIsNoticed(FaultyStorage.Bug bug) throws StoreException {
    List<String> broken = new ArrayList<>();
    for (long seed = 1; seed <= 12 && broken.isEmpty(); seed++) {
      FaultyStorage storage = new FaultyStorage(bug);
      storage.tuning = seed % 2 == 0 ? FaultyStorage.TINY : FaultyStorage.PLAIN;
      storage.layout = seed % 3 == 0 ? Layout.FOLDER : Layout.FILE;
      try {
        broken.addAll(tryStates(storage, seed, 2));
      } catch (StoreException e) {
        broken.add("seed=" + seed + " " + e);
      }
    }
    assertNotEquals(List.of(), broken);
    System.out.println("noticed: bug=" + bug + " first=" + broken.get(0));
  }

  @Test
  void theScriptsReachEveryKindOfStep() throws StoreException {
    FaultyStorage storage = new FaultyStorage();
    Script script = new Script(storage, 1);
    script.run(STEPS);
    assertFalse(script.states.size() < 10, "commits=" + script.states.size());
  }
}
