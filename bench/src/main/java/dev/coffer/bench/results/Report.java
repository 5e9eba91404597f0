package dev.coffer.bench.results;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Results of workloads as Markdown, for people, and as JSON, for programs. */
public final class Report {
  /** The engine that the others' figures are set against. */
  private static final String SUBJECT = "log";

  private record Section(String id, String title, Results results, List<Goal> goals) {}

  private final Map<String, String> machine;
  private final List<Section> sections = new ArrayList<>();

  /** Of the machine's description. */
  public Report(Map<String, String> machine) {
    this.machine = new LinkedHashMap<>(machine);
  }

  /** Adds a workload's results; answers its part of the Markdown. */
  public String add(String id, String title, Results results, List<Goal> goals) {
    Section section = new Section(id, title, results, goals);
    sections.add(section);
    return markdown(section);
  }

  /** Everything as Markdown. */
  public String markdown() {
    StringBuilder text = new StringBuilder("# Benchmark results\n\n");
    machine.forEach((name, value) -> text.append("- ").append(name + ": " + value + "\n"));
    text.append(
        "\nEach cell is a median (least–greatest) over the rounds; in brackets, "
            + SUBJECT
            + "'s median divided by it.\n");
    sections.forEach(section -> text.append('\n').append(markdown(section)));
    return text.toString();
  }

  private static String markdown(Section section) {
    Results results = section.results();
    StringBuilder text = new StringBuilder();
    text.append("## " + section.id() + ": " + section.title() + "\n\n| figure |");
    results.engines().forEach(engine -> text.append(" " + engine + " |"));
    text.append("\n|---|" + "---|".repeat(results.engines().size()) + "\n");
    for (String name : results.names()) {
      text.append("| " + name + ", " + results.unit(name) + " |");
      for (String engine : results.engines()) {
        text.append(" " + cell(results, name, engine) + " |");
      }
      text.append('\n');
    }
    results.problems().forEach((engine, what) -> text.append("\n" + engine + ": " + what + "\n"));
    List<String> verdicts =
        section.goals().stream()
            .map(goal -> goal.verdict(results))
            .sorted((a, b) -> rank(a) - rank(b))
            .toList();
    text.append('\n');
    verdicts.forEach(verdict -> text.append("- ").append(verdict).append('\n'));
    return text.toString();
  }

  private static int rank(String verdict) {
    return verdict.startsWith("not") ? 1 : 0;
  }

  private static String cell(Results results, String name, String engine) {
    Spread spread = results.spread(name, engine);
    if (spread == null) {
      return "";
    }
    Spread subject = results.spread(name, SUBJECT);
    if (subject == null || engine.equals(SUBJECT) || spread.median() == 0) {
      return spread.toString();
    }
    return spread + " [" + Spread.number(subject.median() / spread.median()) + "]";
  }

  /** Everything as JSON, each repetition included. */
  public String json() {
    String parts =
        sections.stream().map(Report::json).collect(Collectors.joining(",\n", "[\n", "\n]"));
    String about =
        machine.entrySet().stream()
            .map(entry -> quote(entry.getKey()) + ": " + quote(entry.getValue()))
            .collect(Collectors.joining(", ", "{", "}"));
    return "{\n\"machine\": " + about + ",\n\"workloads\": " + parts + "\n}\n";
  }

  private static String json(Section section) {
    Results results = section.results();
    List<String> figures = new ArrayList<>();
    for (String name : results.names()) {
      for (String engine : results.engines()) {
        List<Double> values = results.values(name, engine);
        if (values != null) {
          figures.add(
              String.format(
                  Locale.ROOT,
                  "  {\"figure\": %s, \"engine\": %s, \"unit\": %s, \"lowerIsBetter\": %s,"
                      + " \"values\": %s}",
                  quote(name),
                  quote(engine),
                  quote(results.unit(name)),
                  results.lowerIsBetter(name),
                  Arrays.toString(values.toArray())));
        }
      }
    }
    List<String> goals =
        section.goals().stream().map(goal -> "  " + quote(goal.verdict(results))).toList();
    List<String> problems =
        results.problems().entrySet().stream()
            .map(entry -> "  " + quote(entry.getKey() + ": " + entry.getValue()))
            .toList();
    return String.format(
        Locale.ROOT,
        "{\"id\": %s, \"title\": %s,%n \"figures\": [%n%s],%n \"problems\": [%n%s],%n \"goals\":"
            + " [%n%s]}",
        quote(section.id()),
        quote(section.title()),
        String.join(",\n", figures),
        String.join(",\n", problems),
        String.join(",\n", goals));
  }

  private static String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ') {
        quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
