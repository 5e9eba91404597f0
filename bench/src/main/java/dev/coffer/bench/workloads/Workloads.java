package dev.coffer.bench.workloads;

import java.util.List;
import java.util.Locale;

/** The workloads by id. */
public final class Workloads {
  /** All, in the order of their numbers. */
  public static final List<Workload> ALL =
      List.of(
          new SizeByCadence(),
          new BackendsByCadence(),
          new BatchedIngest(),
          new WarmReads(),
          new Churn(),
          new Overwriting(),
          new ColdReads(),
          new OrderedMap(),
          new ForcedInserts(),
          new YcsbWorkload(),
          new GroupCommit(),
          new BulkPointScan(),
          new OpenLadder(),
          new LargeLoad(),
          new CrashRecovery());

  /** For workloads of whole files that do not scan. */
  static final List<String> ENGINES_OF_FILES =
      List.of(
          "log",
          "sqlite",
          "duckdb",
          "sqlite-bare",
          "sqlite-tuned",
          "rocksdb",
          "lmdb",
          "mvstore",
          "files",
          "zipfs",
          "bare");

  private Workloads() {}

  /**
   * The workload with an id, such as {@code w5}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Workload named(String id) {
    String wanted = id.toUpperCase(Locale.ROOT);
    return ALL.stream()
        .filter(workload -> workload.id().equals(wanted))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no such workload: id="
                        + id
                        + " known="
                        + ALL.stream().map(Workload::id).toList()));
  }
}
