package dev.coffer.bench.workloads;

import static dev.coffer.bench.results.Goal.atLeast;
import static dev.coffer.bench.results.Goal.grows;

import dev.coffer.bench.peers.Engine;
import dev.coffer.bench.peers.EngineOptions;
import dev.coffer.bench.results.Goal;
import dev.coffer.vfs.Durability;
import java.util.List;

/** W15: threads that each write one value at a time, each forced. */
final class GroupCommit implements Workload {
  private static final int VALUE_LENGTH = 100;
  private static final int KEY_LENGTH = 32;

  /** So many writes of all threads come first: compiled code is measured, on all sides. */
  private static final int WARM_WRITES = 20_000;

  @Override
  public String id() {
    return "W15";
  }

  @Override
  public String title() {
    return "individually forced writes of 100 bytes by 1, 8 and 32 threads";
  }

  @Override
  public List<String> engines() {
    return List.of("log", "sqlite", "sqlite-bare", "rocksdb", "lmdb", "bare");
  }

  @Override
  public List<Phase> phases(Scale scale) {
    return List.of(
        Phase.of("write", "1 threads"),
        Phase.of("write", "8 threads"),
        Phase.of("write", "32 threads"));
  }

  @Override
  public void run(PhaseRun run) throws Exception {
    String variant = run.phase().variant();
    int threads = Integer.parseInt(variant.substring(0, variant.indexOf(' ')));
    int each = run.scale().of(2000, threads == 1 ? 400 : 100);
    EngineOptions options = new EngineOptions(true, false, Durability.SYNC, VALUE_LENGTH, 1L << 28);
    try (Engine engine = run.openScratch(options)) {
      write(
          run,
          engine,
          threads,
          run.scale().of(WARM_WRITES, each * threads / 4) / threads,
          new Latencies());
    }
    run.endScratch();
    Latencies latencies = new Latencies();
    try (Engine engine = run.open(options)) {
      long before = engine.commits();
      long nanos = write(run, engine, threads, each, latencies);
      long total = (long) threads * each;
      run.more("writes", total * 1e9 / nanos, "/s");
      if (before >= 0) {
        run.more("writes per commit", total / (double) (engine.commits() - before), "x");
      }
    }
    latencies.report(run, "write");
  }

  private static long write(PhaseRun run, Engine engine, int threads, int each, Latencies latencies)
      throws Exception {
    Keys keys = new Keys(KEY_LENGTH, Keys.Layout.FOLDERS);
    return Threads.run(
        threads,
        thread -> {
          for (int i = 0; i < each; i++) {
            int index = thread * each + i;
            String[] key = {keys.key(index)};
            byte[][] value = {run.values().make(index, 0, VALUE_LENGTH)};
            long start = System.nanoTime();
            engine.write(key, value);
            latencies.since(start);
          }
        });
  }

  @Override
  public List<Goal> goals(Scale scale) {
    return List.of(
        grows(10, "32 threads writes", "1 threads writes", "log"),
        atLeast(2, "32 threads writes", "log", "rocksdb"),
        grows(7, "32 threads writes", "1 threads writes", "sqlite"));
  }
}
