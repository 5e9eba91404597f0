package dev.coffer.backends.duckdb;

import dev.coffer.vfs.EntryKind;
import dev.coffer.vfs.StoreBackendException;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.spi.AttributesCodec;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.PackedChunk;
import dev.coffer.vfs.spi.RowHash;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import org.duckdb.DuckDBAppender;
import org.jspecify.annotations.Nullable;

/**
 * A row of the {@code entry} table. What queries need has columns; the rest is one BLOB, the
 * record, since every further column costs each point read:
 *
 * <pre>
 *   0      4             12            16     17       21            25             33
 *   +------+-------------+-------------+------+--------+-------------+--------------+--
 *   | mode | modified, s | modified,ns | form | offset | plainLength | packedLength | ..
 *   +------+-------------+-------------+------+--------+-------------+--------------+--
 *      33      37           45         49            53                       57
 *   -- +-------+------------+----------+-------------+------------------------+-- ...
 *      | codec | dictionary | checksum | chunkLength | link target's length   | link target
 *   -- +-------+------------+----------+-------------+------------------------+-- ...
 *   then the attributes: length (4, or -1 for none), {@link AttributesCodec}'s bytes
 * </pre>
 *
 * <p>All big-endian. {@code form} says what kind of {@link Content} it is. The row's hash covers
 * every column but the inline bytes, whose checksum is in the record and compared by the store.
 */
record EntryRow(
    byte[] parent,
    byte[] name,
    int kind,
    long version,
    long length,
    long content,
    byte[] record,
    byte @Nullable [] inline) {

  /** Packed content up to this many bytes is kept in the row. */
  static final int INLINE_LIMIT = 4000;

  private static final int KEY_LIMIT = 1 << 16;
  private static final int RECORD_LIMIT = 1 << 20;
  private static final int FIXED_LENGTH = 53;

  private static final int NONE = 0;
  private static final int INLINE = 1;
  private static final int CHUNK = 2;
  private static final int TABLE = 3;

  private static final int FILE = 1;
  private static final int DIRECTORY = 2;
  private static final int LINK = 3;

  /** The row of an entry whose content is not {@link Content.Packed} unless it is short. */
  static EntryRow of(Entry entry) {
    Content content = entry.content();
    return new EntryRow(
        entry.key().parentBytes(),
        entry.key().name().getBytes(StandardCharsets.UTF_8),
        switch (entry.kind()) {
          case FILE -> FILE;
          case DIRECTORY -> DIRECTORY;
          case SYMBOLIC_LINK -> LINK;
        },
        entry.version(),
        entry.length(),
        idOf(content),
        encode(entry),
        content instanceof Content.Packed packed ? exact(packed.chunk()) : null);
  }

  /** The content id an entry refers to, or 0. */
  static long idOf(Content content) {
    if (content instanceof Content.Chunk chunk) {
      return chunk.id();
    }
    return content instanceof Content.Table table ? table.rootId() : 0;
  }

  /** The packed bytes alone, copied only where they are part of something longer. */
  static byte[] exact(PackedChunk chunk) {
    return chunk.offset() == 0 && chunk.length() == chunk.bytes().length
        ? chunk.bytes()
        : Arrays.copyOfRange(chunk.bytes(), chunk.offset(), chunk.offset() + chunk.length());
  }

  static long keyHash(byte[] parent, byte[] name) {
    return new RowHash().add(parent).add(name).value();
  }

  static long keyHash(EntryKey key) {
    return keyHash(key.parentBytes(), key.name().getBytes(StandardCharsets.UTF_8));
  }

  long keyHash() {
    return keyHash(parent, name);
  }

  /** The hash of every column but the inline bytes. */
  long hash() {
    return new RowHash()
        .add(parent)
        .add(name)
        .add(kind)
        .add(version)
        .add(length)
        .add(content)
        .add(record)
        .value();
  }

  /** About how many bytes the row takes. */
  long storedBytes() {
    return parent.length
        + name.length
        + record.length
        + (inline == null ? 0 : inline.length)
        + 6L * Long.BYTES;
  }

  void append(DuckDBAppender rows) throws SQLException {
    rows.beginRow()
        .append(keyHash())
        .append(parent)
        .append(name)
        .append((byte) kind)
        .append(version)
        .append(length)
        .append(content)
        .append(record);
    if (inline == null) {
      rows.appendNull();
    } else {
      rows.append(inline);
    }
    rows.append(hash()).endRow();
  }

  /** Refuses to keep what {@link #read} would refuse to give back. */
  void requireReadable() throws StoreBackendException {
    requireLength("path", Math.max(parent.length, name.length), KEY_LIMIT);
    requireLength("record", record.length, RECORD_LIMIT);
  }

  private void requireLength(String what, int found, int limit) throws StoreBackendException {
    if (found > limit) {
      String path = path();
      throw new StoreBackendException(
          "entry is longer than the store takes: part="
              + what
              + " length="
              + found
              + " max="
              + limit
              + " path="
              + (path.length() > 200 ? path.substring(0, 200) : path));
    }
  }

  /** Reads the columns of a lookup or scan and checks them. */
  static EntryRow read(ResultSet row) throws SQLException, StoreCorruptException {
    EntryRow read =
        new EntryRow(
            Rows.bytes(row, 1, KEY_LIMIT),
            Rows.bytes(row, 2, KEY_LIMIT),
            row.getByte(3),
            row.getLong(4),
            row.getLong(5),
            row.getLong(6),
            Rows.bytes(row, 7, RECORD_LIMIT),
            Rows.bytesOrNull(row, 8, INLINE_LIMIT));
    long found = row.getLong(9);
    long computed = read.hash();
    if (found != computed) {
      String path = read.path();
      throw new StoreCorruptException(
          "entry's hash does not match: expected=" + computed + " found=" + found + " path=" + path,
          path,
          -1,
          null);
    }
    return read;
  }

  boolean isAt(byte[] otherParent, byte[] otherName) {
    return Arrays.equals(parent, otherParent) && Arrays.equals(name, otherName);
  }

  private String path() {
    return key().path();
  }

  private EntryKey key() {
    return EntryKey.fromBytes(parent, new String(name, StandardCharsets.UTF_8));
  }

  private boolean hasPossibleKey() {
    EntryKey key = key();
    return key.name().indexOf('/') < 0
        && key.name().indexOf('\0') < 0
        && (parent.length == 0 || (name.length > 0 && parent[parent.length - 1] == 0))
        && Arrays.equals(key.parentBytes(), parent)
        && Arrays.equals(key.name().getBytes(StandardCharsets.UTF_8), name);
  }

  /** The entry of a row that was read. */
  Entry toEntry() throws StoreCorruptException {
    try {
      if (!hasPossibleKey()) {
        throw new IllegalArgumentException("no path has this key");
      }
      return decode();
    } catch (IllegalArgumentException
        | ArithmeticException
        | DateTimeException
        | BufferUnderflowException e) {
      throw new StoreCorruptException(
          "entry holds a value no entry has: path=" + path() + " cause=" + e.getMessage(),
          path(),
          -1,
          e);
    }
  }

  private static byte[] encode(Entry entry) {
    byte[] attributes = AttributesCodec.encode(entry.attributes());
    byte[] target =
        entry.linkTarget() == null ? null : entry.linkTarget().getBytes(StandardCharsets.UTF_8);
    ByteBuffer out =
        ByteBuffer.allocate(FIXED_LENGTH + 2 * Integer.BYTES + length(target) + length(attributes));
    Instant modified = entry.attributes().modified();
    out.putInt(entry.attributes().mode())
        .putLong(modified.getEpochSecond())
        .putInt(modified.getNano());
    encodeContent(entry.content(), out);
    put(out, target);
    put(out, attributes);
    return out.array();
  }

  private static void encodeContent(Content content, ByteBuffer out) {
    if (content instanceof Content.Packed packed) {
      PackedChunk c = packed.chunk();
      out.put((byte) INLINE).putInt(0).putInt(c.plainLength()).putLong(c.length());
      out.putInt(c.codecId()).putLong(c.dictionaryId()).putInt(c.checksum()).putInt(0);
    } else if (content instanceof Content.Chunk c) {
      out.put((byte) CHUNK).putInt(c.offset()).putInt(c.plainLength()).putLong(c.packedBytes());
      out.putInt(c.codecId()).putLong(c.dictionaryId()).putInt(c.checksum()).putInt(0);
    } else if (content instanceof Content.Table t) {
      out.put((byte) TABLE).putInt(0).putInt(0).putLong(t.packedLength());
      out.putInt(t.codecId()).putLong(0).putInt(t.checksum()).putInt(t.chunkLength());
    } else if (content instanceof Content.None) {
      out.put((byte) NONE).putInt(0).putInt(0).putLong(0);
      out.putInt(0).putLong(0).putInt(0).putInt(0);
    } else {
      throw new IllegalArgumentException("content is of another backend: content=" + content);
    }
  }

  private Entry decode() {
    ByteBuffer in = ByteBuffer.wrap(record);
    int mode = in.getInt();
    Instant modified = AttributesCodec.time(in.getLong(), in.getInt());
    Content where = decodeContent(in);
    byte[] target = take(in);
    byte[] attributes = take(in);
    if (in.hasRemaining()) {
      throw new IllegalArgumentException("record is too long: left=" + in.remaining());
    }
    return new Entry(
        key(),
        switch (kind) {
          case FILE -> EntryKind.FILE;
          case DIRECTORY -> EntryKind.DIRECTORY;
          case LINK -> EntryKind.SYMBOLIC_LINK;
          default -> throw new IllegalArgumentException("kind is unknown: kind=" + kind);
        },
        version,
        length,
        AttributesCodec.decode(mode, modified, attributes),
        target == null ? null : new String(target, StandardCharsets.UTF_8),
        where);
  }

  private Content decodeContent(ByteBuffer in) {
    int form = in.get();
    int offset = in.getInt();
    int plainLength = in.getInt();
    long packedLength = in.getLong();
    int codec = in.getInt();
    long dictionary = in.getLong();
    int checksum = in.getInt();
    int chunkLength = in.getInt();
    if (offset < 0 || plainLength < 0 || packedLength < 0) {
      throw new IllegalArgumentException("a length of the content is negative");
    }
    return switch (form) {
      case NONE -> Content.NONE;
      case INLINE -> {
        if (inline == null || inline.length != packedLength) {
          throw new IllegalArgumentException("inline bytes are not of their length");
        }
        yield new Content.Packed(
            new PackedChunk(
                false, codec, dictionary, plainLength, checksum, inline, 0, inline.length));
      }
      case CHUNK ->
          new Content.Chunk(
              content,
              offset,
              plainLength,
              codec,
              dictionary,
              Math.toIntExact(packedLength),
              checksum);
      case TABLE -> new Content.Table(content, checksum, chunkLength, packedLength, codec);
      default -> throw new IllegalArgumentException("content's form is unknown: form=" + form);
    };
  }

  private static int length(byte @Nullable [] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  private static void put(ByteBuffer out, byte @Nullable [] bytes) {
    if (bytes == null) {
      out.putInt(-1);
    } else {
      out.putInt(bytes.length).put(bytes);
    }
  }

  private static byte @Nullable [] take(ByteBuffer in) {
    int length = in.getInt();
    if (length == -1) {
      return null;
    }
    if (length < 0 || length > in.remaining()) {
      throw new IllegalArgumentException("length is out of range: length=" + length);
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }
}
