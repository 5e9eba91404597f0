package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Forces BUFFERED commits a second after the first of them, in a thread of its own that exists only
 * once there are such commits. Thread-safe.
 */
final class BufferWindow {
  private static final long WINDOW_MILLIS = 1000;

  private final Live live;
  private @Nullable ScheduledThreadPoolExecutor timer;
  private boolean open;
  private boolean closed;

  /** Forces the log of a store. */
  BufferWindow(Live live) {
    this.live = live;
  }

  /** A commit was buffered: within a second it will be forced. */
  synchronized void open() {
    if (open || closed) {
      return;
    }
    if (timer == null) {
      timer = new ScheduledThreadPoolExecutor(1, BufferWindow::thread);
    }
    open = true;
    var unused = timer.schedule(this::expire, WINDOW_MILLIS, TimeUnit.MILLISECONDS);
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "coffer-log-window");
    thread.setDaemon(true);
    return thread;
  }

  private void expire() {
    synchronized (this) {
      open = false;
      if (closed) {
        return;
      }
    }
    try {
      live.force();
    } catch (StoreException e) {
      retry();
    }
  }

  /**
   * A full device may have room again; a failed force has latched, and whoever writes next learns.
   */
  private void retry() {
    open();
  }

  /** Forces nothing any more; waits for nobody. */
  synchronized void close() {
    closed = true;
    if (timer != null) {
      timer.shutdownNow();
    }
  }
}
