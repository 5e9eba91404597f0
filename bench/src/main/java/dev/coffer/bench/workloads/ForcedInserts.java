package dev.coffer.bench.workloads;

import static dev.coffer.bench.results.Goal.atLeast;

import dev.coffer.bench.peers.Engine;
import dev.coffer.bench.peers.EngineOptions;
import dev.coffer.bench.results.Goal;
import dev.coffer.vfs.Durability;
import java.util.List;
import java.util.SplittableRandom;

/** W13: 95 % inserts, each forced, and 5 % gets of what is there, by one client. */
final class ForcedInserts implements Workload {
  private static final int VALUE_LENGTH = 150;
  private static final int KEY_LENGTH = 24;
  private static final double INSERTS = 0.95;

  @Override
  public String id() {
    return "W13";
  }

  @Override
  public String title() {
    return "95 % inserts of 150 bytes, each forced, 5 % gets";
  }

  @Override
  public List<String> engines() {
    return List.of(
        "log", "sqlite", "sqlite-bare", "sqlite-tuned", "rocksdb", "lmdb", "mvstore", "bare");
  }

  @Override
  public List<Phase> phases(Scale scale) {
    return List.of(Phase.of("insert", ""));
  }

  @Override
  public void run(PhaseRun run) throws Exception {
    int count = run.scale().of(20_000, 1000);
    EngineOptions options = new EngineOptions(true, false, Durability.SYNC, VALUE_LENGTH, 1L << 28);
    try (Engine engine = run.openScratch(options)) {
      work(run, engine, Math.max(1, count / 5), new Latencies());
    }
    run.endScratch();
    Latencies latencies = new Latencies();
    try (Engine engine = run.open(options)) {
      long start = System.nanoTime();
      work(run, engine, count, latencies);
      run.more("operations", count * 1e9 / (System.nanoTime() - start), "/s");
    }
    latencies.report(run, "insert");
  }

  private static void work(PhaseRun run, Engine engine, int count, Latencies latencies)
      throws Exception {
    Keys keys = new Keys(KEY_LENGTH, Keys.Layout.FOLDERS);
    SplittableRandom random = new SplittableRandom(13);
    int inserted = 0;
    for (int i = 0; i < count; i++) {
      if (inserted == 0 || random.nextDouble() < INSERTS) {
        String[] key = {keys.key(inserted)};
        byte[][] value = {run.values().make(inserted, 0, VALUE_LENGTH)};
        long start = System.nanoTime();
        engine.write(key, value);
        latencies.since(start);
        inserted++;
      } else {
        int index = random.nextInt(inserted);
        run.values().check(engine.get(keys.key(index)), index, 0, VALUE_LENGTH);
      }
    }
  }

  @Override
  public List<Goal> goals(Scale scale) {
    return List.of(atLeast(0.9, "operations", "log", "bare"));
  }
}
