package dev.coffer.bench;

import dev.coffer.bench.peers.Engines;
import dev.coffer.bench.results.Report;
import dev.coffer.bench.results.Results;
import dev.coffer.bench.workloads.PhaseRun;
import dev.coffer.bench.workloads.Scale;
import dev.coffer.bench.workloads.Workload;
import dev.coffer.bench.workloads.Workloads;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The benchmark runner's command line. */
@Command(
    name = "coffer-bench",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Runs workloads on Coffer's backends and on its peers, alternating, and prints medians with",
      "their ranges, ratios, and the goals that are met or missed. 'coffer-bench jmh [ARGS]' runs",
      "the micro-benchmarks."
    })
public final class Main implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Parameters(paramLabel = "WORKLOAD", description = "Which ones, such as w5; all by default.")
  private List<String> ids = List.of();

  @Option(names = "--list", description = "Lists workloads and engines.")
  private boolean list;

  @Option(
      names = "--quick",
      description = "Does far less, on fewer peers: whether it works, hardly how fast.")
  private boolean quick;

  @Option(
      names = "--engines",
      split = ",",
      paramLabel = "NAME",
      description = "Which engines; each workload has its own choice.")
  private List<String> engines = List.of();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Repetitions; 3 by default, 1 with --quick.")
  private int rounds;

  @Option(names = "--scale", paramLabel = "F", description = "Multiplies all counts.")
  private double scale = 1;

  @Option(names = "--payload", paramLabel = "KIND", description = "random (default) or text.")
  private String payload = "random";

  @Option(
      names = "--corpus",
      paramLabel = "DIR",
      description = "Texts are slices of its files; Coffer's own sources by default.")
  private @Nullable Path corpus;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Where stores are made; the folder for temporary files by default.")
  private @Nullable Path directory;

  @Option(
      names = "--keep",
      paramLabel = "DIR",
      description = "As --dir, but stores that are built once stay there for the next run.")
  private @Nullable Path keep;

  @Option(
      names = "--results",
      paramLabel = "NAME",
      description = "Writes bench/results/NAME.json and .md; local/TIME by default.")
  private @Nullable String name;

  /** Runs the command and exits with its code. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Main()).execute(args));
  }

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    if (list) {
      Workloads.ALL.forEach(workload -> out.println(workload.id() + "  " + workload.title()));
      out.println("engines: " + String.join(", ", Engines.NAMES));
      return 0;
    }
    List<Workload> chosen = chosen();
    Path home = Path.of(System.getProperty("coffer.bench.home", ""));
    Path top = keep != null ? keep : directory;
    Path work =
        top == null ? Files.createTempDirectory("coffer-bench") : Files.createDirectories(top);
    try {
      Settings settings =
          new Settings(
              engines,
              rounds > 0 ? rounds : quick ? 1 : 3,
              new Scale(quick, scale),
              payload,
              texts(home, work),
              work,
              keep != null);
      Runner runner =
          new Runner(
              settings,
              line -> {
                err.println(line);
                err.flush();
              });
      Report report = new Report(Machine.describe(settings));
      for (Workload workload : chosen) {
        long start = System.nanoTime();
        Results results = runner.run(workload);
        err.println(
            workload.id() + " took s=" + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start));
        out.println(
            report.add(workload.id(), workload.title(), results, workload.goals(settings.scale())));
        out.flush();
        save(report, home);
      }
    } finally {
      if (top == null) {
        PhaseRun.deleteTree(work);
      }
    }
    return 0;
  }

  private List<Workload> chosen() {
    if (!payload.equals("random") && !payload.equals("text")) {
      throw usage("payload is neither random nor text: " + payload);
    }
    for (String engine : engines) {
      if (!Engines.NAMES.contains(engine)) {
        throw usage("no such engine: " + engine);
      }
    }
    try {
      return ids.isEmpty() ? Workloads.ALL : ids.stream().map(Workloads::named).toList();
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
  }

  private CommandLine.ParameterException usage(String message) {
    return new CommandLine.ParameterException(spec.commandLine(), message);
  }

  private @Nullable Path texts(Path home, Path work) throws IOException {
    if (!payload.equals("text")) {
      return null;
    }
    return Corpus.gather(corpus == null ? home : corpus, work.resolve("corpus"));
  }

  private String resultsName() {
    if (name == null) {
      DateTimeFormatter format = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");
      name = "local/" + LocalDateTime.now(ZoneOffset.UTC).format(format);
    }
    return name;
  }

  /** After each workload, so that a run that is broken off leaves what it has. */
  private void save(Report report, Path home) throws IOException {
    Path file = home.resolve("bench/results").resolve(resultsName());
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file.resolveSibling(file.getFileName() + ".md"), report.markdown());
    Files.writeString(file.resolveSibling(file.getFileName() + ".json"), report.json());
  }
}
