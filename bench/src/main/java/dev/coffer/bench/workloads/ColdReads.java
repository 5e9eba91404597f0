package dev.coffer.bench.workloads;

import static dev.coffer.bench.results.Goal.atMost;

import dev.coffer.bench.peers.Engine;
import dev.coffer.bench.peers.EngineOptions;
import dev.coffer.bench.results.Goal;
import java.util.ArrayList;
import java.util.List;

/** W8: open and one pass in a fresh JVM, after the page cache was dropped. */
final class ColdReads implements Workload {
  private static final List<String> VARIANTS = List.of("4 KiB", "64 KiB");
  private static final long FULL_BYTES = 256L * 1024 * 1024;
  private static final int QUICK_PART = 8;

  @Override
  public String id() {
    return "W8";
  }

  @Override
  public String title() {
    return "256 MiB, page cache dropped: open and one shuffled pass";
  }

  @Override
  public List<String> engines() {
    return List.of("log", "sqlite", "sqlite-bare", "sqlite-tuned", "rocksdb", "lmdb", "files");
  }

  @Override
  public List<Phase> phases(Scale scale) {
    List<Phase> phases = new ArrayList<>();
    for (String variant : VARIANTS) {
      phases.add(Phase.of("build", variant).builtOnce());
      phases.add(Phase.of("read", variant).withHeap(512).fromCold());
    }
    return phases;
  }

  @Override
  public void run(PhaseRun run) throws Exception {
    int length = BatchedIngest.length(run.phase().variant());
    int full = (int) (FULL_BYTES / length);
    int count = run.scale().of(full, full / QUICK_PART);
    EngineOptions options =
        new EngineOptions(
            true, false, BatchedIngest.options(run, length).durability(), length, FULL_BYTES);
    Load load = BatchedIngest.load(run, length);
    if (run.phase().name().equals("build")) {
      try (Engine engine = run.open(options)) {
        load.run(engine, 0, count);
      }
      return;
    }
    int[] order = new Shuffle(count, 8).next();
    long start = System.nanoTime();
    try (Engine engine = run.open(options.creating(false).reading(true))) {
      for (int i : order) {
        load.values().check(engine.get(load.keys().key(i)), i, 0, length);
      }
      run.millisSince("open and first pass", start);
    }
  }

  @Override
  public List<Goal> goals(Scale scale) {
    return VARIANTS.stream()
        .map(variant -> atMost(0.8, variant + " open and first pass", "log", "sqlite-tuned"))
        .toList();
  }
}
