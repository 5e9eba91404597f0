package dev.coffer.backends.sqlite;

import dev.coffer.vfs.StoreBackendException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreFailedException;
import dev.coffer.vfs.StoreFullException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The one connection that writes, and the turn its users take: commits and slices of staging
 * alternate fairly. Once a failure leaves it unknown what is on the device, it refuses to write.
 * Thread-safe.
 */
final class SqliteWriter {
  /** The write-ahead log is copied back once it holds about this many bytes. */
  private static final long CHECKPOINT_BYTES = 16L * 1024 * 1024;

  /** Above this, readers are waited for so that the log can start over. */
  private static final long RESTART_BYTES = 8 * CHECKPOINT_BYTES;

  private static final int STATE_COLUMNS = 3;

  /** What compaction leaves on a full disk for the deletions that will be logged there. */
  private static final long DELETION_BYTES = 1 << 20;

  private static final int FEWEST_MOVED = 4;

  private static final int LOG_HEADER = 32;
  private static final int FRAME_HEADER = 24;

  /** What is to be done in one transaction. */
  interface Work {
    void run(Transaction transaction) throws SQLException, StoreException;
  }

  private final ReentrantLock turn = new ReentrantLock(true);
  private final Path file;
  private final Statements statements;
  private final ReadPool readers;
  private final long pageLength;
  private boolean full;
  private long uncheckedBytes;
  private volatile Meta meta;
  private volatile @Nullable Throwable failure;

  /**
   * @param statements closed with the writer
   * @param readers told of each write, before and after
   */
  SqliteWriter(Path file, Statements statements, ReadPool readers)
      throws SQLException, StoreException {
    this.file = file;
    this.statements = statements;
    this.readers = readers;
    this.pageLength = statements.numbers(SqliteSql.PAGE_LENGTH, 1)[0];
    statements.run(SqliteSql.SYNCHRONOUS_NORMAL);
    this.meta = Meta.read(statements.get(SqliteSql.SELECT_META));
  }

  /** The store's own row as last committed; not to be changed. */
  Meta meta() {
    return meta;
  }

  Statements statements() {
    return statements;
  }

  /** Runs a section whose transactions no other user of the writer may come between. */
  void lock() {
    turn.lock();
  }

  void unlock() {
    turn.unlock();
  }

  void requireUsable() throws StoreFailedException {
    Throwable cause = failure;
    if (cause != null) {
      throw new StoreFailedException(
          "an earlier write failed, open the store again: store=" + file, cause);
    }
  }

  /**
   * Does some work in a transaction of its own.
   *
   * @param sync whether it is to be on the device, with all before it, when this returns
   * @return the transaction, committed
   */
  Transaction transact(boolean sync, Work work) throws StoreException {
    turn.lock();
    try {
      requireUsable();
      readers.beginWrite();
      try {
        Transaction transaction = new Transaction(statements, meta.copy());
        run(sync, transaction, work);
        meta = transaction.meta;
        checkpointIfDue(transaction.writtenBytes());
        return transaction;
      } finally {
        readers.endWrite();
      }
    } finally {
      turn.unlock();
    }
  }

  private void run(boolean sync, Transaction transaction, Work work) throws StoreException {
    boolean begun = false;
    boolean done = false;
    SQLException error = null;
    try {
      synchronous(sync);
      statements.begin();
      begun = true;
      work.run(transaction);
      transaction.meta.write(statements.get(SqliteSql.WRITE_META));
      statements.commit();
      done = true;
    } catch (SQLException e) {
      error = e;
      throw translate(e);
    } finally {
      if (begun && !done) {
        undo(error);
      }
    }
  }

  private StoreException translate(SQLException e) {
    return SqliteErrors.isTooBig(e)
        ? new StoreBackendException(
            "value is longer than the store takes: max=" + SqliteConnections.MAX_VALUE, e)
        : SqliteErrors.translate(e, file, null);
  }

  /** SQLite takes this pragma only between transactions. */
  private void synchronous(boolean sync) throws SQLException {
    if (sync != full) {
      statements.run(sync ? SqliteSql.SYNCHRONOUS_FULL : SqliteSql.SYNCHRONOUS_NORMAL);
      full = sync;
    }
  }

  /** Rolls back; unless what is stored is then certainly what was before, latches. */
  private void undo(@Nullable SQLException error) {
    try {
      statements.rollback();
    } catch (SQLException e) {
      // After some errors SQLite has rolled back by itself: what is stored will tell.
      if (error != null) {
        error.addSuppressed(e);
      }
    }
    try {
      boolean undone = meta.sameAs(Meta.read(statements.get(SqliteSql.SELECT_META)));
      if (!undone || (error != null && !SqliteErrors.isHarmless(error))) {
        latch(error != null ? error : new IllegalStateException("rollback did not undo"));
      }
    } catch (SQLException | StoreException e) {
      latch(e);
    }
    if (error != null && failure == null && SqliteErrors.isFull(error)) {
      cutLog();
    }
  }

  /** Gives back the room that the frames of an undone transaction take at the log's end. */
  private void cutLog() {
    try {
      long frames = statements.numbers(SqliteSql.CHECKPOINT_STATE, STATE_COLUMNS)[1];
      if (frames > 0) {
        StoreFiles.cutLog(file, LOG_HEADER + frames * (FRAME_HEADER + pageLength));
      }
    } catch (SQLException e) {
      // It was only to give back room; the log is as valid with its end.
    }
  }

  private void latch(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
  }

  boolean isLatched() {
    return failure != null;
  }

  /**
   * Puts every commit so far on the device. A checkpoint would not do: while a view is open it may
   * find nothing to copy, and then forces nothing.
   */
  void force() throws StoreException {
    turn.lock();
    try {
      requireUsable();
      if (meta.forced != meta.sequence) {
        transact(true, transaction -> transaction.meta.forced = transaction.meta.sequence);
      }
    } catch (StoreException e) {
      latch(e);
      throw e;
    } finally {
      turn.unlock();
    }
  }

  /** Copies the log back into the database when it has grown. Commits stand, whatever happens. */
  private void checkpointIfDue(long writtenBytes) {
    uncheckedBytes += writtenBytes;
    if (uncheckedBytes < CHECKPOINT_BYTES) {
      return;
    }
    try {
      long[] state = statements.numbers(SqliteSql.CHECKPOINT_STATE, STATE_COLUMNS);
      long left = pending(state);
      if (left >= CHECKPOINT_BYTES && hasRoomToCheckpoint()) {
        boolean restart = state[1] * pageLength >= RESTART_BYTES;
        left =
            pending(
                statements.numbers(
                    restart ? SqliteSql.CHECKPOINT_RESTART : SqliteSql.CHECKPOINT_PASSIVE,
                    STATE_COLUMNS));
      }
      uncheckedBytes = Math.min(left, CHECKPOINT_BYTES / 2);
    } catch (SQLException e) {
      if (!SqliteErrors.isHarmless(e)) {
        latch(e);
      }
    }
  }

  /**
   * Whether the database can grow to what the log says. A checkpoint tried without that room would
   * take what is left of it, and then no deletion could be logged.
   */
  private boolean hasRoomToCheckpoint() throws SQLException {
    long bytes = statements.numbers(SqliteSql.PAGES, 1)[0] * pageLength;
    return StoreFiles.missingBytes(file, bytes) <= StoreFiles.usableBytes(file);
  }

  private long pending(long[] state) {
    return Math.max(0, state[1] - state[2]) * pageLength;
  }

  /** How many pages the file has that hold nothing. */
  long freePages() throws StoreException {
    return number(SqliteSql.FREE_PAGES);
  }

  /** The length of the database in bytes, its log not counted. */
  long databaseBytes() throws StoreException {
    return number(SqliteSql.PAGES) * pageLength;
  }

  long pageLength() {
    return pageLength;
  }

  private long number(String sql) throws StoreException {
    turn.lock();
    try {
      return statements.numbers(sql, 1)[0];
    } catch (SQLException e) {
      throw SqliteErrors.translate(e, file, null);
    } finally {
      turn.unlock();
    }
  }

  /** Moves up to so many pages from the file's end into free ones and cuts the file. */
  void vacuum(long pages) throws StoreException {
    turn.lock();
    try {
      requireUsable();
      readers.beginWrite();
      try {
        statements.run(SqliteSql.incrementalVacuum(Math.min(pages, movablePages())));
        if (hasRoomToCheckpoint()) {
          statements.numbers(SqliteSql.CHECKPOINT_PASSIVE, STATE_COLUMNS);
        }
      } finally {
        readers.endWrite();
      }
    } catch (SQLException e) {
      if (!SqliteErrors.isHarmless(e)) {
        latch(e);
      } else if (SqliteErrors.isFull(e)) {
        cutLog();
      }
      throw SqliteErrors.translate(e, file, null);
    } finally {
      turn.unlock();
    }
  }

  /** How many pages there is room to log the move of; at least a few, or it throws. */
  private long movablePages() throws SQLException, StoreFullException {
    long usable = StoreFiles.usableBytes(file);
    long frameLength = FRAME_HEADER + pageLength;
    long inUse =
        statements.numbers(SqliteSql.PAGES, 1)[0] - statements.numbers(SqliteSql.FREE_PAGES, 1)[0];
    if (inUse <= usable / 2 / frameLength) {
      return Long.MAX_VALUE; // Cutting off free pages takes no room to speak of.
    }
    long kept = hasRoomToCheckpoint() ? usable / 2 : DELETION_BYTES;
    long movable = (usable - kept) / frameLength;
    if (movable < FEWEST_MOVED) {
      throw new StoreFullException(
          "no room to compact the store, delete more first: usable="
              + usable
              + " kept="
              + kept
              + " store="
              + file);
    }
    return movable;
  }

  /**
   * Leaves one clean file behind, unless the writer is latched; lets go of it in any case. Where
   * there is no room to copy the log back, the log stays beside the store, forced, for the next
   * open. No other connection of this process may be open any more.
   */
  void close() throws StoreException {
    turn.lock();
    try {
      StoreException error = null;
      Statements last = null;
      if (failure == null) {
        try {
          if (hasRoomToCheckpoint()) {
            error = checkpointWholly();
          } else {
            StoreFiles.forceLog(file);
            // SQLite tries a checkpoint where the last connection to be closed can write.
            last = SqliteConnections.open(file, SqliteConnections.Mode.READ);
          }
        } catch (SQLException e) {
          error = SqliteErrors.translate(e, file, null);
        } catch (StoreException e) {
          error = e;
        }
      }
      error = close(statements, error);
      if (last != null) {
        error = close(last, error);
      }
      if (error != null) {
        throw error;
      }
    } finally {
      turn.unlock();
    }
  }

  private @Nullable StoreException close(Statements closing, @Nullable StoreException error) {
    try {
      closing.close();
      return error;
    } catch (SQLException e) {
      return error != null ? error : SqliteErrors.translate(e, file, null);
    }
  }

  /** Forces the log, then copies it back; for lack of room to copy, it is left as it is. */
  private @Nullable StoreException checkpointWholly() throws StoreException {
    try {
      synchronous(true);
      long busy = statements.numbers(SqliteSql.CHECKPOINT_TRUNCATE, STATE_COLUMNS)[0];
      return busy == 0
          ? null
          : new StoreBackendException(
              "store's log could not be copied back, it stays beside the store: store=" + file);
    } catch (SQLException e) {
      if (SqliteErrors.isFull(e)) {
        StoreFiles.forceLog(file);
        return null;
      }
      return SqliteErrors.translate(e, file, null);
    }
  }
}
