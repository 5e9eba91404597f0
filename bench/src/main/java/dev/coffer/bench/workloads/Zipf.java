package dev.coffer.bench.workloads;

import java.util.SplittableRandom;

/**
 * Draws indexes below a count by Zipf's law as YCSB does: the constant is 0.99, and who is drawn
 * often is scattered over all. After Gray et al., "Quickly generating billion-record synthetic
 * databases".
 */
final class Zipf {
  private static final double THETA = 0.99;

  private final int count;
  private final double zeta;
  private final double alpha = 1 / (1 - THETA);
  private final double eta;
  private final SplittableRandom random;

  Zipf(int count, long seed) {
    this.count = count;
    this.random = new SplittableRandom(seed);
    double sum = 0;
    for (int i = 1; i <= count; i++) {
      sum += 1 / Math.pow(i, THETA);
    }
    this.zeta = sum;
    double two = 1 + Math.pow(0.5, THETA);
    this.eta = (1 - Math.pow(2.0 / count, 1 - THETA)) / (1 - two / zeta);
  }

  int next() {
    double u = random.nextDouble();
    double uz = u * zeta;
    long rank;
    if (uz < 1) {
      rank = 0;
    } else if (uz < 1 + Math.pow(0.5, THETA)) {
      rank = 1;
    } else {
      rank = (long) (count * Math.pow(eta * u - eta + 1, alpha));
    }
    return (int) Long.remainderUnsigned(Keys.mix(rank), count);
  }
}
