package dev.coffer.bench.results;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All figures of one workload, by name and engine, in the order they came. For one thread. */
public final class Results {
  private record Series(Figure first, Map<String, List<Double>> values) {}

  private final Map<String, Series> series = new LinkedHashMap<>();
  private final Map<String, String> problems = new LinkedHashMap<>();
  private final Set<String> engines = new LinkedHashSet<>();

  /** Adds one repetition's figure. */
  public void add(String engine, Figure figure) {
    engines.add(engine);
    series
        .computeIfAbsent(figure.name(), name -> new Series(figure, new LinkedHashMap<>()))
        .values()
        .computeIfAbsent(engine, name -> new ArrayList<>())
        .add(figure.value());
  }

  /** Notes that a phase failed or was left out for an engine. */
  public void addProblem(String engine, String problem) {
    problems.putIfAbsent(engine, problem);
  }

  public Collection<String> names() {
    return series.keySet();
  }

  public Set<String> engines() {
    return engines;
  }

  public Map<String, String> problems() {
    return problems;
  }

  String unit(String name) {
    return series(name).first().unit();
  }

  boolean lowerIsBetter(String name) {
    return series(name).first().lowerIsBetter();
  }

  private Series series(String name) {
    Series found = series.get(name);
    if (found == null) {
      throw new IllegalArgumentException("no such figure: name=" + name);
    }
    return found;
  }

  /** The repetitions of a figure, or null if an engine has none. */
  public @Nullable List<Double> values(String name, String engine) {
    Series found = series.get(name);
    return found == null ? null : found.values().get(engine);
  }

  /** The spread of a figure, or null if an engine has none. */
  public @Nullable Spread spread(String name, String engine) {
    List<Double> values = values(name, engine);
    return values == null ? null : Spread.of(values);
  }
}
