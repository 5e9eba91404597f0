package dev.coffer.bench;

import dev.coffer.bench.results.Figure;
import dev.coffer.bench.results.Results;
import dev.coffer.bench.workloads.Phase;
import dev.coffer.bench.workloads.PhaseRun;
import dev.coffer.bench.workloads.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Runs workloads: rounds outermost, engines alternating inside them, a JVM a phase. */
final class Runner {
  private static final Path DROP_CACHES = Path.of("/proc/sys/vm/drop_caches");

  /** Peers that a quick run leaves out, to stay quick. */
  private static final Set<String> NOT_QUICK = Set.of("mvstore", "files", "zipfs");

  private final Settings settings;
  private final Consumer<String> progress;
  private final Set<Path> hopeless = new HashSet<>();

  /** Says what it is doing to {@code progress}. */
  Runner(Settings settings, Consumer<String> progress) {
    this.settings = settings;
    this.progress = progress;
  }

  /** Runs one workload on all its engines. A phase that fails is a problem in the results. */
  Results run(Workload workload) throws IOException {
    Results results = new Results();
    List<String> engines =
        new ArrayList<>(settings.engines().isEmpty() ? workload.engines() : settings.engines());
    if (settings.engines().isEmpty() && settings.scale().quick()) {
      engines.removeAll(NOT_QUICK);
    }
    List<List<Phase>> variants = variants(workload.phases(settings.scale()));
    for (int round = 1; round <= settings.rounds(); round++) {
      for (List<Phase> variant : variants) {
        for (String engine : engines) {
          runVariant(workload, variant, engine, round, results);
        }
        Collections.rotate(engines, 1); // Nobody always comes first.
      }
    }
    if (!settings.keep()) {
      PhaseRun.deleteTree(folder(workload));
    }
    return results;
  }

  /** The phases by variant, in their order. */
  private static List<List<Phase>> variants(List<Phase> phases) {
    Map<String, List<Phase>> variants = new LinkedHashMap<>();
    for (Phase phase : phases) {
      variants.computeIfAbsent(phase.variant(), name -> new ArrayList<>()).add(phase);
    }
    return List.copyOf(variants.values());
  }

  private Path folder(Workload workload) {
    return settings.directory().resolve(workload.id());
  }

  private void runVariant(
      Workload workload, List<Phase> phases, String engine, int round, Results results)
      throws IOException {
    String variant = phases.get(0).variant();
    Path directory =
        folder(workload)
            .resolve(
                (variant + " " + engine + " " + settings.scale() + " " + settings.payload())
                    .replaceAll("[^A-Za-z0-9.]+", "-"));
    boolean keeps = phases.stream().anyMatch(Phase::once);
    if (hopeless.contains(directory)) {
      return;
    }
    if (!keeps) {
      PhaseRun.deleteTree(directory);
    }
    Files.createDirectories(directory);
    Map<String, String> arguments = arguments(workload, engine, directory);
    for (Phase phase : phases) {
      Path built = directory.resolve("built-" + phase.name());
      if (phase.once() && Files.exists(built)) {
        continue;
      }
      String where =
          workload.id() + " " + phase.label(phase.name()) + " " + engine + " round " + round;
      progress.accept(where);
      try {
        for (Figure figure : runPhase(phase, arguments, directory.resolve("log"))) {
          results.add(engine, figure);
        }
      } catch (ChildProcess.FailedException e) {
        progress.accept(where + " failed: " + e.getMessage());
        results.addProblem(engine, phase.label(phase.name()) + ": " + e.getMessage());
        if (phase.once()) {
          hopeless.add(directory); // What cannot be built takes no more time in later rounds.
        }
        break;
      }
      if (phase.once()) {
        Files.createFile(built);
      }
    }
    if (!keeps) {
      PhaseRun.deleteTree(directory);
    }
  }

  private Map<String, String> arguments(Workload workload, String engine, Path directory) {
    Map<String, String> arguments = new LinkedHashMap<>();
    arguments.put("workload", workload.id());
    arguments.put("engine", engine);
    arguments.put("directory", directory.toString());
    arguments.put("quick", Boolean.toString(settings.scale().quick()));
    arguments.put("scale", Double.toString(settings.scale().factor()));
    arguments.put("payload", settings.payload());
    if (settings.corpus() != null) {
      arguments.put("corpus", settings.corpus().toString());
    }
    return arguments;
  }

  private static List<Figure> runPhase(Phase phase, Map<String, String> arguments, Path log)
      throws IOException, ChildProcess.FailedException {
    arguments.put("phase", phase.name());
    arguments.put("variant", phase.variant());
    if (phase.cold()) {
      dropCaches();
    }
    return ChildProcess.run(phase, arguments, log);
  }

  /** Writes everything out first, since only clean pages can be dropped. */
  private static void dropCaches() throws IOException, ChildProcess.FailedException {
    if (!Files.isWritable(DROP_CACHES)) {
      throw new ChildProcess.FailedException("skipped: dropping the page cache needs root");
    }
    try {
      if (new ProcessBuilder("sync").inheritIO().start().waitFor() != 0) {
        throw new ChildProcess.FailedException("skipped: sync failed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ChildProcess.FailedException("interrupted");
    }
    Files.writeString(DROP_CACHES, "3\n");
  }
}
