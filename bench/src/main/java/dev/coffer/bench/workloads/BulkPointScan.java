package dev.coffer.bench.workloads;

import static dev.coffer.bench.results.Goal.atLeast;
import static dev.coffer.bench.results.Goal.atMost;

import dev.coffer.bench.peers.Engine;
import dev.coffer.bench.peers.EngineOptions;
import dev.coffer.bench.results.Goal;
import dev.coffer.vfs.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/** W17: bulk load, hot gets, short scans and a full scan of small values. */
final class BulkPointScan implements Workload {
  private static final int VALUE_LENGTH = 100;
  private static final int KEY_LENGTH = 32;
  private static final int BATCH = 1000;
  private static final int SCAN = 100;
  private static final List<String> VARIANTS = List.of("folders", "flat");

  @Override
  public String id() {
    return "W17";
  }

  @Override
  public String title() {
    return "1M values of 100 bytes in batches of 1,000 (durability PROCESS); random gets, seek+100,"
        + " full scan";
  }

  @Override
  public List<String> engines() {
    return List.of("log", "sqlite", "sqlite-bare", "sqlite-tuned", "rocksdb", "lmdb", "mvstore");
  }

  @Override
  public List<Phase> phases(Scale scale) {
    List<Phase> phases = new ArrayList<>();
    for (String variant : VARIANTS) {
      phases.add(Phase.of("load", variant));
      phases.add(Phase.of("read", variant));
    }
    return phases;
  }

  private static EngineOptions options(int count) {
    long bytes = (long) count * (VALUE_LENGTH + KEY_LENGTH);
    return new EngineOptions(true, false, Durability.PROCESS, VALUE_LENGTH, bytes);
  }

  private static Load load(PhaseRun run) {
    Keys keys = new Keys(KEY_LENGTH, Keys.Layout.named(run.phase().variant()));
    return new Load(keys, run.values(), VALUE_LENGTH, BATCH);
  }

  @Override
  public void run(PhaseRun run) throws Exception {
    int count = run.scale().of(1_000_000, 100_000);
    if (run.phase().name().equals("load")) {
      write(run, count);
    } else {
      try (Engine engine = run.open(options(count).creating(false).reading(true))) {
        gets(run, engine, count);
        seeks(run, engine, count);
        scan(run, engine, count);
      }
    }
  }

  private static void write(PhaseRun run, int count) throws Exception {
    Load load = load(run);
    try (Engine engine = run.openScratch(options(count))) {
      load.run(engine, 0, Math.min(count, 200_000));
    }
    run.endScratch();
    long nanos;
    long closing;
    try (Engine engine = run.open(options(count))) {
      nanos = load.run(engine, 0, count);
      closing = System.nanoTime();
    }
    long closed = System.nanoTime() - closing;
    run.rate("bulk", count, nanos);
    run.rate("bulk and close", count, nanos + closed);
    run.mib("size", run.bytesOnDisk());
  }

  private static void gets(PhaseRun run, Engine engine, int count) throws Exception {
    Load load = load(run);
    int gets = run.scale().of(500_000, 100_000);
    get(engine, load, count, gets / 2, 1);
    run.rate("gets", gets, get(engine, load, count, gets, 2));
  }

  private static long get(Engine engine, Load load, int count, int gets, int seed)
      throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    long start = System.nanoTime();
    for (int i = 0; i < gets; i++) {
      int index = random.nextInt(count);
      load.values().check(engine.get(load.keys().key(index)), index, 0, VALUE_LENGTH);
    }
    return System.nanoTime() - start;
  }

  private static void seeks(PhaseRun run, Engine engine, int count) throws Exception {
    Load load = load(run);
    int seeks = run.scale().of(10_000, 1000);
    seek(engine, load.keys(), count, seeks / 2, 1);
    run.microsEach("seek+100", seeks, seek(engine, load.keys(), count, seeks, 2));
  }

  private static long seek(Engine engine, Keys keys, int count, int seeks, int seed)
      throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    AtomicLong bytes = new AtomicLong();
    long found = 0;
    long start = System.nanoTime();
    for (int i = 0; i < seeks; i++) {
      String from = keys.before(random.nextInt(count));
      found +=
          engine.scan(from, SCAN, (key, value) -> bytes.setPlain(bytes.getPlain() + value.length));
    }
    long nanos = System.nanoTime() - start;
    if (bytes.get() != found * VALUE_LENGTH || found == 0) {
      throw new IllegalStateException("scans are short: found=" + found + " bytes=" + bytes);
    }
    return nanos;
  }

  private static void scan(PhaseRun run, Engine engine, int count) throws Exception {
    AtomicLong bytes = new AtomicLong();
    long start = 0;
    for (int i = 0; i < 2; i++) { // The first is to warm up.
      start = System.nanoTime();
      int found =
          engine.scan(
              null,
              Integer.MAX_VALUE,
              (key, value) -> bytes.setPlain(bytes.getPlain() + value.length));
      if (found != count) {
        throw new IllegalStateException("scan is short: expected=" + count + " found=" + found);
      }
    }
    run.rate("scan", count, System.nanoTime() - start);
  }

  @Override
  public List<Goal> goals(Scale scale) {
    List<Goal> goals = new ArrayList<>();
    for (String variant : VARIANTS) {
      goals.add(atLeast(8, variant + " bulk", "log", "sqlite-bare"));
      goals.add(atLeast(2, variant + " gets", "log", "sqlite-bare"));
      goals.add(atMost(0.1, variant + " seek+100", "log", "sqlite-bare"));
      goals.add(atLeast(5, variant + " scan", "log", "sqlite-bare"));
    }
    return goals;
  }
}
