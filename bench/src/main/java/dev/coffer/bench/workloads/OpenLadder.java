package dev.coffer.bench.workloads;

import static dev.coffer.bench.results.Goal.above;

import dev.coffer.bench.peers.Engine;
import dev.coffer.bench.peers.EngineOptions;
import dev.coffer.bench.results.Goal;
import dev.coffer.vfs.Durability;
import java.util.ArrayList;
import java.util.List;

/**
 * W18: opening stores of more and more entries, each in a fresh JVM that opened a store of one
 * entry before.
 */
final class OpenLadder implements Workload {
  private static final int VALUE_LENGTH = 100;
  private static final int KEY_LENGTH = 32;
  private static final int BATCH = 1000;

  private static final String EMPTY = "0 entries";

  private static List<String> variants(Scale scale) {
    return scale.quick()
        ? List.of(EMPTY, "10k entries", "200k entries")
        : List.of(EMPTY, "10k entries", "1M entries", "10M entries");
  }

  private static int count(PhaseRun run) {
    String number = run.phase().variant().replace(" entries", "");
    if (number.equals("0")) {
      return 0;
    }
    int count = Integer.parseInt(number.replace("k", "000").replace("M", "000000"));
    return run.scale().of(count, count);
  }

  @Override
  public String id() {
    return "W18";
  }

  @Override
  public String title() {
    return "open and first get in a fresh JVM of -Xmx128m, by number of entries of 100 bytes";
  }

  @Override
  public List<String> engines() {
    return List.of("log", "sqlite", "sqlite-bare", "rocksdb", "lmdb", "mvstore");
  }

  @Override
  public List<Phase> phases(Scale scale) {
    List<Phase> phases = new ArrayList<>();
    for (String variant : variants(scale)) {
      phases.add(Phase.of("build", variant).withHeap(3072).builtOnce());
      phases.add(Phase.of("read-only", variant).withHeap(128).withSmallHeap());
      phases.add(Phase.of("writable", variant).withHeap(128).withSmallHeap());
    }
    return phases;
  }

  @Override
  public void run(PhaseRun run) throws Exception {
    int count = count(run);
    long bytes = (long) count * (VALUE_LENGTH + KEY_LENGTH);
    EngineOptions options = new EngineOptions(true, false, Durability.PROCESS, VALUE_LENGTH, bytes);
    Load load =
        new Load(new Keys(KEY_LENGTH, Keys.Layout.FOLDERS), run.values(), VALUE_LENGTH, BATCH);
    if (run.phase().name().equals("build")) {
      try (Engine engine = run.open(options)) {
        load.run(engine, 0, count);
      }
      run.mib("size", run.bytesOnDisk());
      return;
    }
    boolean readOnly = run.phase().name().equals("read-only");
    EngineOptions opening = options.creating(false).reading(readOnly);
    load.warmOpening(run, opening);
    String key = load.keys().key(count / 2);
    long start = System.nanoTime();
    try (Engine engine = run.open(opening)) {
      byte[] value = engine.get(key);
      run.millisSince(run.phase().name() + " open and first get", start);
      if (count > 0) {
        load.values().check(value, count / 2, 0, VALUE_LENGTH);
      }
    }
  }

  @Override
  public List<Goal> goals(Scale scale) {
    List<String> variants = variants(scale);
    String most = variants.get(variants.size() - 1);
    List<Goal> goals = new ArrayList<>();
    for (String mode : List.of(" read-only", " writable")) {
      goals.add(
          above(
              15,
              most + mode + " open and first get",
              EMPTY + mode + " open and first get",
              "log"));
      goals.add(above(64, most + mode + " RssAnon", EMPTY + mode + " RssAnon", "log"));
    }
    return goals;
  }
}
