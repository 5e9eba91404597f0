package dev.coffer.vfs.spi;

import dev.coffer.vfs.StoreClosedException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets calls in until it is closed, and lets closing wait for those inside: closing a native
 * connection while another thread runs a statement on it can take the JVM down. Counts calls
 * without making their threads contend. Thread-safe.
 */
public final class CallGate {
  private static final long PAUSE_NANOS = 100_000;

  private final String what;
  private final LongAdder entered = new LongAdder();
  private final LongAdder left = new LongAdder();
  private final AtomicBoolean closed = new AtomicBoolean();

  /** An open gate; {@code what} names the store in messages. */
  public CallGate(String what) {
    this.what = what;
  }

  /** To be followed by {@link #leave}, unless it throws. */
  public void enter() throws StoreClosedException {
    entered.increment(); // First: whoever closes either sees this call or is seen by it.
    if (closed.get()) {
      left.increment();
      throw new StoreClosedException("store is closed: store=" + what);
    }
  }

  /** Ends what {@link #enter} began. */
  public void leave() {
    left.increment();
  }

  /**
   * Lets nobody in any more, waits for the calls inside, whatever interrupts, and answers whether
   * this call was the one that closed.
   */
  public boolean close() {
    boolean first = closed.compareAndSet(false, true);
    boolean interrupted = false;
    while (true) {
      long out = left.sum(); // Read first: then equality means nobody was inside in between.
      if (out == entered.sum()) {
        break;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return first;
  }
}
