package dev.coffer.bench.workloads;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs work in several threads that start together. */
final class Threads {
  /** What one thread does. */
  @FunctionalInterface
  interface Work {
    void run(int thread) throws Exception;
  }

  private Threads() {}

  /** Waits for all; answers the time from the start to the last one's end in ns. */
  static long run(int count, Work work) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(count);
    CountDownLatch ready = new CountDownLatch(count);
    CountDownLatch start = new CountDownLatch(1);
    List<Future<?>> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int thread = i;
      Callable<Void> task =
          () -> {
            ready.countDown();
            start.await();
            work.run(thread);
            return null;
          };
      all.add(pool.submit(task));
    }
    ready.await();
    long begun = System.nanoTime();
    start.countDown();
    try {
      for (Future<?> one : all) {
        one.get();
      }
      return System.nanoTime() - begun;
    } finally {
      pool.shutdownNow();
    }
  }
}
