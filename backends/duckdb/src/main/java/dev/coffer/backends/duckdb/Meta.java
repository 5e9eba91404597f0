package dev.coffer.backends.duckdb;

import dev.coffer.vfs.NotAStoreException;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreVersionException;
import dev.coffer.vfs.spi.RowHash;
import java.security.SecureRandom;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The one row of the {@code meta} table: what is true of the store as a whole, rewritten by every
 * transaction. Mutable, so that a transaction can count on a copy of its own; not thread-safe.
 */
final class Meta {
  static final String MAGIC = "coffer";
  static final int FORMAT = 1;
  private static final int STORE_ID_LENGTH = 16;

  private final byte[] storeId;
  long sequence;
  long entries;

  /** The sum of all rows' hashes, so that a lost row shows. */
  long entrySum;

  long propertySum;
  long nextContent = 1;

  /** About how many bytes all rows take, dead content included. */
  long storedBytes;

  private Meta(byte[] storeId) {
    this.storeId = storeId;
  }

  /** That of a new store. */
  static Meta create() {
    byte[] id = new byte[STORE_ID_LENGTH];
    new SecureRandom().nextBytes(id);
    return new Meta(id);
  }

  Meta copy() {
    Meta copy = new Meta(storeId);
    copy.sequence = sequence;
    copy.entries = entries;
    copy.entrySum = entrySum;
    copy.propertySum = propertySum;
    copy.nextContent = nextContent;
    copy.storedBytes = storedBytes;
    return copy;
  }

  static Meta read(Session session) throws SQLException, StoreException {
    try (ResultSet row = session.prepare(DuckSql.READ_META).executeQuery()) {
      if (!row.next()) {
        throw new StoreCorruptException("store's own row is missing: table=meta");
      }
      if (!MAGIC.equals(row.getString(1))) {
        throw new NotAStoreException("database is no store: table=meta magic is not " + MAGIC);
      }
      int format = row.getInt(2);
      if (format > FORMAT) {
        throw StoreVersionException.tooNew(
            "store's format is too new: known=" + FORMAT + " found=" + format);
      }
      Meta meta = new Meta(Rows.bytes(row, 3, STORE_ID_LENGTH));
      meta.sequence = row.getLong(4);
      meta.entries = row.getLong(5);
      meta.entrySum = row.getLong(6);
      meta.propertySum = row.getLong(7);
      meta.nextContent = row.getLong(8);
      meta.storedBytes = row.getLong(9);
      long found = row.getLong(10);
      if (found != meta.hash() || format != FORMAT || row.next()) {
        throw new StoreCorruptException(
            "store's own row does not match its hash: table=meta expected="
                + meta.hash()
                + " found="
                + found);
      }
      return meta;
    }
  }

  void insert(Session session) throws SQLException {
    PreparedStatement insert = session.prepare(DuckSql.INSERT_META);
    insert.setString(1, MAGIC);
    insert.setInt(2, FORMAT);
    insert.setBytes(3, storeId);
    bind(insert, 4);
    insert.executeUpdate();
  }

  void write(Session session) throws SQLException {
    PreparedStatement update = session.prepare(DuckSql.WRITE_META);
    bind(update, 1);
    update.executeUpdate();
  }

  private void bind(PreparedStatement statement, int first) throws SQLException {
    long[] values = {sequence, entries, entrySum, propertySum, nextContent, storedBytes, hash()};
    for (int i = 0; i < values.length; i++) {
      statement.setLong(first + i, values[i]);
    }
  }

  private long hash() {
    return new RowHash()
        .add(FORMAT)
        .add(storeId)
        .add(sequence)
        .add(entries)
        .add(entrySum)
        .add(propertySum)
        .add(nextContent)
        .add(storedBytes)
        .value();
  }

  /** What a property adds to {@link #propertySum}. */
  static long propertyHash(String name, String value) {
    return new RowHash().add(name).add(value).value();
  }
}
