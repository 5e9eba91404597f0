package dev.coffer.vfs.internal;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** A bounded pool that never blocks: an empty one makes a new object, a full one drops it. */
abstract class BufferPool<T> {
  private final AtomicReferenceArray<@Nullable T> slots;

  /** A pool large enough that threads running at once each find an object. */
  BufferPool() {
    this.slots = new AtomicReferenceArray<>(2 * Runtime.getRuntime().availableProcessors());
  }

  /** Makes an object; not by a lambda, whose bootstrap takes longer than opening a store. */
  abstract T make();

  T borrow() {
    for (int i = 0; i < slots.length(); i++) {
      T object = slots.getPlain(i) == null ? null : slots.getAndSet(i, null);
      if (object != null) {
        return object;
      }
    }
    return make();
  }

  void giveBack(T object) {
    for (int i = 0; i < slots.length(); i++) {
      if (slots.getPlain(i) == null && slots.compareAndSet(i, null, object)) {
        return;
      }
    }
  }
}
