package dev.coffer.backends.log;

import dev.coffer.vfs.StoreClosedException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Counts calls in flight without making readers contend, so that closing can wait for them.
 * Thread-safe.
 */
final class Gate {
  private static final long PAUSE_NANOS = 100_000;

  private final LongAdder entered = new LongAdder();
  private final LongAdder left = new LongAdder();
  private volatile boolean closed;

  /** Begins a call, to be ended by {@link #leave}. */
  void enter() throws StoreClosedException {
    entered.increment();
    if (closed) {
      left.increment();
      throw new StoreClosedException("store is closed");
    }
  }

  void leave() {
    left.increment();
  }

  /** Lets nobody in any more and waits until all have left. */
  void close() {
    closed = true;
    while (true) {
      long out = left.sum(); // Read first: then equality means nobody was inside in between.
      if (out == entered.sum()) {
        return;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
      if (Thread.interrupted()) {
        closeInterrupted();
        return;
      }
    }
  }

  private void closeInterrupted() {
    try {
      close();
    } finally {
      Thread.currentThread().interrupt();
    }
  }
}
