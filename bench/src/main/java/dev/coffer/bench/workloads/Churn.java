package dev.coffer.bench.workloads;

import static dev.coffer.bench.results.Goal.atMost;
import static dev.coffer.bench.results.Goal.most;

import dev.coffer.bench.peers.Engine;
import dev.coffer.bench.peers.EngineOptions;
import dev.coffer.bench.results.Goal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** W7: W5's data, then twice half of it overwritten and a quarter deleted; reopen; compact. */
final class Churn implements Workload {
  private static final int ROUNDS = 2;
  private static final int BATCH = BatchedIngest.BATCH;

  @Override
  public String id() {
    return "W7";
  }

  @Override
  public String title() {
    return "W5's data: twice half overwritten and a quarter deleted; reopen; compact; closed size";
  }

  @Override
  public List<String> engines() {
    return List.of(
        "log", "sqlite", "duckdb", "sqlite-bare", "sqlite-tuned", "rocksdb", "lmdb", "mvstore");
  }

  private static List<String> variants() {
    return List.of("4 KiB", "64 KiB");
  }

  @Override
  public List<Phase> phases(Scale scale) {
    List<Phase> phases = new ArrayList<>();
    for (String variant : variants()) {
      phases.add(Phase.of("churn", variant));
      phases.add(Phase.of("compact", variant));
    }
    return phases;
  }

  /** What is left: which indexes, and the version of each. */
  private record State(int[] versions, List<Integer> live) {
    static State of(int count) {
      List<Integer> live = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        live.add(i);
      }
      return new State(new int[count], live);
    }
  }

  @Override
  public void run(PhaseRun run) throws Exception {
    int length = BatchedIngest.length(run.phase().variant());
    int count = BatchedIngest.count(run.scale(), length);
    EngineOptions options = BatchedIngest.options(run, length);
    Load load = BatchedIngest.load(run, length);
    if (run.phase().name().equals("churn")) {
      int warm = Math.min(count, 4096);
      try (Engine engine = run.openScratch(options)) {
        load.run(engine, 0, warm);
        churn(engine, load, State.of(warm));
      }
      run.endScratch();
      try (Engine engine = run.open(options)) {
        load.run(engine, 0, count);
        run.less("churn", churn(engine, load, State.of(count)) / 1e6, "ms");
      }
      return;
    }
    try (Engine engine = run.openScratch(options)) {
      load.run(engine, 0, BATCH);
      churn(engine, load, State.of(BATCH));
      engine.compact();
    }
    run.endScratch();
    compact(run, options.creating(false), load, afterChurn(count));
  }

  private static void compact(PhaseRun run, EngineOptions options, Load load, State state)
      throws Exception {
    long start = System.nanoTime();
    Engine engine = run.open(options);
    run.millisSince("reopen", start);
    start = System.nanoTime();
    engine.compact();
    run.millisSince("compact", start);
    engine.close();
    run.millisSince("compact and close", start);
    run.mib("closed size", run.bytesOnDisk());
    double live = (double) state.live().size() * load.length();
    run.less("closed size by plain bytes", run.bytesOnDisk() / live, "x");
    try (Engine reopened = run.open(options.reading(true))) {
      for (int i : state.live()) {
        byte[] value = reopened.get(load.keys().key(i));
        load.values().check(value, i, state.versions()[i], load.length());
      }
    }
  }

  /** The same choices on every engine, without one. */
  private static State afterChurn(int count) {
    State state = State.of(count);
    for (int round = 1; round <= ROUNDS; round++) {
      choose(state, round);
    }
    return state;
  }

  /** Who is overwritten comes first, who is deleted second, in scattered order. */
  private static List<List<Integer>> choose(State state, int round) {
    List<Integer> order = new ArrayList<>(state.live());
    Collections.shuffle(order, new Random(round));
    List<Integer> overwritten = List.copyOf(order.subList(0, order.size() / 2));
    List<Integer> deleted = List.copyOf(order.subList(order.size() * 3 / 4, order.size()));
    for (int i : overwritten) {
      state.versions()[i] = round;
    }
    List<Integer> kept = order.subList(0, order.size() * 3 / 4);
    state.live().clear();
    state.live().addAll(kept);
    Collections.sort(state.live());
    return List.of(overwritten, deleted);
  }

  private static long churn(Engine engine, Load load, State state) throws Exception {
    long nanos = 0;
    for (int round = 1; round <= ROUNDS; round++) {
      List<List<Integer>> chosen = choose(state, round);
      for (List<Integer> part : slices(chosen.get(0))) {
        String[] keys = keys(load, part);
        byte[][] values = new byte[part.size()][];
        int version = round;
        Arrays.setAll(values, i -> load.values().make(part.get(i), version, load.length()));
        long start = System.nanoTime();
        engine.write(keys, values);
        nanos += System.nanoTime() - start;
      }
      for (List<Integer> part : slices(chosen.get(1))) {
        String[] keys = keys(load, part);
        long start = System.nanoTime();
        engine.delete(keys);
        nanos += System.nanoTime() - start;
      }
    }
    return nanos;
  }

  private static List<List<Integer>> slices(List<Integer> all) {
    List<List<Integer>> slices = new ArrayList<>();
    for (int from = 0; from < all.size(); from += BATCH) {
      slices.add(all.subList(from, Math.min(all.size(), from + BATCH)));
    }
    return slices;
  }

  private static String[] keys(Load load, List<Integer> indexes) {
    return indexes.stream().map(load.keys()::key).toArray(String[]::new);
  }

  @Override
  public List<Goal> goals(Scale scale) {
    List<Goal> goals = new ArrayList<>();
    for (String variant : variants()) {
      goals.add(atMost(0.6, variant + " churn", "log", "sqlite-bare"));
      goals.add(atMost(1, variant + " compact and close", "log", "rocksdb"));
      goals.add(most(1.03, variant + " closed size by plain bytes", "log"));
    }
    return goals;
  }
}
