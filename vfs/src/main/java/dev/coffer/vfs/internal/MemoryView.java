package dev.coffer.vfs.internal;

import dev.coffer.vfs.StoreClosedException;
import dev.coffer.vfs.spi.View;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A view of a memory backend: a copy of its state, which nobody changes any more. */
final class MemoryView extends MemoryReader implements View {
  private final MemoryBackend backend;
  private volatile boolean closed;

  MemoryView(MemoryState state, MemoryBackend backend) {
    super(state);
    this.backend = backend;
  }

  @Override
  public long sequence() {
    return state.sequence();
  }

  @Override
  public void close() {
    closed = true;
  }

  @Override
  <T extends @Nullable Object> T read(Supplier<T> reading) throws StoreClosedException {
    if (closed) {
      throw new StoreClosedException("view is closed: sequence=" + state.sequence());
    }
    return backend.read(reading);
  }
}
