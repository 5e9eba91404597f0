package dev.coffer.bench.workloads;

import static dev.coffer.bench.results.Goal.atLeast;
import static dev.coffer.bench.results.Goal.most;

import dev.coffer.bench.peers.Engine;
import dev.coffer.bench.peers.EngineOptions;
import dev.coffer.bench.results.Goal;
import dev.coffer.vfs.Durability;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * W20: two writers of single values; then the same again, killed after it acknowledged through its
 * pipe, and reopened.
 */
final class CrashRecovery implements Workload {
  private static final int WRITERS = 2;
  private static final int VALUE_LENGTH = 100;
  private static final int KEY_LENGTH = 32;

  /** A thread acknowledges after so many writes. */
  private static final int SLICE = 1000;

  @Override
  public String id() {
    return "W20";
  }

  @Override
  public String title() {
    return "two writers x 200k of 100 bytes (durability PROCESS); SIGKILL with 200k acknowledged,"
        + " reopen";
  }

  @Override
  public List<String> engines() {
    return List.of("log", "sqlite", "sqlite-bare", "rocksdb", "lmdb");
  }

  @Override
  public List<Phase> phases(Scale scale) {
    return List.of(
        Phase.of("write", ""),
        Phase.of("crash", "crash").untilKilled(),
        Phase.of("recover", "crash"));
  }

  private static EngineOptions options() {
    return new EngineOptions(true, false, Durability.PROCESS, VALUE_LENGTH, 1L << 28);
  }

  /** The writers' keys lie in folders of their own. */
  private static int index(int writer, int i) {
    return writer * 100_000_000 + i;
  }

  private static void write(PhaseRun run, Engine engine, int writer, int i) throws Exception {
    int index = index(writer, i);
    Keys keys = new Keys(KEY_LENGTH, Keys.Layout.FOLDERS);
    engine.write(
        new String[] {keys.key(index)}, new byte[][] {run.values().make(index, 0, VALUE_LENGTH)});
  }

  @Override
  public void run(PhaseRun run) throws Exception {
    int count = run.scale().of(200_000, 20_000);
    switch (run.phase().name()) {
      case "write" -> measure(run, count);
      case "crash" -> writeUntilKilled(run, count);
      default -> recover(run);
    }
  }

  private static void measure(PhaseRun run, int count) throws Exception {
    try (Engine engine = run.openScratch(options())) {
      writeAll(run, engine, Math.max(1, count / 10));
    }
    run.endScratch();
    try (Engine engine = run.open(options())) {
      run.rate("writes", (long) WRITERS * count, writeAll(run, engine, count));
    }
  }

  private static long writeAll(PhaseRun run, Engine engine, int count) throws Exception {
    return Threads.run(
        WRITERS,
        writer -> {
          for (int i = 0; i < count; i++) {
            write(run, engine, writer, i);
          }
        });
  }

  /** Goes on after it asked, so that it dies writing. */
  private static void writeUntilKilled(PhaseRun run, int count) throws Exception {
    Engine engine = run.open(options());
    AtomicInteger acknowledged = new AtomicInteger();
    Threads.run(
        WRITERS,
        writer -> {
          boolean asked = false;
          for (int i = 0; ; i++) {
            write(run, engine, writer, i);
            if ((i + 1) % SLICE == 0) {
              run.tell("acknowledged" + writer, i + 1);
              if (!asked && acknowledged.addAndGet(SLICE) >= count) {
                asked = true;
                run.askToBeKilled();
              }
            }
          }
        });
  }

  private static void recover(PhaseRun run) throws Exception {
    Keys keys = new Keys(KEY_LENGTH, Keys.Layout.FOLDERS);
    new Load(keys, run.values(), VALUE_LENGTH, 1).warmOpening(run, options().creating(false));
    long lost = 0;
    long expected = 0;
    long start = System.nanoTime();
    try (Engine engine = run.open(options().creating(false))) {
      engine.get(keys.key(0));
      run.millisSince("reopen and first get", start);
      for (int writer = 0; writer < WRITERS; writer++) {
        long acknowledged = run.told("acknowledged" + writer);
        expected += acknowledged;
        for (int i = 0; i < acknowledged; i++) {
          int index = index(writer, i);
          byte[] value = engine.get(keys.key(index));
          if (value == null) {
            lost++;
          } else {
            run.values().check(value, index, 0, VALUE_LENGTH);
          }
        }
      }
    }
    run.more("acknowledged", (double) expected, "writes");
    run.less("acknowledged and lost", (double) lost, "writes");
  }

  @Override
  public List<Goal> goals(Scale scale) {
    return List.of(
        atLeast(5, "writes", "log", "sqlite-bare"),
        most(300, "crash reopen and first get", "log"),
        most(0, "crash acknowledged and lost", "log"));
  }
}
