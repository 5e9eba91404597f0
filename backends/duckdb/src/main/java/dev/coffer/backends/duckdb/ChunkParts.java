package dev.coffer.backends.duckdb;

import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.spi.ChunkBuffer;
import dev.coffer.vfs.spi.PackedChunk;
import dev.coffer.vfs.spi.RowHash;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import org.duckdb.DuckDBAppender;

/**
 * How a chunk lies in the {@code chunk} table: cut into parts of {@link #LENGTH} bytes, a row each.
 * DuckDB keeps whole groups of 2,048 rows in memory at a checkpoint, so rows must be short. What is
 * cut is a header and the packed bytes, big-endian:
 *
 * <pre>
 *   0      8      9       13           21            25             29         33
 *   +------+------+-------+------------+-------------+--------------+----------+-- ...
 *   | hash | page | codec | dictionary | plainLength | packedLength | checksum | packed
 *   +------+------+-------+------------+-------------+--------------+----------+-- ...
 * </pre>
 *
 * <p>The hash covers the id and the header after it; the store compares the checksum.
 */
final class ChunkParts {
  /** The length of every part but the last, in bytes. */
  static final int LENGTH = 16 * 1024;

  private static final int HEADER_LENGTH = 33;

  /** Far above the longest chunk, far below what would exhaust the heap. */
  private static final int MOST_PARTS = 1024;

  private final long id;
  private byte[] joined = new byte[0];
  private int length;
  private int parts;
  private boolean lastSeen;

  /** Collects the parts of a chunk. */
  ChunkParts(long id) {
    this.id = id;
  }

  static void append(DuckDBAppender rows, long id, PackedChunk chunk) throws SQLException {
    byte[] first = new byte[Math.min(LENGTH, HEADER_LENGTH + chunk.length())];
    int taken = first.length - HEADER_LENGTH;
    putHeader(first, id, chunk);
    System.arraycopy(chunk.bytes(), chunk.offset(), first, HEADER_LENGTH, taken);
    rows.beginRow().append(id).append(0).append(first).endRow();
    for (int part = 1; taken < chunk.length(); part++) {
      int end = Math.min(chunk.length(), taken + LENGTH);
      byte[] bytes =
          Arrays.copyOfRange(chunk.bytes(), chunk.offset() + taken, chunk.offset() + end);
      rows.beginRow().append(id).append(part).append(bytes).endRow();
      taken = end;
    }
  }

  private static void putHeader(byte[] first, long id, PackedChunk chunk) {
    ByteBuffer header = ByteBuffer.wrap(first);
    header
        .putLong(0)
        .put((byte) (chunk.page() ? 1 : 0))
        .putInt(chunk.codecId())
        .putLong(chunk.dictionaryId())
        .putInt(chunk.plainLength())
        .putInt(chunk.length())
        .putInt(chunk.checksum());
    header.putLong(0, headerHash(id, first));
  }

  private static long headerHash(long id, byte[] first) {
    return new RowHash().add(id).add(Arrays.copyOfRange(first, Long.BYTES, HEADER_LENGTH)).value();
  }

  /** Adds a part, in any order. */
  void add(ResultSet row, int partColumn, int bytesColumn)
      throws SQLException, StoreCorruptException {
    int part = row.getInt(partColumn);
    byte[] bytes = Rows.bytes(row, bytesColumn, LENGTH);
    if (part < 0 || part >= MOST_PARTS || (bytes.length < LENGTH && lastSeen)) {
      throw damaged("a part is not one of a chunk: part=" + part);
    }
    lastSeen |= bytes.length < LENGTH;
    int start = part * LENGTH;
    if (joined.length < start + bytes.length) {
      joined = Arrays.copyOf(joined, Math.max(start + bytes.length, joined.length * 2));
    }
    System.arraycopy(bytes, 0, joined, start, bytes.length);
    length += bytes.length;
    parts++;
  }

  /** Hands the whole chunk over; false if no part was added. */
  boolean finish(ChunkBuffer target) throws StoreCorruptException {
    if (parts == 0) {
      return false;
    }
    if (length < HEADER_LENGTH) {
      throw damaged("it ends in its header: length=" + length);
    }
    ByteBuffer header = ByteBuffer.wrap(joined);
    long found = header.getLong();
    long computed = headerHash(id, joined);
    if (found != computed) {
      throw damaged("header's hash does not match: expected=" + computed + " found=" + found);
    }
    boolean page = header.get() != 0;
    int codec = header.getInt();
    long dictionary = header.getLong();
    int plainLength = header.getInt();
    int packedLength = header.getInt();
    int checksum = header.getInt();
    if (packedLength != length - HEADER_LENGTH
        || plainLength < 0
        || parts != Math.max(1, (length + LENGTH - 1) / LENGTH)) {
      throw damaged("a part is missing: packedLength=" + packedLength + " found=" + length);
    }
    System.arraycopy(joined, HEADER_LENGTH, target.room(packedLength), 0, packedLength);
    target.filled(page, codec, dictionary, plainLength, checksum, packedLength);
    return true;
  }

  private StoreCorruptException damaged(String what) {
    return new StoreCorruptException("content is damaged: " + what + " id=" + id);
  }
}
