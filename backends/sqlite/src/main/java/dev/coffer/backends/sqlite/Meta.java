package dev.coffer.backends.sqlite;

import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.spi.RowHash;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The one row of the {@code meta} table: what is true of the store as a whole, rewritten by every
 * transaction. Mutable, so that a transaction can count on a copy of its own; not thread-safe.
 */
final class Meta {
  private final byte[] storeId;
  private final long created;
  long sequence;

  /** A sequence up to which commits were known to be forced when this was written. */
  long forced;

  long entries;
  long entrySum;
  long propertySum;
  long nextContentId;
  long liveBytes;

  Meta(byte[] storeId, long created) {
    this.storeId = storeId;
    this.created = created;
    this.nextContentId = 1;
  }

  private Meta(Meta other) {
    this(other.storeId, other.created);
    sequence = other.sequence;
    forced = other.forced;
    entries = other.entries;
    entrySum = other.entrySum;
    propertySum = other.propertySum;
    nextContentId = other.nextContentId;
    liveBytes = other.liveBytes;
  }

  Meta copy() {
    return new Meta(this);
  }

  static Meta read(PreparedStatement select) throws SQLException, StoreCorruptException {
    try (ResultSet row = select.executeQuery()) {
      if (!row.next()) {
        throw new StoreCorruptException("store's own row is missing: table=meta");
      }
      byte[] storeId = row.getBytes(1);
      Meta meta = new Meta(storeId == null ? new byte[0] : storeId, row.getLong(2));
      meta.sequence = row.getLong(3);
      meta.forced = row.getLong(4);
      meta.entries = row.getLong(5);
      meta.entrySum = row.getLong(6);
      meta.propertySum = row.getLong(7);
      meta.nextContentId = row.getLong(8);
      meta.liveBytes = row.getLong(9);
      if (row.getLong(10) != meta.hash()) {
        throw new StoreCorruptException(
            "store's own row does not match its hash: table=meta expected="
                + meta.hash()
                + " found="
                + row.getLong(10));
      }
      return meta;
    }
  }

  void write(PreparedStatement replace) throws SQLException {
    replace.setBytes(1, storeId);
    replace.setLong(2, created);
    replace.setLong(3, sequence);
    replace.setLong(4, forced);
    replace.setLong(5, entries);
    replace.setLong(6, entrySum);
    replace.setLong(7, propertySum);
    replace.setLong(8, nextContentId);
    replace.setLong(9, liveBytes);
    replace.setLong(10, hash());
    replace.executeUpdate();
  }

  private long hash() {
    return new RowHash()
        .add(storeId)
        .add(created)
        .add(sequence)
        .add(forced)
        .add(entries)
        .add(entrySum)
        .add(propertySum)
        .add(nextContentId)
        .add(liveBytes)
        .value();
  }

  /** Whether another row says the same. */
  boolean sameAs(@Nullable Meta other) {
    return other != null && Arrays.equals(storeId, other.storeId) && hash() == other.hash();
  }

  /** What a property adds to {@link #propertySum}. */
  static long propertyHash(String name, String value) {
    return new RowHash().add(name).add(value).value();
  }
}
