package dev.coffer.backends.log;

import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What becomes, when the power fails, of steps that were not forced. */
interface Fates {
  /** What of a torn write is kept, and what follows up to where it would have ended. */
  record Tear(int kept, Fill fill) {}

  /** What is in a file where a torn write did not get to. */
  enum Fill {
    NOTHING,
    ZEROS,
    STALE
  }

  /** Null if a step on content is lost; a tear as long as the write, or longer, keeps all of it. */
  @Nullable Tear of(int step, int length);

  /** Whether a change of a name is lost, and with it all later ones of the same folder. */
  boolean losesName(int step);

  /** From where what is stale is taken. */
  Random random();

  /** All is kept, as far as this says. */
  Tear WHOLE = new Tear(Integer.MAX_VALUE, Fill.NOTHING);

  /** Nothing is lost: what a process leaves that was killed. */
  Fates NONE = of(Set.of(), -1, WHOLE, 0);

  /** Each step has a fate of its own, by chance. */
  static Fates by(Random random) {
    return new Fates() {
      @Override
      public @Nullable Tear of(int step, int length) {
        int fate = random.nextInt(4);
        if (fate < 2) {
          return WHOLE;
        }
        if (fate == 3 || length == 0) {
          return null;
        }
        int unit = List.of(1, 512, 4096).get(random.nextInt(3));
        int kept = random.nextInt(length / unit + 1) * unit;
        List<Fill> fills = List.of(Fill.NOTHING, Fill.ZEROS, Fill.STALE);
        return new Tear(kept, fills.get(random.nextInt(3)));
      }

      @Override
      public boolean losesName(int step) {
        return random.nextBoolean();
      }

      @Override
      public Random random() {
        return random;
      }
    };
  }

  /** Some steps are lost, one is torn or none if {@code torn} is negative, all others are kept. */
  static Fates of(Set<Integer> lost, int torn, Tear tear, long seed) {
    Random random = new Random(seed);
    return new Fates() {
      @Override
      public @Nullable Tear of(int step, int length) {
        if (lost.contains(step)) {
          return null;
        }
        return step == torn ? tear : WHOLE;
      }

      @Override
      public boolean losesName(int step) {
        return lost.contains(step);
      }

      @Override
      public Random random() {
        return random;
      }
    };
  }
}
