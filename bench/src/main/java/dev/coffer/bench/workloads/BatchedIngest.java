package dev.coffer.bench.workloads;

import static dev.coffer.bench.results.Goal.atMost;

import dev.coffer.bench.peers.Engine;
import dev.coffer.bench.peers.EngineOptions;
import dev.coffer.bench.results.Goal;
import dev.coffer.vfs.Durability;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** W5: batched ingest with a force a batch, from creating to closing. */
final class BatchedIngest implements Workload {
  static final int KEY_LENGTH = 64;
  static final int BATCH = 128;
  private static final int WARM_BYTES = 16 * 1024 * 1024;

  /** How often so much is written first: compiled code is measured, on all sides. */
  private static final int WARM_PASSES = 4;

  /** Sizes and layouts; both layouts at full size only. */
  static List<String> variants(Scale scale) {
    List<String> variants = new ArrayList<>();
    for (String layout : scale.quick() ? List.of("folders") : List.of("folders", "flat")) {
      variants.add("4 KiB " + layout);
      variants.add("64 KiB " + layout);
    }
    return variants;
  }

  /** The length of values in a variant. */
  static int length(String variant) {
    return Integer.parseInt(variant.substring(0, variant.indexOf(' '))) * 1024;
  }

  static int count(Scale scale, int length) {
    return scale.of(4096, length > 16 * 1024 ? 512 : 2048);
  }

  static Load load(PhaseRun run, int length) {
    Keys keys = new Keys(KEY_LENGTH, Keys.Layout.named(run.phase().variant()));
    return new Load(keys, run.values(), length, BATCH);
  }

  static EngineOptions options(PhaseRun run, int length) {
    long bytes = (long) count(run.scale(), length) * length;
    return new EngineOptions(true, false, Durability.SYNC, length, bytes);
  }

  @Override
  public String id() {
    return "W5";
  }

  @Override
  public String title() {
    return "batched ingest: 4,096 x 4 KiB and x 64 KiB, 64-byte keys, batches of 128, each forced";
  }

  @Override
  public List<String> engines() {
    return Workloads.ENGINES_OF_FILES;
  }

  @Override
  public List<Phase> phases(Scale scale) {
    return variants(scale).stream().map(variant -> Phase.of("ingest", variant)).toList();
  }

  @Override
  public void run(PhaseRun run) throws Exception {
    int length = length(run.phase().variant());
    int count = count(run.scale(), length);
    EngineOptions options = options(run, length);
    Load load = load(run, length);
    int warm = Math.min(count, WARM_BYTES / length);
    for (int pass = 0; pass < WARM_PASSES; pass++) {
      try (Engine engine = run.openScratch(options)) {
        load.run(engine, 0, warm);
      }
      run.endScratch();
    }

    String[] keys = load.keys().range(0, count);
    byte[][] values = run.values().range(0, count, 0, length);
    long start = System.nanoTime();
    try (Engine engine = run.open(options)) {
      for (int from = 0; from < count; from += BATCH) {
        int to = Math.min(count, from + BATCH);
        engine.write(Arrays.copyOfRange(keys, from, to), Arrays.copyOfRange(values, from, to));
      }
    }
    run.millisSince("ingest", start);
    run.mib("size", run.bytesOnDisk());
  }

  @Override
  public List<Goal> goals(Scale scale) {
    List<Goal> goals = new ArrayList<>();
    for (String variant : variants(scale)) {
      String figure = variant + " ingest";
      goals.add(atMost(0.4, figure, "log", "sqlite-tuned"));
      goals.add(atMost(variant.startsWith("4 ") ? 0.9 : 0.55, figure, "log", "rocksdb"));
      goals.add(atMost(1 / 0.8, figure, "log", "bare"));
    }
    return goals;
  }
}
