package dev.coffer.bench.results;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a figure must reach, and how far it is from there.
 *
 * @param text the goal in words
 * @param atMost whether the bound is the most, otherwise the least
 * @param bound the bound
 * @param measure what is held against the bound
 */
public record Goal(String text, boolean atMost, double bound, Measure measure) {

  /** What is held against the bound, or null if it was not measured. */
  @FunctionalInterface
  public interface Measure {
    @Nullable Found in(Results results);
  }

  /** A value, with a remark about it, which may be empty. */
  public record Found(double value, String remark) {}

  /** A figure of an engine is at most this many times a peer's. */
  public static Goal atMost(double factor, String figure, String engine, String peer) {
    return ratio(true, factor, figure, engine, peer);
  }

  /** A figure of an engine is at least this many times a peer's. */
  public static Goal atLeast(double factor, String figure, String engine, String peer) {
    return ratio(false, factor, figure, engine, peer);
  }

  private static Goal ratio(
      boolean atMost, double factor, String figure, String engine, String peer) {
    String text =
        figure
            + ": "
            + engine
            + (atMost ? " ≤ " : " ≥ ")
            + (factor == 1 ? "" : Spread.number(factor) + " × ")
            + peer;
    return new Goal(text, atMost, factor, results -> compare(results, figure, engine, peer));
  }

  private static @Nullable Found compare(
      Results results, String figure, String engine, String peer) {
    Spread ours = results.spread(figure, engine);
    Spread theirs = results.spread(figure, peer);
    if (ours == null || theirs == null || theirs.median() == 0) {
      return null;
    }
    double ratio = ours.median() / theirs.median();
    boolean differ = (ratio > 1.2 || ratio < 1 / 1.2) && !ours.overlaps(theirs);
    boolean better = results.lowerIsBetter(figure) == ratio < 1;
    return new Found(
        ratio,
        differ ? (better ? engine + " is better" : peer + " is better") : "no clear difference");
  }

  /** A figure of an engine is at most this. */
  public static Goal most(double bound, String figure, String engine) {
    return new Goal(
        figure + ": " + engine + " ≤ " + Spread.number(bound),
        true,
        bound,
        results -> value(results.spread(figure, engine)));
  }

  private static @Nullable Found value(@Nullable Spread spread) {
    return spread == null ? null : new Found(spread.median(), "");
  }

  /** A figure exceeds another of the same engine by at most this. */
  public static Goal above(double bound, String figure, String base, String engine) {
    return new Goal(
        figure + ": " + engine + " ≤ " + Spread.number(bound) + " above " + base,
        true,
        bound,
        results -> {
          Spread one = results.spread(figure, engine);
          Spread other = results.spread(base, engine);
          return one == null || other == null ? null : new Found(one.median() - other.median(), "");
        });
  }

  /** A figure is at least this many times another of the same engine. */
  public static Goal grows(double factor, String figure, String base, String engine) {
    return times(false, factor, figure, base, engine);
  }

  /** A figure is at most this many times another of the same engine. */
  public static Goal within(double factor, String figure, String base, String engine) {
    return times(true, factor, figure, base, engine);
  }

  private static Goal times(
      boolean atMost, double factor, String figure, String base, String engine) {
    return new Goal(
        figure
            + ": "
            + engine
            + (atMost ? " ≤ " : " ≥ ")
            + Spread.number(factor)
            + " × its "
            + base,
        atMost,
        factor,
        results -> {
          Spread one = results.spread(figure, engine);
          Spread other = results.spread(base, engine);
          return one == null || other == null || other.median() == 0
              ? null
              : new Found(one.median() / other.median(), "");
        });
  }

  /** Whether the goal is met; null if it was not measured. */
  public @Nullable Boolean isMet(Results results) {
    Found found = measure.in(results);
    return found == null ? null : atMost ? found.value() <= bound : found.value() >= bound;
  }

  /** With a digit more than in tables, since a bound may be as near as that. */
  private static String precise(double value) {
    return Math.abs(value) < 10 ? String.format(Locale.ROOT, "%.3f", value) : Spread.number(value);
  }

  /** One line: met or missed, by how much. */
  public String verdict(Results results) {
    Found found = measure.in(results);
    if (found == null) {
      return "not measured: " + text;
    }
    boolean met = atMost ? found.value() <= bound : found.value() >= bound;
    return (met ? "met" : "MISSED")
        + ": "
        + text
        + "; found "
        + precise(found.value())
        + (found.remark().isEmpty() ? "" : ", " + found.remark());
  }
}
