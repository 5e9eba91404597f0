package dev.coffer.bench.results;

/**
 * One measured number.
 *
 * @param name what was measured, unique in its workload
 * @param unit such as {@code ms} or {@code k/s}
 * @param lowerIsBetter whether less is better
 */
public record Figure(String name, double value, String unit, boolean lowerIsBetter) {
  private static final String MARK = "@figure";

  /** The line by which a child process tells it. */
  public String toLine() {
    return String.join("\t", MARK, name, Double.toString(value), unit, "" + lowerIsBetter);
  }

  /** Whether a line of a child's output is a figure. */
  public static boolean isLine(String line) {
    return line.startsWith(MARK);
  }

  /** The figure of such a line. */
  public static Figure ofLine(String line) {
    String[] parts = line.split("\t", -1);
    return new Figure(
        parts[1], Double.parseDouble(parts[2]), parts[3], Boolean.parseBoolean(parts[4]));
  }
}
