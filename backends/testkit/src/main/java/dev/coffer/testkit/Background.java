package dev.coffer.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Tasks running beside a test. */
final class Background<T> implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 120;

  private final List<Thread> threads = new ArrayList<>();
  private final List<FutureTask<T>> tasks = new ArrayList<>();

  Background(List<Callable<T>> callables) {
    for (Callable<T> callable : callables) {
      FutureTask<T> task = new FutureTask<>(callable);
      Thread thread = new Thread(task, "testkit-" + threads.size());
      thread.setDaemon(true);
      tasks.add(task);
      threads.add(thread);
      thread.start();
    }
  }

  /** Waits for all, and throws what one of them threw. */
  List<T> join() throws Exception {
    List<T> results = new ArrayList<>();
    for (FutureTask<T> task : tasks) {
      try {
        results.add(task.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
      } catch (ExecutionException e) {
        if (e.getCause() instanceof Error error) {
          throw error;
        }
        throw (Exception) e.getCause();
      } catch (TimeoutException e) {
        throw new AssertionError("a background task hangs", e);
      }
    }
    return results;
  }

  @Override
  public void close() {
    threads.forEach(Thread::interrupt);
  }
}
