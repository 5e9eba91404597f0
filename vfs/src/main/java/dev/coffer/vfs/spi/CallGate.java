package dev.coffer.vfs.spi;

import dev.coffer.vfs.StoreClosedException;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Lets calls in until it is closed, and lets closing wait for those inside: closing a native
 * connection while another thread runs a statement on it can take the JVM down. Thread-safe.
 */
public final class CallGate {
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final String what;
  private boolean closed;

  /** An open gate; {@code what} names the store in messages. */
  public CallGate(String what) {
    this.what = what;
  }

  /** To be followed by {@link #leave}, unless it throws. */
  public void enter() throws StoreClosedException {
    lock.readLock().lock();
    if (closed) {
      lock.readLock().unlock();
      throw new StoreClosedException("store is closed: store=" + what);
    }
  }

  /** Ends what {@link #enter} began, on the same thread. */
  public void leave() {
    lock.readLock().unlock();
  }

  /** Waits for the calls inside, and answers whether this call was the one that closed. */
  public boolean close() {
    lock.writeLock().lock();
    try {
      boolean first = !closed;
      closed = true;
      return first;
    } finally {
      lock.writeLock().unlock();
    }
  }
}
