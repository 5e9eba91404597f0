package dev.coffer.bench.workloads;

import static dev.coffer.bench.results.Goal.atLeast;
import static dev.coffer.bench.results.Goal.most;

import dev.coffer.bench.peers.Engine;
import dev.coffer.bench.peers.EngineOptions;
import dev.coffer.bench.results.Goal;
import dev.coffer.vfs.Durability;
import java.util.List;
import java.util.SplittableRandom;

/** W19: many values of 16 KiB; then how long opening takes and how much memory. */
final class LargeLoad implements Workload {
  private static final int VALUE_LENGTH = 16 * 1024;
  private static final int KEY_LENGTH = 32;
  private static final int BATCH = 10;

  @Override
  public String id() {
    return "W19";
  }

  @Override
  public String title() {
    return "100k x 16 KiB in batches of 10 (durability PROCESS); reopen; memory";
  }

  @Override
  public List<String> engines() {
    return List.of("log", "sqlite", "sqlite-bare", "sqlite-tuned", "rocksdb", "lmdb");
  }

  @Override
  public List<Phase> phases(Scale scale) {
    return List.of(Phase.of("load", ""), Phase.of("reopen", "").withHeap(128).withSmallHeap());
  }

  @Override
  public void run(PhaseRun run) throws Exception {
    int count = run.scale().of(100_000, 5000);
    EngineOptions options =
        new EngineOptions(
            true, false, Durability.PROCESS, VALUE_LENGTH, (long) count * VALUE_LENGTH);
    Load load =
        new Load(new Keys(KEY_LENGTH, Keys.Layout.FOLDERS), run.values(), VALUE_LENGTH, BATCH);
    if (run.phase().name().equals("load")) {
      try (Engine engine = run.openScratch(options)) {
        load.run(engine, 0, Math.min(count, 2000));
      }
      run.endScratch();
      long nanos;
      long closing;
      try (Engine engine = run.open(options)) {
        nanos = load.run(engine, 0, count);
        closing = System.nanoTime();
      }
      nanos += System.nanoTime() - closing;
      run.more("load and close", count * 1e9 / nanos, "/s");
      run.mib("size", run.bytesOnDisk());
      return;
    }
    load.warmOpening(run, options.creating(false));
    long start = System.nanoTime();
    try (Engine engine = run.open(options.creating(false))) {
      load.values().check(engine.get(load.keys().key(count / 2)), count / 2, 0, VALUE_LENGTH);
      run.millisSince("reopen and first get", start);
      SplittableRandom random = new SplittableRandom(19);
      for (int i = 0; i < 1000; i++) {
        int index = random.nextInt(count);
        load.values().check(engine.get(load.keys().key(index)), index, 0, VALUE_LENGTH);
      }
    }
  }

  @Override
  public List<Goal> goals(Scale scale) {
    return List.of(
        atLeast(3, "load and close", "log", "sqlite-bare"), most(128, "reopen RssAnon", "log"));
  }
}
