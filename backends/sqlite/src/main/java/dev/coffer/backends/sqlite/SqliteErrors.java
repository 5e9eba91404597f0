package dev.coffer.backends.sqlite;

import dev.coffer.vfs.StoreBackendException;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreFullException;
import dev.coffer.vfs.StoreLockedException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Tells SQLite's result codes in the store's own words. */
final class SqliteErrors {
  private static final int BUSY = 5;
  private static final int LOCKED = 6;
  private static final int CORRUPT = 11;
  private static final int FULL = 13;
  private static final int PROTOCOL = 15;
  private static final int TOO_BIG = 18;
  private static final int CONSTRAINT = 19;
  private static final int MISMATCH = 20;
  private static final int NOT_A_DATABASE = 26;

  private SqliteErrors() {}

  /**
   * @param file the store's file
   * @param path the path of the entry concerned, or null
   */
  static StoreException translate(SQLException e, Path file, @Nullable String path) {
    String where = path == null ? "" : " path=" + path;
    String detail = " store=" + file + " sqlite=" + e.getMessage();
    return switch (code(e)) {
      case FULL -> new StoreFullException("no room for the store:" + where + detail, e);
      case CORRUPT, TOO_BIG, CONSTRAINT, MISMATCH, NOT_A_DATABASE ->
          new StoreCorruptException("store is damaged:" + where + detail, path, -1, e);
      case BUSY, LOCKED, PROTOCOL ->
          new StoreLockedException("store is locked by another user of the file:" + detail, e);
      default -> new StoreBackendException("SQLite failed:" + where + detail, e);
    };
  }

  /**
   * Whether a transaction that failed so may be undone and forgotten. After anything else, an I/O
   * error above all, nobody knows what is on the device.
   */
  static boolean isHarmless(SQLException e) {
    return switch (code(e)) {
      case FULL, BUSY, LOCKED, TOO_BIG, CONSTRAINT, MISMATCH -> true;
      default -> false;
    };
  }

  /** Whether a value given was longer than SQLite was told to take. */
  static boolean isTooBig(SQLException e) {
    return code(e) == TOO_BIG;
  }

  /** Whether it failed for lack of room, so that it may work later. */
  static boolean isFull(SQLException e) {
    return code(e) == FULL;
  }

  private static int code(SQLException e) {
    // The log's index lies in a file of its own, whose growth has a code of its own.
    if (e instanceof SQLiteException known
        && known.getResultCode() == SQLiteErrorCode.SQLITE_IOERR_SHMSIZE) {
      return FULL;
    }
    return e.getErrorCode() & 0xff;
  }
}
