package dev.coffer.bench.workloads;

import static dev.coffer.bench.results.Goal.atLeast;

import dev.coffer.bench.peers.Engine;
import dev.coffer.bench.peers.EngineOptions;
import dev.coffer.bench.results.Goal;
import dev.coffer.vfs.Durability;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** W2: whole files of many sizes, by how many a commit takes; in memory and on disk. */
final class SizeByCadence implements Workload {
  private static final Map<String, Integer> LENGTHS = new LinkedHashMap<>();

  static {
    LENGTHS.put("64 B", 64);
    LENGTHS.put("1 KiB", 1024);
    LENGTHS.put("4 KiB", 4 * 1024);
    LENGTHS.put("16 KiB", 16 * 1024);
    LENGTHS.put("64 KiB", 64 * 1024);
    LENGTHS.put("300 KiB", 300 * 1024);
    LENGTHS.put("2 MiB", 2 * 1024 * 1024);
  }

  private static final List<Integer> CADENCES = List.of(1, 100, 1000);

  /** A commit of more is left out: its values would not fit the heap beside a peer's copies. */
  private static final long MAX_COMMIT = 320L * 1024 * 1024;

  private static final long QUICK_MAX_COMMIT = 32L * 1024 * 1024;

  private static final int KEY_LENGTH = 32;
  private static final long FULL_BYTES = 512L * 1024 * 1024;
  private static final long QUICK_BYTES = 16L * 1024 * 1024;
  private static final int MAX_COMMITS = 2000;
  private static final int MAX_FILES = 100_000;

  @Override
  public String id() {
    return "W2";
  }

  @Override
  public String title() {
    return "whole files of 64 B to 2 MiB, a commit per 1, 100 and 1,000, each forced; reads";
  }

  @Override
  public List<String> engines() {
    return List.of("log", "sqlite", "memory", "sqlite-bare", "rocksdb");
  }

  @Override
  public List<Phase> phases(Scale scale) {
    return LENGTHS.keySet().stream()
        .filter(variant -> !scale.quick() || !variant.matches("1 KiB|16 KiB"))
        .map(variant -> Phase.of("all", variant).withHeap(1536))
        .toList();
  }

  @Override
  public void run(PhaseRun run) throws Exception {
    int length = LENGTHS.getOrDefault(run.phase().variant(), 0);
    long budget = run.scale().quick() ? QUICK_BYTES : FULL_BYTES;
    EngineOptions options =
        new EngineOptions(
            true, false, Durability.SYNC, length, 3 * Math.max(budget, 1000L * length));
    try (Engine engine = run.openScratch(options)) {
      int warm = Math.max(2, Math.min(1000, (int) (budget / 8 / length)));
      load(run, length, 1).run(engine, 0, Math.max(1, warm / 4));
      load(run, length, warm).run(engine, warm, warm);
      read(run, engine, length, warm, 2 * warm);
    }
    run.endScratch();
    try (Engine engine = run.open(options)) {
      write(run, engine, length, budget);
    }
  }

  private static void write(PhaseRun run, Engine engine, int length, long budget) throws Exception {
    int from = 0;
    double first = 0;
    for (int cadence : CADENCES) {
      if (!fits(run.scale(), cadence, length)) {
        continue;
      }
      int most = run.scale().of(MAX_COMMITS, 200);
      long fitting = Math.max(1, budget / length / cadence);
      int commits = (int) Math.min(Math.min(most, fitting), Math.max(1, MAX_FILES / cadence));
      long nanos = load(run, length, cadence).run(engine, from, commits * cadence);
      double rate = (double) commits * cadence * 1e9 / nanos;
      run.more("writes, " + cadence + " a commit", rate, "/s");
      first = first == 0 ? rate : first;
      if (cadence > 1) {
        run.more("gain of " + cadence + " a commit", rate / first, "x");
      }
      from += commits * cadence;
    }
    long nanos = read(run, engine, length, 0, from);
    run.more("reads", from * 1e9 / nanos, "/s");
  }

  private static boolean fits(Scale scale, int cadence, int length) {
    return (long) cadence * length <= (scale.quick() ? QUICK_MAX_COMMIT : MAX_COMMIT);
  }

  private static Load load(PhaseRun run, int length, int batch) {
    return new Load(new Keys(KEY_LENGTH, Keys.Layout.FOLDERS), run.values(), length, batch);
  }

  private static long read(PhaseRun run, Engine engine, int length, int from, int to)
      throws Exception {
    Load load = load(run, length, 1);
    int[] order = new Shuffle(to - from, 2).next();
    long start = System.nanoTime();
    for (int i : order) {
      int index = from + i;
      load.values().check(engine.get(load.keys().key(index)), index, 0, length);
    }
    return System.nanoTime() - start;
  }

  @Override
  public List<Goal> goals(Scale scale) {
    List<Goal> goals = new ArrayList<>();
    for (Phase phase : phases(scale)) {
      int length = LENGTHS.getOrDefault(phase.variant(), 0);
      double factor = length <= 64 * 1024 ? 1.5 : 1;
      for (int cadence : CADENCES) {
        if (fits(scale, cadence, length)) {
          String figure = phase.label("writes, " + cadence + " a commit");
          goals.add(atLeast(factor, figure, "log", "sqlite"));
        }
      }
      goals.add(atLeast(factor, phase.label("reads"), "log", "sqlite"));
    }
    return goals;
  }
}
