package dev.coffer.bench.workloads;

import static dev.coffer.bench.results.Goal.atLeast;

import dev.coffer.bench.peers.Engine;
import dev.coffer.bench.peers.EngineOptions;
import dev.coffer.bench.results.Goal;
import dev.coffer.vfs.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** W3: 64-byte values on each backend and on its driver alone, by how many a commit takes. */
final class BackendsByCadence implements Workload {
  private static final int VALUE_LENGTH = 64;
  private static final int KEY_LENGTH = 32;
  private static final List<String> VARIANTS = List.of("1", "100", "1000");

  /** DuckDB is slow enough that a part tells as much. */
  private static final int DUCKDB_PART = 10;

  @Override
  public String id() {
    return "W3";
  }

  @Override
  public String title() {
    return "64 B values, a commit per 1, 100 and 1,000 (10k, 200k, 1M; DuckDB a tenth), each forced;"
        + " reads";
  }

  @Override
  public List<String> engines() {
    return List.of("log", "sqlite", "duckdb", "sqlite-bare", "sqlite-schema", "duckdb-bare");
  }

  @Override
  public List<Phase> phases(Scale scale) {
    return VARIANTS.stream().map(variant -> Phase.of("all", variant + " a commit")).toList();
  }

  @Override
  public void run(PhaseRun run) throws Exception {
    String variant = run.phase().variant();
    int batch = Integer.parseInt(variant.substring(0, variant.indexOf(' ')));
    int full = batch == 1 ? 10_000 : batch == 100 ? 200_000 : 1_000_000;
    int quick = batch == 1 ? 500 : batch == 100 ? 5000 : 20_000;
    boolean slow = run.engine().startsWith("duckdb");
    int count = Math.max(batch, run.scale().of(full, quick) / (slow ? DUCKDB_PART : 1));
    int reads = Math.max(1, run.scale().of(200_000, 20_000) / (slow ? 10 * DUCKDB_PART : 1));
    EngineOptions options = new EngineOptions(true, false, Durability.SYNC, VALUE_LENGTH, 1L << 28);
    Load load =
        new Load(new Keys(KEY_LENGTH, Keys.Layout.FOLDERS), run.values(), VALUE_LENGTH, batch);
    try (Engine engine = run.openScratch(options)) {
      int warm = Math.max(batch, Math.min(20_000, count / 10));
      load.run(engine, 0, warm);
      read(engine, load, warm, Math.min(reads, 20_000));
    }
    run.endScratch();
    try (Engine engine = run.open(options)) {
      run.more("writes", count * 1e9 / load.run(engine, 0, count), "/s");
      run.more("reads", reads * 1e9 / read(engine, load, count, reads), "/s");
    }
    run.mib("size", run.bytesOnDisk());
  }

  private static long read(Engine engine, Load load, int count, int reads) throws Exception {
    SplittableRandom random = new SplittableRandom(3);
    long start = System.nanoTime();
    for (int i = 0; i < reads; i++) {
      int index = random.nextInt(count);
      load.values().check(engine.get(load.keys().key(index)), index, 0, VALUE_LENGTH);
    }
    return System.nanoTime() - start;
  }

  @Override
  public List<Goal> goals(Scale scale) {
    List<Goal> goals = new ArrayList<>();
    for (Phase phase : phases(scale)) {
      goals.add(atLeast(0.9, phase.label("writes"), "sqlite", "sqlite-schema"));
      goals.add(atLeast(0.9, phase.label("reads"), "sqlite", "sqlite-schema"));
      goals.add(atLeast(1, phase.label("reads"), "duckdb", "duckdb-bare"));
    }
    goals.add(atLeast(20, "1000 a commit writes", "duckdb", "duckdb-bare"));
    return goals;
  }
}
