package dev.coffer.bench.workloads;

import static dev.coffer.bench.results.Goal.atMost;

import dev.coffer.bench.peers.Engine;
import dev.coffer.bench.peers.EngineOptions;
import dev.coffer.bench.results.Goal;
import java.util.ArrayList;
import java.util.List;

/** W6: a fresh JVM opens what W5 wrote, reads it once, then three times shuffled. */
final class WarmReads implements Workload {
  private static final int PASSES = 3;

  @Override
  public String id() {
    return "W6";
  }

  @Override
  public String title() {
    return "open W5's data in a fresh JVM; one warm pass, three shuffled passes";
  }

  @Override
  public List<String> engines() {
    return Workloads.ENGINES_OF_FILES;
  }

  @Override
  public List<Phase> phases(Scale scale) {
    List<Phase> phases = new ArrayList<>();
    for (String variant : BatchedIngest.variants(scale)) {
      phases.add(Phase.of("build", variant).builtOnce());
      phases.add(Phase.of("read", variant).withHeap(256).withSmallHeap());
    }
    return phases;
  }

  @Override
  public void run(PhaseRun run) throws Exception {
    int length = BatchedIngest.length(run.phase().variant());
    int count = BatchedIngest.count(run.scale(), length);
    EngineOptions options = BatchedIngest.options(run, length);
    Load load = BatchedIngest.load(run, length);
    if (run.phase().name().equals("build")) {
      try (Engine engine = run.open(options)) {
        load.run(engine, 0, count);
      }
      return;
    }
    EngineOptions reading = options.creating(false).reading(true);
    long first = System.nanoTime();
    load.warmOpening(run, reading);
    run.millisSince("loading of code", first);
    Shuffle shuffle = new Shuffle(count, 6);
    long start = System.nanoTime();
    try (Engine engine = run.open(reading)) {
      load.values().check(engine.get(load.keys().key(0)), 0, 0, length);
      run.millisSince("open and first get", start);
      start = System.nanoTime();
      pass(engine, load, shuffle.identity());
      run.millisSince("warm pass", start);
      long nanos = 0;
      for (int i = 0; i < PASSES; i++) {
        int[] order = shuffle.next();
        start = System.nanoTime();
        pass(engine, load, order);
        nanos += System.nanoTime() - start;
      }
      run.less("3 shuffled passes", nanos / 1e6, "ms");
    }
  }

  private static void pass(Engine engine, Load load, int[] order) throws Exception {
    for (int i : order) {
      load.values().check(engine.get(load.keys().key(i)), i, 0, load.length());
    }
  }

  @Override
  public List<Goal> goals(Scale scale) {
    List<Goal> goals = new ArrayList<>();
    for (String variant : BatchedIngest.variants(scale)) {
      goals.add(atMost(1, variant + " open and first get", "log", "sqlite-bare"));
      String reads = variant + " 3 shuffled passes";
      goals.add(atMost(1 / 0.9, reads, "log", "lmdb"));
      for (String peer :
          List.of("sqlite-bare", "sqlite-tuned", "rocksdb", "mvstore", "files", "zipfs")) {
        goals.add(atMost(1 / 1.2, reads, "log", peer));
      }
      goals.add(atMost(1, variant + " read RssAnon", "log", "sqlite-tuned"));
    }
    return goals;
  }
}
