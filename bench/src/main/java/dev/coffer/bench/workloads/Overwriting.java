package dev.coffer.bench.workloads;

import static dev.coffer.bench.results.Goal.most;

import dev.coffer.bench.peers.Engine;
import dev.coffer.bench.peers.EngineOptions;
import dev.coffer.bench.results.Goal;
import dev.coffer.vfs.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * W7B: a store that is overwritten at full speed, one file a commit, while it compacts itself: how
 * long the longest write waits, and how much room is taken once writing has ended.
 */
final class Overwriting implements Workload {
  private static final int VALUE_LENGTH = 16 * 1024;
  private static final int KEY_LENGTH = 24;
  private static final long SECOND = 1_000_000_000L;

  /** How long a store is left alone. */
  private static final int REST_SECONDS = 10;

  @Override
  public String id() {
    return "W7B";
  }

  @Override
  public String title() {
    return "files of 16 KiB overwritten one by one at full speed for 10 s, then 10 s of rest";
  }

  @Override
  public List<String> engines() {
    return List.of("log", "log-folder", "sqlite", "rocksdb");
  }

  private static List<String> variants() {
    return List.of("1 MB", "40 MB", "200 MB");
  }

  private static int files(String variant) {
    return Integer.parseInt(variant.substring(0, variant.indexOf(' '))) * 1_000_000 / VALUE_LENGTH;
  }

  @Override
  public List<Phase> phases(Scale scale) {
    List<Phase> phases = new ArrayList<>();
    for (String variant : variants()) {
      phases.add(Phase.of("overwrite", variant));
    }
    return phases;
  }

  @Override
  public void run(PhaseRun run) throws Exception {
    int files = files(run.phase().variant());
    EngineOptions options =
        new EngineOptions(true, false, Durability.PROCESS, VALUE_LENGTH, 1L << 30);
    long seconds = run.scale().of(10, 1);
    try (Engine engine = run.openScratch(options)) {
      work(run, engine, files, seconds / 3 * SECOND, new Latencies());
    }
    run.endScratch();
    Latencies latencies = new Latencies();
    try (Engine engine = run.open(options)) {
      long start = System.nanoTime();
      long writes = work(run, engine, files, seconds * SECOND, latencies);
      run.more("writes", writes * 1e9 / (System.nanoTime() - start), "/s");
      latencies.report(run, "write");
      double plain = (double) files * VALUE_LENGTH;
      run.less("size at the end of writing", run.bytesOnDisk() / plain, "x");
      Thread.sleep(1000L * run.scale().of(REST_SECONDS, 1));
      run.less("size at rest", run.bytesOnDisk() / plain, "x");
    }
  }

  /** Writes all files once, then scattered ones again and again; answers how many writes. */
  private static long work(PhaseRun run, Engine engine, int files, long nanos, Latencies latencies)
      throws Exception {
    Keys keys = new Keys(KEY_LENGTH, Keys.Layout.FOLDERS);
    SplittableRandom random = new SplittableRandom(7);
    long end = System.nanoTime() + nanos;
    long count = 0;
    long now = 0;
    while (count < files || now < end) {
      int index = count < files ? (int) count : random.nextInt(files);
      String[] key = {keys.key(index)};
      byte[][] value = {run.values().make(index, (int) count, VALUE_LENGTH)};
      long start = System.nanoTime();
      engine.write(key, value);
      latencies.since(start);
      count++;
      now = System.nanoTime();
    }
    return count;
  }

  @Override
  public List<Goal> goals(Scale scale) {
    List<Goal> goals = new ArrayList<>();
    for (String variant : variants()) {
      for (String engine : List.of("log", "log-folder")) {
        goals.add(most(25, variant + " write max", engine));
        goals.add(most(1.5, variant + " size at rest", engine));
      }
    }
    return goals;
  }
}
