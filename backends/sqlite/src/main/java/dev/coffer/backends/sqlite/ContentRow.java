package dev.coffer.backends.sqlite;

import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.spi.PackedChunk;
import dev.coffer.vfs.spi.RowHash;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A row of the {@code content} table. Its check is a 62-bit hash of what never changes plus the
 * count of references, so that counting changes both columns by the same number.
 */
record ContentRow(
    long id,
    long refs,
    boolean page,
    int codec,
    long dictionary,
    int plainLength,
    int packedLength,
    int checksum) {

  /** How many columns {@link #read} takes. */
  static final int COLUMNS = 8;

  static ContentRow of(long id, long refs, PackedChunk chunk) {
    return new ContentRow(
        id,
        refs,
        chunk.page(),
        chunk.codecId(),
        chunk.dictionaryId(),
        chunk.plainLength(),
        chunk.length(),
        chunk.checksum());
  }

  /** Reads the first columns of a row and checks them. */
  static ContentRow read(ResultSet row, long id) throws SQLException, StoreCorruptException {
    try {
      ContentRow read =
          new ContentRow(
              id,
              row.getLong(1),
              row.getLong(2) != 0,
              Math.toIntExact(row.getLong(3)),
              row.getLong(4),
              Math.toIntExact(row.getLong(5)),
              Math.toIntExact(row.getLong(6)),
              Math.toIntExact(row.getLong(7)));
      long found = row.getLong(8);
      if (found != read.check() || read.plainLength < 0 || read.packedLength < 0) {
        throw new StoreCorruptException(
            "content's check does not match: id="
                + id
                + " expected="
                + read.check()
                + " found="
                + found);
      }
      return read;
    } catch (ArithmeticException e) {
      throw new StoreCorruptException("content holds a value out of range: id=" + id, null, -1, e);
    }
  }

  long check() {
    long hash =
        new RowHash()
            .add(id)
            .add(page ? 1 : 0)
            .add(codec)
            .add(dictionary)
            .add(plainLength)
            .add(packedLength)
            .add(checksum)
            .value();
    return (hash >>> 2) + refs;
  }

  /** Sets all parameters of {@link SqliteSql#INSERT_CONTENT}. */
  void bind(PreparedStatement statement) throws SQLException {
    statement.setLong(1, refs);
    statement.setInt(2, page ? 1 : 0);
    statement.setInt(3, codec);
    statement.setLong(4, dictionary);
    statement.setInt(5, plainLength);
    statement.setInt(6, packedLength);
    statement.setInt(7, checksum);
    statement.setLong(8, check());
    statement.setLong(9, id);
  }
}
