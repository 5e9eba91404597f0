package dev.coffer.backends.duckdb;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreFailedException;
import dev.coffer.vfs.StoreFullException;
import dev.coffer.vfs.spi.PinRegistry;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Begins, commits and undoes what is written, latches where that is in doubt, and deletes dead
 * content. Everything but {@link #meta} and {@link #isSound} is for the one thread that writes.
 */
final class Transactions {
  /** How long the log may grow while a view keeps it from being folded in: DuckDB holds it all. */
  private static final long MOST_LOG = 192 << 20;

  /** The log is folded into the file when it is this long; what it holds is also in memory. */
  private static final long LOG_LIMIT = 16 << 20;

  /** Content that lost its references is deleted when there is so much of it. */
  private static final int MOST_SUSPECTS = 4096;

  /** Room that must be left over, since DuckDB does not survive a full disk. */
  private static final long SPARE_BYTES = 16 << 20;

  private final StoreFiles files;
  private final DuckConnections connections;
  private final PinRegistry pins;
  private final Set<Long> suspects = new HashSet<>();

  /** Replaced, never changed. */
  private volatile Meta meta;

  private volatile @Nullable Exception failure;

  Transactions(StoreFiles files, DuckConnections connections, PinRegistry pins, Meta meta) {
    this.files = files;
    this.connections = connections;
    this.pins = pins;
    this.meta = meta;
  }

  /** What one transaction does. */
  interface Work<T> {
    T run(DuckWriter writer) throws SQLException, StoreException;
  }

  /** The store's own row as of the last commit; not to be changed. */
  Meta meta() {
    return meta;
  }

  boolean isSound() {
    return failure == null;
  }

  void requireSound() throws StoreFailedException {
    Exception cause = failure;
    if (cause != null) {
      throw new StoreFailedException(
          "store takes no more writes since one failed: store=" + files.file(), cause);
    }
  }

  /** Refuses a write there is no room for, before anything happens. */
  void requireRoom(long bytes) throws StoreException {
    if (files.logBytes() >= MOST_LOG) {
      checkpoint();
      if (files.logBytes() >= MOST_LOG) {
        throw new StoreFullException(
            "too much was written beside an open view: logBytes="
                + files.logBytes()
                + " limit="
                + MOST_LOG
                + " store="
                + files.file());
      }
    }
    long usable = files.usableBytes();
    long needed = 2 * bytes + SPARE_BYTES;
    if (usable < needed) {
      throw new StoreFullException(
          "no room for the store: needed="
              + needed
              + " usable="
              + usable
              + " store="
              + files.file());
    }
  }

  /** Runs a transaction that writes, whole or not at all. */
  <T> T run(Work<T> work) throws StoreException {
    Session session = connections.writer();
    DuckWriter writer = new DuckWriter(session, meta.copy());
    T result;
    try {
      session.execute(DuckSql.BEGIN);
      result = work.run(writer);
    } catch (SQLException e) {
      boolean undone = undo(session, e, DuckErrors.isHarmless(e));
      throw undone ? DuckErrors.translate(e, files.file(), null) : failed(e);
    } catch (StoreException | RuntimeException e) {
      undo(session, e, true);
      throw e;
    }
    try {
      session.execute(DuckSql.COMMIT);
    } catch (SQLException e) {
      throw fail(e);
    }
    meta = writer.meta();
    suspects.addAll(writer.decremented());
    return result;
  }

  /** Rolls back; unless that works after a harmless error, the store takes no more writes. */
  private boolean undo(Session session, Exception cause, boolean harmless) {
    try {
      session.execute(DuckSql.ROLLBACK);
    } catch (SQLException e) {
      cause.addSuppressed(e);
      failure = cause;
    }
    if (!harmless) {
      failure = cause;
    }
    return failure == null;
  }

  /** Takes no more writes from now on. */
  void latch(Exception cause) {
    failure = cause;
  }

  /** Latches, and answers what to throw. */
  StoreFailedException fail(SQLException e) {
    failure = e;
    return failed(e);
  }

  private StoreFailedException failed(SQLException e) {
    return new StoreFailedException(
        "a write failed, and the store takes no more: store="
            + files.file()
            + " cause="
            + DuckErrors.translate(e, files.file(), null).getMessage(),
        e);
  }

  /** What is due after a transaction. Whatever fails here leaves the transaction as it is. */
  void tidy() {
    try {
      if (suspects.size() >= MOST_SUSPECTS) {
        sweepSuspects();
      }
      if (files.logBytes() >= LOG_LIMIT) {
        checkpoint();
      }
    } catch (StoreException e) {
      if (failure == null) {
        failure = e;
      }
    }
  }

  /** Folds the log into the file, unless a view is in the way. */
  void checkpoint() throws StoreException {
    try {
      connections.writer().execute(DuckSql.CHECKPOINT);
    } catch (SQLException e) {
      if (DuckErrors.isBusy(e)) {
        return; // A view still needs what was there before; the next checkpoint will do.
      }
      throw fail(e);
    }
  }

  /** Deletes what lost its references lately. */
  void sweepSuspects() throws StoreException {
    sweep(suspects);
  }

  /** Deletes all content without references, orphans of staging included. */
  void sweepAll() throws StoreException {
    sweep(null);
  }

  /** Deletes dead content among some ids, or all there is. */
  private void sweep(@Nullable Set<Long> among) throws StoreException {
    Set<Long> left = among == null ? null : new HashSet<>(among);
    while (connections.read(null, session -> hasDead(session, left))) {
      Set<Long> swept = run(writer -> writer.sweep(left, pins));
      pins.settle(swept);
      suspects.removeAll(swept);
      if (swept.isEmpty()) {
        return;
      }
      if (left != null) {
        left.removeAll(swept);
        left.addAll(suspects);
      }
    }
  }

  private static boolean hasDead(Session session, @Nullable Set<Long> among) throws SQLException {
    try (ResultSet rows = session.prepare(DuckSql.LIST_DEAD_CONTENT).executeQuery()) {
      while (rows.next()) {
        if (among == null || among.contains(rows.getLong(1))) {
          return true;
        }
      }
    }
    return false;
  }
}
