package dev.coffer.cli;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A few threads with a bounded queue: submitting waits while they are behind. The first failure of
 * any piece of work comes out at the next call.
 */
final class Workers implements Closeable {
  private static final int MAX_THREADS = 8;
  private static final int QUEUED_PER_THREAD = 4;

  /** A piece of work. */
  interface Work {
    void run() throws IOException;
  }

  private final int permits;
  private final Semaphore room;
  private final ExecutorService threads;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  Workers(String name) {
    int count = Math.min(Runtime.getRuntime().availableProcessors(), MAX_THREADS);
    permits = count * QUEUED_PER_THREAD;
    room = new Semaphore(permits);
    threads =
        Executors.newFixedThreadPool(
            count,
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            });
  }

  void submit(Work work) throws IOException {
    room.acquireUninterruptibly();
    check();
    threads.execute(() -> perform(work));
  }

  private void perform(Work work) {
    try {
      work.run();
    } catch (IOException | RuntimeException | Error e) {
      failure.compareAndSet(null, e);
    } finally {
      room.release();
    }
  }

  /** Waits for everything submitted. */
  void await() throws IOException {
    room.acquireUninterruptibly(permits);
    room.release(permits);
    check();
  }

  private void check() throws IOException {
    Throwable first = failure.get();
    if (first instanceof IOException io) {
      throw io;
    }
    if (first instanceof RuntimeException runtime) {
      throw runtime;
    }
    if (first instanceof Error error) {
      throw error;
    }
  }

  /** Lets what runs end, and drops the rest. */
  @Override
  public void close() {
    threads.shutdown();
    boolean ended = false;
    boolean interrupted = false;
    while (!ended) {
      try {
        ended = threads.awaitTermination(1, TimeUnit.DAYS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
