package dev.coffer.bench.workloads;

import static dev.coffer.bench.results.Goal.atMost;

import dev.coffer.bench.peers.Engine;
import dev.coffer.bench.peers.EngineOptions;
import dev.coffer.bench.results.Goal;
import dev.coffer.vfs.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** W9: a large ordered map of small values: bulk, single and batched commits, reads, removals. */
final class OrderedMap implements Workload {
  private static final int KEY_LENGTH = 24;
  private static final int VALUE_LENGTH = 150;
  private static final int BATCH = 1000;
  private static final int SCAN = 10;

  /** How much of each; a small one warms up. */
  private record Counts(int bulk, int singles, int batches, int reads) {
    int total() {
      return bulk + singles + batches * BATCH;
    }
  }

  /** Where figures go; nowhere while warming up. */
  @FunctionalInterface
  private interface Sink {
    void took(String name, long count, long nanos);
  }

  @Override
  public String id() {
    return "W9";
  }

  @Override
  public String title() {
    return "24 B keys, 150 B values: 1M in one commit, 1,000 single and 100 x 1,000 forced commits,"
        + " reads, seek+10, removals, compaction";
  }

  @Override
  public List<String> engines() {
    return List.of("log", "sqlite", "sqlite-bare", "rocksdb", "lmdb", "mvstore");
  }

  private static List<String> variants(Scale scale) {
    return scale.quick() ? List.of("folders") : List.of("folders", "flat");
  }

  @Override
  public List<Phase> phases(Scale scale) {
    return variants(scale).stream()
        .map(variant -> Phase.of("all", variant).withHeap(2048))
        .toList();
  }

  @Override
  public void run(PhaseRun run) throws Exception {
    Scale scale = run.scale();
    int bulk = scale.of(1_000_000, 50_000);
    Counts counts =
        new Counts(bulk, scale.of(1000, 100), scale.of(100, 5), scale.of(1_100_000, 50_000));
    Counts warm = new Counts(Math.min(20_000, bulk), 20, 2, Math.min(50_000, counts.reads()));
    EngineOptions options =
        new EngineOptions(
            true,
            false,
            Durability.SYNC,
            VALUE_LENGTH,
            (long) counts.total() * (VALUE_LENGTH + KEY_LENGTH));
    try (Engine engine = run.openScratch(options)) {
      all(run, engine, warm, (name, count, nanos) -> {});
      remove(run, engine, warm.total());
      engine.compact();
    }
    run.endScratch();
    try (Engine engine = run.open(options)) {
      all(run, engine, counts, (name, count, nanos) -> report(run, name, count, nanos));
      run.less("removal of half", remove(run, engine, counts.total()) / 1e6, "ms");
      long start = System.nanoTime();
      engine.compact();
      run.millisSince("compact", start);
    }
    run.mib("size after", run.bytesOnDisk());
  }

  private static void report(PhaseRun run, String name, long count, long nanos) {
    if (count == 1) {
      run.less(name, nanos / 1e6, "ms");
    } else {
      run.microsEach(name, count, nanos);
    }
  }

  private static Load load(PhaseRun run, int batch) {
    Keys keys = new Keys(KEY_LENGTH, Keys.Layout.named(run.phase().variant()));
    return new Load(keys, run.values(), VALUE_LENGTH, batch);
  }

  private static void all(PhaseRun run, Engine engine, Counts counts, Sink sink) throws Exception {
    sink.took("bulk", 1, load(run, counts.bulk()).run(engine, 0, counts.bulk()));
    long singles = load(run, 1).run(engine, counts.bulk(), counts.singles());
    sink.took("single commits", counts.singles(), singles);
    int first = counts.bulk() + counts.singles();
    long batches = load(run, BATCH).run(engine, first, counts.batches() * BATCH);
    sink.took("batch commits", counts.batches(), batches);
    long start = System.nanoTime();
    long found = engine.count();
    sink.took("count", 1, System.nanoTime() - start);
    if (found < counts.total()) {
      throw new IllegalStateException(
          "keys are missing: expected=" + counts.total() + " found=" + found);
    }
    for (int threads : new int[] {1, 4, 8}) {
      int reads = counts.reads() / threads;
      long nanos = Threads.run(threads, thread -> read(run, engine, counts.total(), reads, thread));
      sink.took(
          threads == 1 ? "reads" : "reads by " + threads + " threads",
          (long) reads * threads,
          nanos);
    }
    start = System.nanoTime();
    seek(run, engine, counts);
    sink.took("seek+10", counts.reads(), System.nanoTime() - start);
  }

  private static void read(PhaseRun run, Engine engine, int total, int reads, int seed)
      throws Exception {
    Load load = load(run, 1);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < reads; i++) {
      int index = random.nextInt(total);
      load.values().check(engine.get(load.keys().key(index)), index, 0, VALUE_LENGTH);
    }
  }

  private static void seek(PhaseRun run, Engine engine, Counts counts) throws Exception {
    Load load = load(run, 1);
    SplittableRandom random = new SplittableRandom(9);
    long[] bytes = {0};
    long found = 0;
    for (int i = 0; i < counts.reads(); i++) {
      String from = load.keys().before(random.nextInt(counts.total()));
      found += engine.scan(from, SCAN, (key, value) -> bytes[0] += value.length);
    }
    if (bytes[0] != found * VALUE_LENGTH || found < counts.reads()) {
      throw new IllegalStateException("scans are short: found=" + found + " bytes=" + bytes[0]);
    }
  }

  /** Every other key, in one commit. */
  private static long remove(PhaseRun run, Engine engine, int total) throws Exception {
    Keys keys = load(run, 1).keys();
    String[] removed = new String[total / 2];
    for (int i = 0; i < removed.length; i++) {
      removed[i] = keys.key(2L * i);
    }
    long start = System.nanoTime();
    engine.delete(removed);
    return System.nanoTime() - start;
  }

  @Override
  public List<Goal> goals(Scale scale) {
    List<Goal> goals = new ArrayList<>();
    for (String variant : variants(scale)) {
      goals.add(atMost(1, variant + " bulk", "log", "lmdb"));
      goals.add(atMost(0.8, variant + " single commits", "log", "lmdb"));
      goals.add(atMost(0.8, variant + " batch commits", "log", "lmdb"));
      goals.add(atMost(1 / 0.9, variant + " reads", "log", "lmdb"));
      goals.add(atMost(0.5, variant + " seek+10", "log", "rocksdb"));
      goals.add(atMost(1, variant + " size after", "log", "lmdb"));
    }
    return goals;
  }
}
