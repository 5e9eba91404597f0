package dev.coffer.bench.workloads;

import static dev.coffer.bench.results.Goal.atLeast;
import static dev.coffer.bench.results.Goal.atMost;
import static dev.coffer.bench.results.Goal.most;

import dev.coffer.bench.peers.Engine;
import dev.coffer.bench.peers.EngineOptions;
import dev.coffer.bench.results.Goal;
import dev.coffer.vfs.Durability;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** W14: YCSB's A, B, C, E and F by one client, with a force on every write. */
final class YcsbWorkload implements Workload {
  private static final int KEY_LENGTH = 32;
  private static final int VALUE_LENGTH = 100;
  private static final int BATCH = 1000;
  private static final int MAX_SCAN = 100;
  private static final int WARM_PART = 5;

  /** What a letter does: the share of each kind of operation, the rest being writes. */
  private record Mix(String name, double reads, double scans, boolean modify, int full, int quick) {
    boolean inserts() {
      return scans > 0;
    }
  }

  private static final List<Mix> MIXES =
      List.of(
          new Mix("A", 0.5, 0, false, 20_000, 1000),
          new Mix("B", 0.95, 0, false, 100_000, 5000),
          new Mix("C", 1, 0, false, 1_000_000, 50_000),
          new Mix("E", 0, 0.95, false, 50_000, 2000),
          new Mix("F", 0.5, 0, true, 20_000, 1000));

  @Override
  public String id() {
    return "W14";
  }

  @Override
  public String title() {
    return "YCSB A B C E F: 300k records of 100 bytes, Zipf, force on every write, one client";
  }

  @Override
  public List<String> engines() {
    return List.of("log", "sqlite", "sqlite-bare", "rocksdb", "lmdb");
  }

  @Override
  public List<Phase> phases(Scale scale) {
    return Stream.concat(
            Stream.of(Phase.of("load", "")),
            MIXES.stream().map(mix -> Phase.of(mix.name(), "").withHeap(512).withSmallHeap()))
        .toList();
  }

  @Override
  public void run(PhaseRun run) throws Exception {
    int records = run.scale().of(300_000, 50_000);
    EngineOptions options =
        new EngineOptions(
            true, false, Durability.SYNC, VALUE_LENGTH, (long) records * VALUE_LENGTH * 2);
    Load load =
        new Load(new Keys(KEY_LENGTH, Keys.Layout.FOLDERS), run.values(), VALUE_LENGTH, BATCH);
    if (run.phase().name().equals("load")) {
      try (Engine engine = run.open(options)) {
        load.run(engine, 0, records);
      }
      return;
    }
    Mix mix =
        MIXES.stream()
            .filter(candidate -> candidate.name().equals(run.phase().name()))
            .findFirst()
            .orElseThrow();
    int operations = run.scale().of(mix.full(), mix.quick());
    try (Engine engine = run.open(options.creating(false))) {
      Client client = new Client(engine, load, mix, records);
      client.run(Math.max(1, operations / WARM_PART));
      client.latencies = new Latencies();
      long start = System.nanoTime();
      client.run(operations);
      run.more(mix.name(), operations * 1e9 / (System.nanoTime() - start), "/s");
      if (mix.reads() < 1) {
        client.latencies.report(run, mix.name() + " write");
      }
    }
  }

  /** The one client. Versions are not known from earlier phases, so reads check lengths only. */
  private static final class Client {
    private final Engine engine;
    private final Load load;
    private final Mix mix;
    private final int records;
    private final Zipf zipf;
    private final SplittableRandom random = new SplittableRandom(14);
    private int writes;
    private Latencies latencies = new Latencies();

    Client(Engine engine, Load load, Mix mix, int records) {
      this.engine = engine;
      this.load = load;
      this.mix = mix;
      this.records = records;
      this.zipf = new Zipf(records, 14);
    }

    void run(int operations) throws Exception {
      for (int i = 0; i < operations; i++) {
        double dice = random.nextDouble();
        if (dice < mix.reads()) {
          read(zipf.next());
        } else if (dice < mix.reads() + mix.scans()) {
          scan(zipf.next());
        } else {
          write();
        }
      }
    }

    private void read(int index) throws Exception {
      byte[] value = engine.get(load.keys().key(index));
      if (value == null || value.length != VALUE_LENGTH) {
        throw new IllegalStateException("value is missing or of another length: index=" + index);
      }
    }

    private void scan(int index) throws Exception {
      long[] bytes = {0};
      int limit = 1 + random.nextInt(MAX_SCAN);
      int found =
          engine.scan(load.keys().before(index), limit, (key, value) -> bytes[0] += value.length);
      if (found == 0 || bytes[0] != (long) found * VALUE_LENGTH) {
        throw new IllegalStateException("scan is short: index=" + index + " found=" + found);
      }
    }

    private void write() throws Exception {
      writes++;
      int index = mix.inserts() ? records + writes : zipf.next();
      if (mix.modify()) {
        read(index);
      }
      String[] key = {load.keys().key(index)};
      byte[][] value = {load.values().make(index, writes, VALUE_LENGTH)};
      long start = System.nanoTime();
      engine.write(key, value);
      latencies.since(start);
    }
  }

  @Override
  public List<Goal> goals(Scale scale) {
    return List.of(
        atLeast(2, "C", "log", "rocksdb"),
        atLeast(1.5, "E", "log", "rocksdb"),
        atLeast(1, "A", "log", "rocksdb"),
        atLeast(1, "F", "log", "rocksdb"),
        most(25, "A write max", "log"),
        atMost(1, "A RssAnon", "log", "rocksdb"));
  }
}
