package dev.coffer.vfs.internal;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A bounded pool that never blocks: an empty one makes a new object, a full one drops it. */
final class BufferPool<T> {
  private final AtomicReferenceArray<@Nullable T> slots;
  private final Supplier<T> maker;

  BufferPool(int size, Supplier<T> maker) {
    this.slots = new AtomicReferenceArray<>(size);
    this.maker = maker;
  }

  /** A pool large enough that threads running at once each find an object. */
  static <T> BufferPool<T> perProcessor(Supplier<T> maker) {
    return new BufferPool<>(2 * Runtime.getRuntime().availableProcessors(), maker);
  }

  T borrow() {
    for (int i = 0; i < slots.length(); i++) {
      T object = slots.getPlain(i) == null ? null : slots.getAndSet(i, null);
      if (object != null) {
        return object;
      }
    }
    return maker.get();
  }

  void giveBack(T object) {
    for (int i = 0; i < slots.length(); i++) {
      if (slots.getPlain(i) == null && slots.compareAndSet(i, null, object)) {
        return;
      }
    }
  }
}
