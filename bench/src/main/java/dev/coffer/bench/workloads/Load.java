package dev.coffer.bench.workloads;

import dev.coffer.bench.peers.Engine;
import dev.coffer.bench.peers.EngineOptions;

/**
 * Writes values of one length in batches. Keys and values are made outside its timer.
 *
 * @param keys the keys
 * @param values the values, of version 0
 * @param length the length of each value
 * @param batch how many in a commit
 */
record Load(Keys keys, Values values, int length, int batch) {
  /** Enough for every engine to open it in the way it opens larger stores. */
  private static final int WARM_COUNT = 2000;

  private static final long WARM_BYTES = 4L * 1024 * 1024;

  /**
   * Creates, reads and opens again a small store, so that classes and native code are loaded: a
   * fresh JVM's own time hides what opening costs.
   *
   * @param options how it is opened again
   */
  void warmOpening(PhaseRun run, EngineOptions options) throws Exception {
    int count = (int) Math.max(1, Math.min(WARM_COUNT, WARM_BYTES / length));
    Load together = new Load(keys, values, length, count);
    try (Engine engine = run.openScratch(options)) {
      together.run(engine, 0, count);
      values.check(engine.get(keys.key(0)), 0, 0, length);
    }
    try (Engine engine = run.reopenScratch(options)) {
      values.check(engine.get(keys.key(0)), 0, 0, length);
    }
    run.endScratch();
  }

  /**
   * Writes the values of indexes [from, from + count); answers the time inside the engine in ns.
   */
  long run(Engine engine, long from, int count) throws Exception {
    long nanos = 0;
    for (int done = 0; done < count; ) {
      int part = Math.min(batch, count - done);
      String[] names = keys.range(from + done, part);
      byte[][] contents = values.range(from + done, part, 0, length);
      long start = System.nanoTime();
      engine.write(names, contents);
      nanos += System.nanoTime() - start;
      done += part;
    }
    return nanos;
  }
}
