package dev.coffer.backends.duckdb;

import dev.coffer.vfs.NotAStoreException;
import dev.coffer.vfs.StoreBackendException;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreFullException;
import dev.coffer.vfs.StoreLockedException;
import dev.coffer.vfs.StoreVersionException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Tells DuckDB's errors, which have words but no codes, in the store's own. */
final class DuckErrors {
  private static final int MESSAGE_LIMIT = 300;
  private static final Pattern VERSIONS =
      Pattern.compile("version number (\\d+), but we can only read versions? (?:between )?(\\d+)");

  private static final Pattern LOCATION = Pattern.compile("in block at location (\\d{1,18})");

  private DuckErrors() {}

  /**
   * Translates an error of a query or of opening.
   *
   * @param path the path of the entry concerned, or null
   */
  static StoreException translate(SQLException e, Path file, @Nullable String path) {
    String text = String.valueOf(e.getMessage());
    String lower = text.toLowerCase(Locale.ROOT);
    String detail = " store=" + file + " duckdb=" + firstLine(text);
    if (lower.contains("could not set lock") || lower.contains("conflicting lock is held")) {
      return new StoreLockedException(
          "store is open for writing: by=another process file=" + file, e);
    }
    if (lower.contains("unique file handle conflict")) {
      return new StoreLockedException("store is open elsewhere:" + detail, e);
    }
    Matcher versions = VERSIONS.matcher(text);
    if (versions.find()) {
      String message = "store's database format is not readable:" + detail;
      return Long.parseUnsignedLong(versions.group(1)) > Long.parseUnsignedLong(versions.group(2))
          ? StoreVersionException.tooNew(message)
          : StoreVersionException.tooOld(message);
    }
    if (lower.contains("not a valid duckdb database")) {
      return new NotAStoreException("file is no DuckDB database:" + detail, e);
    }
    if (lower.contains("no space left") || lower.contains("disk quota exceeded")) {
      return new StoreFullException("no room for the store:" + detail, e);
    }
    if (isDamage(lower)) {
      Matcher location = LOCATION.matcher(text);
      long offset = location.find() ? Long.parseLong(location.group(1)) : -1;
      return new StoreCorruptException(
          "store is damaged:" + (path == null ? "" : " path=" + path) + detail, path, offset, e);
    }
    return new StoreBackendException("DuckDB failed:" + detail, e);
  }

  private static boolean isDamage(String lower) {
    return lower.contains("corrupt")
        || lower.contains("checksum")
        || lower.contains("internal error")
        || lower.contains("fatal error")
        || lower.contains("serialization error")
        || lower.contains("failed to deserialize")
        || lower.contains("out of range")
        || lower.contains("invalidated")
        || lower.contains("catalog error")
        || lower.contains("binder error")
        || lower.contains("parser error")
        || lower.contains("out of memory")
        || lower.contains("could not read enough bytes")
        || lower.contains("could not read all data")
        || lower.contains("wal file")
        || lower.contains("unicode")
        || lower.contains("conversion error");
  }

  /** Whether a statement that failed so leaves an instance that can go on. */
  static boolean isHarmless(SQLException e) {
    String lower = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    return !lower.contains("fatal")
        && !lower.contains("internal error")
        && !lower.contains("invalidated")
        && !lower.contains("io error");
  }

  /** Whether a checkpoint could not be made because of transactions under way. */
  static boolean isBusy(SQLException e) {
    return String.valueOf(e.getMessage()).contains("Cannot CHECKPOINT");
  }

  /** DuckDB appends advice and stack traces to what it says. */
  private static String firstLine(String text) {
    String useful = text;
    int inner = useful.indexOf("\nError: ");
    if (inner >= 0) {
      useful = useful.substring(inner + "\nError: ".length());
    }
    int end = useful.indexOf('\n');
    String line = end < 0 ? useful : useful.substring(0, end);
    return line.length() > MESSAGE_LIMIT ? line.substring(0, MESSAGE_LIMIT) : line;
  }
}
