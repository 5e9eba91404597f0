package dev.coffer.bench.workloads;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Orders of the indexes below a count, the same for every engine. */
final class Shuffle {
  private final int count;
  private final SplittableRandom random;

  Shuffle(int count, long seed) {
    this.count = count;
    this.random = new SplittableRandom(seed);
  }

  int[] identity() {
    int[] order = new int[count];
    Arrays.setAll(order, i -> i);
    return order;
  }

  /** Another order than the last. */
  int[] next() {
    int[] order = identity();
    for (int i = count - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int other = order[j];
      order[j] = order[i];
      order[i] = other;
    }
    return order;
  }
}
