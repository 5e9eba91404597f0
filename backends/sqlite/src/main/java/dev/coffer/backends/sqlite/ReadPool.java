package dev.coffer.backends.sqlite;

import dev.coffer.vfs.StoreException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a few idle read connections, and never makes anyone wait for one: a burst opens more, which
 * are closed when they come back. Thread-safe.
 */
final class ReadPool {
  private final Path file;
  private final boolean immutable;
  private final int maxIdle = Math.max(4, Math.min(16, Runtime.getRuntime().availableProcessors()));
  private final Deque<ReadSession> idle = new ArrayDeque<>();
  private boolean closed;

  ReadPool(Path file, boolean immutable) {
    this.file = file;
    this.immutable = immutable;
  }

  ReadSession borrow() throws StoreException {
    ReadSession session = poll();
    return session != null ? session : ReadSession.open(file, immutable);
  }

  private synchronized @Nullable ReadSession poll() {
    return idle.pollLast();
  }

  /**
   * Takes a session back.
   *
   * @param reusable whether nothing went wrong on it
   */
  void giveBack(ReadSession session, boolean reusable) {
    synchronized (this) {
      if (reusable && !closed && idle.size() < maxIdle) {
        idle.addLast(session);
        return;
      }
    }
    closeQuietly(session);
  }

  /** Closes the idle sessions now, and the others as they come back. */
  void close() {
    ReadSession session;
    synchronized (this) {
      closed = true;
    }
    while ((session = poll()) != null) {
      closeQuietly(session);
    }
  }

  private static void closeQuietly(ReadSession session) {
    try {
      session.close();
    } catch (SQLException e) {
      // It only read: there is nothing to lose, and nobody to tell.
    }
  }
}
