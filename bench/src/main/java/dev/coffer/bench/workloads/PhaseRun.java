package dev.coffer.bench.workloads;

import dev.coffer.bench.peers.Engine;
import dev.coffer.bench.peers.EngineOptions;
import dev.coffer.bench.peers.Engines;
import dev.coffer.bench.results.Figure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** One phase on one engine, in the child: where it runs, what with, and where its figures go. */
public final class PhaseRun {
  private final String engine;
  private final Phase phase;
  private final Path directory;
  private final Scale scale;
  private final Values values;
  private final Map<String, String> arguments;
  private final Consumer<String> output;

  /**
   * Of these arguments: engine, directory, payload (random or text), corpus (a file, for text),
   * quick, scale, and what a phase of this variant told the next.
   *
   * @param output where lines for the parent go
   */
  public PhaseRun(Phase phase, Map<String, String> arguments, Consumer<String> output)
      throws IOException {
    this.phase = phase;
    this.engine = required(arguments, "engine");
    this.directory = Path.of(required(arguments, "directory"));
    this.scale =
        new Scale(
            Boolean.parseBoolean(required(arguments, "quick")),
            Double.parseDouble(required(arguments, "scale")));
    this.values =
        required(arguments, "payload").equals("text")
            ? Values.text(Path.of(required(arguments, "corpus")))
            : Values.random();
    this.arguments = arguments;
    this.output = output;
  }

  private static String required(Map<String, String> arguments, String name) {
    String value = arguments.get(name);
    if (value == null) {
      throw new IllegalArgumentException("argument is missing: name=" + name);
    }
    return value;
  }

  Phase phase() {
    return phase;
  }

  String engine() {
    return engine;
  }

  Scale scale() {
    return scale;
  }

  Values values() {
    return values;
  }

  /** A number that the parent passes on, or 0. */
  long told(String name) {
    return Long.parseLong(arguments.getOrDefault(name, "0"));
  }

  /** Says a number that the next phases of the variant are told, and after which to be killed. */
  void tell(String name, long value) {
    output.accept("@tell\t" + name + "\t" + value + "\t.");
  }

  /** Asks the parent to kill this process. */
  void askToBeKilled() {
    output.accept("@kill");
  }

  /** Opens, or creates, the engine in the folder of this variant. */
  Engine open(EngineOptions options) throws Exception {
    return Engines.open(engine, Files.createDirectories(directory.resolve("data")), options);
  }

  /** Creates the engine in a folder for warming up, which {@link #endScratch} deletes. */
  Engine openScratch(EngineOptions options) throws Exception {
    endScratch();
    return Engines.open(
        engine, Files.createDirectories(scratch()), options.creating(true).reading(false));
  }

  /** Opens what is in the folder for warming up again. */
  Engine reopenScratch(EngineOptions options) throws Exception {
    return Engines.open(engine, scratch(), options.creating(false));
  }

  void endScratch() throws IOException {
    deleteTree(scratch());
  }

  private Path scratch() {
    return directory.resolve("scratch");
  }

  /** Bytes of all files of the engine. */
  long bytesOnDisk() throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("data"))) {
      return files.filter(Files::isRegularFile).mapToLong(PhaseRun::size).sum();
    }
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes a folder with all in it, if it is there. */
  public static void deleteTree(Path top) throws IOException {
    if (!Files.exists(top)) {
      return;
    }
    List<Path> all;
    try (Stream<Path> files = Files.walk(top)) {
      all = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : all) {
      Files.deleteIfExists(file);
    }
  }

  /** A figure of which less is better; its name gets the variant before it. */
  void less(String name, double value, String unit) {
    output.accept(new Figure(phase.label(name), value, unit, true).toLine());
  }

  /** A figure of which more is better. */
  void more(String name, double value, String unit) {
    output.accept(new Figure(phase.label(name), value, unit, false).toLine());
  }

  /** A duration since a moment of {@link System#nanoTime}. */
  void millisSince(String name, long start) {
    less(name, (System.nanoTime() - start) / 1e6, "ms");
  }

  /** Thousands a second. */
  void rate(String name, long count, long nanos) {
    more(name, count * 1e6 / nanos, "k/s");
  }

  /** Microseconds each. */
  void microsEach(String name, long count, long nanos) {
    less(name, nanos / 1e3 / count, "us");
  }

  void mib(String name, long bytes) {
    less(name, bytes / 1024.0 / 1024.0, "MiB");
  }
}
