package dev.coffer.bench.workloads;

/**
 * How much is done.
 *
 * @param quick whether the small counts are taken, which show that it works and little else
 * @param factor what counts are multiplied by
 */
public record Scale(boolean quick, double factor) {

  /** A count for this scale, at least 1. */
  public int of(int full, int small) {
    return (int) Math.max(1, Math.round((quick ? small : full) * factor));
  }
}
