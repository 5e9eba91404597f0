package dev.coffer.backends.log;

import dev.coffer.vfs.spi.Pin;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A pin that undoes once, on closing, what it holds by. */
final class LogPin implements Pin {
  private final AtomicReference<@Nullable Runnable> undo;

  LogPin(Runnable undo) {
    this.undo = new AtomicReference<>(undo);
  }

  @Override
  public void close() {
    Runnable once = undo.getAndSet(null);
    if (once != null) {
      once.run();
    }
  }
}
