package dev.coffer.bench.workloads;

import java.util.List;
import java.util.Locale;

/** The workloads by id. */
public final class Workloads {
  /** All, in the order of their numbers. */
  public static final List<Workload> ALL =
      List.of(new BatchedIngest(), new WarmReads(), new BulkPointScan());

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
