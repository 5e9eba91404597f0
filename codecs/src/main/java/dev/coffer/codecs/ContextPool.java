package dev.coffer.codecs;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Native contexts waiting to be used again: a fixed array of slots and no lock. A borrower takes a
 * context out of any slot, or makes a new one when all are empty, so nobody ever waits; a context
 * that finds no empty slot on its way back is closed, so what idles is bounded.
 *
 * <p>Closing needs no count of the borrowed: a context given back to a closed pool is closed, and
 * one that slipped into a slot while the pool closed is drained by the thread that put it there.
 */
final class ContextPool<C extends NativeContext> {

  /** Makes a context. */
  interface Factory<C> {
    C make() throws CodecException;
  }

  private final Factory<C> factory;
  private final AtomicReferenceArray<C> slots;
  private final AtomicLong created = new AtomicLong();
  private final AtomicLong freed = new AtomicLong();
  private volatile boolean closed;

  ContextPool(int slotCount, Factory<C> factory) {
    this.slots = new AtomicReferenceArray<>(slotCount);
    this.factory = factory;
  }

  /**
   * A context that no other thread has; it must be given back.
   *
   * @throws IllegalStateException if the pool is closed
   */
  C borrow() throws CodecException {
    requireOpen();
    int length = slots.length();
    int start = start(length);
    for (int i = 0; i < length; i++) {
      int index = start + i < length ? start + i : start + i - length;
      if (slots.get(index) != null) {
        C context = slots.getAndSet(index, null);
        if (context != null) {
          return context;
        }
      }
    }
    C context = factory.make();
    created.incrementAndGet();
    return context;
  }

  void giveBack(C context) {
    if (!closed) {
      int length = slots.length();
      int start = start(length);
      for (int i = 0; i < length; i++) {
        int index = start + i < length ? start + i : start + i - length;
        if (slots.get(index) == null && slots.compareAndSet(index, null, context)) {
          if (closed) {
            drain();
          }
          return;
        }
      }
    }
    free(context);
  }

  void requireOpen() {
    if (closed) {
      throw new IllegalStateException("codec is closed: name=" + Codecs.ZSTD);
    }
  }

  void close() {
    closed = true;
    drain();
  }

  /** How many contexts were ever made. */
  long created() {
    return created.get();
  }

  /** How many contexts were closed. */
  long freed() {
    return freed.get();
  }

  /** How many contexts lie in slots. */
  int idle() {
    int idle = 0;
    for (int i = 0; i < slots.length(); i++) {
      if (slots.get(i) != null) {
        idle++;
      }
    }
    return idle;
  }

  private void drain() {
    for (int i = 0; i < slots.length(); i++) {
      C context = slots.getAndSet(i, null);
      if (context != null) {
        free(context);
      }
    }
  }

  private void free(C context) {
    context.close();
    freed.incrementAndGet();
  }

  /** Threads begin at different slots, so that they seldom meet, and find their last one warm. */
  private static int start(int length) {
    return (int) Long.remainderUnsigned(Thread.currentThread().getId(), length);
  }
}
