package dev.coffer.backends.log;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** The power cuts that can follow a step, one after another instead of by chance. */
final class CrashStates {
  /** Up to so many steps at risk, every subset of them is lost once. */
  private static final int FEW = 4;

  private static final int SAMPLES = 8;

  /** One of them: which steps at risk are lost, and which one is torn, if any. */
  record Choice(Set<Integer> lost, int torn, Fates.Tear tear) {
    Fates fates(long seed) {
      return Fates.of(lost, torn, tear, seed);
    }
  }

  private CrashStates() {}

  /** All choices after {@code steps} steps. */
  static List<Choice> of(FaultyStorage storage, int steps, Random random) {
    List<Integer> risk = storage.atRisk(steps);
    Set<Set<Integer>> losses = new HashSet<>();
    List<Choice> choices = new ArrayList<>();
    if (risk.size() <= FEW) {
      for (int bits = 0; bits < 1 << risk.size(); bits++) {
        add(losses, choices, chosen(risk, bits));
      }
    } else {
      for (int i = 0; i < risk.size(); i++) {
        add(losses, choices, Set.of(risk.get(i)));
        add(losses, choices, Set.copyOf(risk.subList(i, risk.size()))); // What came first is kept.
      }
      add(losses, choices, Set.of());
      for (int i = 0; i < SAMPLES; i++) {
        add(losses, choices, chosen(risk, random.nextLong()));
      }
    }
    for (int step : risk) {
      int length = storage.writtenBy(step);
      for (int unit : new int[] {1, 512, 4096}) {
        if (length > 0) {
          int kept = random.nextInt((length - 1) / unit + 1) * unit;
          for (Fates.Fill fill : Fates.Fill.values()) {
            choices.add(new Choice(Set.of(), step, new Fates.Tear(kept, fill)));
          }
        }
      }
    }
    return choices;
  }

  private static void add(Set<Set<Integer>> seen, List<Choice> choices, Set<Integer> lost) {
    if (seen.add(lost)) {
      choices.add(new Choice(lost, -1, Fates.WHOLE));
    }
  }

  private static Set<Integer> chosen(List<Integer> risk, long bits) {
    Set<Integer> chosen = new HashSet<>();
    for (int i = 0; i < risk.size(); i++) {
      if ((bits >>> i & 1) != 0) { // Beyond 64 steps the bits come again.
        chosen.add(risk.get(i));
      }
    }
    return chosen;
  }
}
