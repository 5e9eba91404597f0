package dev.coffer.vfs.internal;

import dev.coffer.vfs.StoreBackendException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.PackedChunk;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The threads that pack for a store beside those that call it; started when first needed, ended
 * when idle. Thread-safe.
 */
final class PackWorkers implements AutoCloseable {
  private static final int IDLE_SECONDS = 2;

  private final int count = Runtime.getRuntime().availableProcessors();
  private @Nullable ThreadPoolExecutor pool;
  private boolean closed;

  /** How many tasks keep all threads busy. */
  int count() {
    return count;
  }

  /** Packs a chunk there; in the caller's thread if all are busy and enough wait. */
  Future<PackedChunk> submit(Callable<PackedChunk> task) {
    FutureTask<PackedChunk> future = new FutureTask<>(task);
    ThreadPoolExecutor executor = pool();
    if (executor == null) {
      future.run();
    } else {
      executor.execute(future);
    }
    return future;
  }

  private synchronized @Nullable ThreadPoolExecutor pool() {
    if (pool == null && !closed) {
      ThreadPoolExecutor made =
          new ThreadPoolExecutor(
              count,
              count,
              IDLE_SECONDS,
              TimeUnit.SECONDS,
              new ArrayBlockingQueue<>(2 * count),
              PackWorkers::thread,
              new ThreadPoolExecutor.CallerRunsPolicy());
      made.allowCoreThreadTimeOut(true);
      pool = made;
    }
    return pool;
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "coffer-pack");
    thread.setDaemon(true);
    return thread;
  }

  /** Waits for a chunk, and ignores interrupts until it is packed; they stay noted. */
  static PackedChunk await(Future<PackedChunk> future) throws StoreException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return future.get();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof StoreException failed) {
        throw failed;
      }
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw new StoreBackendException("cannot pack content", e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Takes no more tasks; those begun end. */
  @Override
  public synchronized void close() {
    closed = true;
    if (pool != null) {
      pool.shutdown();
    }
  }
}
