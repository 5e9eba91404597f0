package dev.coffer.backends.duckdb;

import dev.coffer.vfs.StoreCorruptException;
import java.sql.Blob;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Takes values out of rows without trusting them. */
final class Rows {
  private Rows() {}

  /** A BLOB of at most {@code limit} bytes, or null; the length is looked at before any copy. */
  static byte @Nullable [] bytesOrNull(ResultSet row, int column, int limit)
      throws SQLException, StoreCorruptException {
    Blob blob = row.getBlob(column);
    if (blob == null) {
      return null;
    }
    long length = blob.length();
    if (length > limit) {
      throw new StoreCorruptException(
          "a value is too long: length=" + length + " limit=" + limit + " column=" + column);
    }
    return length == 0 ? new byte[0] : blob.getBytes(1, (int) length);
  }

  static byte[] bytes(ResultSet row, int column, int limit)
      throws SQLException, StoreCorruptException {
    byte[] bytes = bytesOrNull(row, column, limit);
    if (bytes == null) {
      throw new StoreCorruptException("a value is missing: column=" + column);
    }
    return bytes;
  }
}
