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
 *
 * <p>While nobody writes, a session stays in the read transaction of its first query: beginning and
 * ending one takes several system calls, more than a look-up. A write ends those of idle sessions
 * before it begins, and none is kept while it runs, so that its checkpoint finds no reader that is
 * not reading.
 */
final class ReadPool {
  private final Path file;
  private final boolean immutable;
  private final int maxIdle = Math.max(4, Math.min(16, Runtime.getRuntime().availableProcessors()));
  private final Deque<ReadSession> idle = new ArrayDeque<>();
  private boolean closed;

  /** How many writes began and ended: odd while one runs. */
  private volatile long writes;

  ReadPool(Path file, boolean immutable) {
    this.file = file;
    this.immutable = immutable;
  }

  ReadSession borrow() throws StoreException {
    ReadSession session = poll();
    return session != null ? session : ReadSession.open(file, immutable);
  }

  /**
   * A session that sees every write that has ended, for one query; its caller gives it back.
   *
   * @throws SQLException from the session, which is closed
   */
  ReadSession borrowForQuery() throws StoreException, SQLException {
    ReadSession session = borrow();
    long seen = writes;
    try {
      if (seen % 2 == 0) {
        session.keepSnapshot(seen);
      } else {
        session.endSnapshot();
      }
      return session;
    } catch (SQLException e) {
      closeQuietly(session);
      throw e;
    }
  }

  /** A write begins: called by one thread at a time, which calls {@link #endWrite} next. */
  synchronized void beginWrite() {
    writes++;
    idle.removeIf(session -> !leavesSnapshot(session));
  }

  /** The write ended: it is seen by whoever borrows from now on. */
  synchronized void endWrite() {
    writes++;
  }

  private boolean leavesSnapshot(ReadSession session) {
    try {
      session.endSnapshot();
      return true;
    } catch (SQLException e) {
      closeQuietly(session);
      return false;
    }
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
    if (!reusable || !keep(session)) {
      closeQuietly(session);
    }
  }

  private synchronized boolean keep(ReadSession session) {
    if (closed || idle.size() >= maxIdle) {
      return false;
    }
    if (!session.keepsSnapshot(writes) && !leavesSnapshot(session)) {
      return true; // Closed already.
    }
    idle.addLast(session);
    return true;
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
