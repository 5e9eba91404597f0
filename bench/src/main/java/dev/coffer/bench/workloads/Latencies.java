package dev.coffer.bench.workloads;

import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Durations of one kind of call. Thread-safe. */
final class Latencies {
  private final Histogram histogram = new ConcurrentHistogram(3);

  /** Adds the time since a moment of {@link System#nanoTime}. */
  void since(long start) {
    histogram.recordValue(System.nanoTime() - start);
  }

  /** The median, the 99th percentile and the worst, as figures. */
  void report(PhaseRun run, String name) {
    run.less(name + " p50", histogram.getValueAtPercentile(50) / 1e3, "us");
    run.less(name + " p99", histogram.getValueAtPercentile(99) / 1e3, "us");
    run.less(name + " max", histogram.getMaxValue() / 1e6, "ms");
  }
}
