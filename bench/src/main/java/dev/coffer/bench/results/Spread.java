package dev.coffer.bench.results;

import java.util.List;
import java.util.Locale;

/** Repetitions of one figure: their median between their least and greatest. */
public record Spread(double median, double min, double max) {

  /** Of at least one value. */
  static Spread of(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Spread(median, sorted[0], sorted[sorted.length - 1]);
  }

  boolean overlaps(Spread other) {
    return min <= other.max && other.min <= max;
  }

  /** With three significant digits. */
  static String number(double value) {
    double size = Math.abs(value);
    String format = size >= 100 || size == 0 ? "%.0f" : size >= 10 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, size > 0 && size < 0.1 ? "%.4f" : format, value);
  }

  @Override
  public String toString() {
    String least = number(min);
    String greatest = number(max);
    return least.equals(greatest) ? least : number(median) + " (" + least + "–" + greatest + ")";
  }
}
