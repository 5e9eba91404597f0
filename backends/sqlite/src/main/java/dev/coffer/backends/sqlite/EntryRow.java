package dev.coffer.backends.sqlite;

import dev.coffer.vfs.EntryKind;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.spi.AttributesCodec;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.PackedChunk;
import dev.coffer.vfs.spi.RowHash;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A row of the {@code entry} table, with a hash over all of it that every read checks. Inline bytes
 * take part in the hash by their checksum, which the store compares when it reads them.
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared, only hashed.
record EntryRow(
    byte[] parent,
    String name,
    int kind,
    long version,
    long length,
    long modified,
    int modifiedNanos,
    int mode,
    byte @Nullable [] attributes,
    @Nullable String linkTarget,
    Place place,
    byte @Nullable [] inline) {

  /** How many columns {@link #read} takes before the row's own key. */
  private static final int COLUMNS_READ = 4;

  /** How many columns {@link #bind} sets before the row's own key. */
  private static final int COLUMNS_WRITTEN = 19;

  private static final int NONE = 0;
  private static final int INLINE = 1;
  private static final int CHUNK = 2;
  private static final int TABLE = 3;
  private static final int FILE = 1;
  private static final int DIRECTORY = 2;
  private static final int LINK = 3;

  /** The columns that say where content is. */
  record Place(
      int kind,
      long id,
      int offset,
      int plainLength,
      long packedLength,
      int codec,
      long dictionary,
      int checksum,
      int chunkLength) {
    private static final Place NOWHERE = new Place(NONE, 0, 0, 0, 0, 0, 0, 0, 0);

    static Place of(Content content) {
      if (content instanceof Content.Packed packed) {
        PackedChunk c = packed.chunk();
        return new Place(
            INLINE,
            0,
            0,
            c.plainLength(),
            c.length(),
            c.codecId(),
            c.dictionaryId(),
            c.checksum(),
            0);
      } else if (content instanceof Content.Chunk c) {
        return new Place(
            CHUNK,
            c.id(),
            c.offset(),
            c.plainLength(),
            c.packedBytes(),
            c.codecId(),
            c.dictionaryId(),
            c.checksum(),
            0);
      } else if (content instanceof Content.Table t) {
        return new Place(
            TABLE,
            t.rootId(),
            0,
            0,
            t.packedLength(),
            t.codecId(),
            0,
            t.checksum(),
            t.chunkLength());
      } else if (content instanceof Content.None) {
        return NOWHERE;
      }
      throw new IllegalArgumentException("content is of another backend: content=" + content);
    }
  }

  static EntryRow of(Entry entry) {
    Instant modified = entry.attributes().modified();
    return new EntryRow(
        entry.key().parentBytes(),
        entry.key().name(),
        switch (entry.kind()) {
          case FILE -> FILE;
          case DIRECTORY -> DIRECTORY;
          case SYMBOLIC_LINK -> LINK;
        },
        entry.version(),
        entry.length(),
        modified.getEpochSecond(),
        modified.getNano(),
        entry.attributes().mode(),
        AttributesCodec.encode(entry.attributes()),
        entry.linkTarget(),
        Place.of(entry.content()),
        entry.content() instanceof Content.Packed p ? exact(p.chunk()) : null);
  }

  /** The packed bytes alone, copied only where they are part of something longer. */
  static byte[] exact(PackedChunk chunk) {
    return chunk.offset() == 0 && chunk.length() == chunk.bytes().length
        ? chunk.bytes()
        : Arrays.copyOfRange(chunk.bytes(), chunk.offset(), chunk.offset() + chunk.length());
  }

  /** The row a lookup of {@code key} found. */
  static Entry read(ResultSet row, EntryKey key) throws SQLException, StoreCorruptException {
    return read(row, key, key.parentBytes());
  }

  /** The row a scan came to, its key in the columns after the others. */
  static Entry readWithKey(ResultSet row) throws SQLException, StoreCorruptException {
    byte[] parent = row.getBytes(COLUMNS_READ + 1);
    String name = row.getString(COLUMNS_READ + 2);
    EntryKey key = parent == null || name == null ? null : keyOf(parent, name);
    if (key == null) {
      throw new StoreCorruptException("entry has a key no path has: name=" + name);
    }
    return read(row, key, parent);
  }

  private static @Nullable EntryKey keyOf(byte[] parent, String name) {
    EntryKey key = EntryKey.fromBytes(parent, name);
    boolean wellFormed =
        name.indexOf('/') < 0
            && name.indexOf('\0') < 0
            && (parent.length == 0 || (!name.isEmpty() && parent[parent.length - 1] == 0))
            && Arrays.equals(key.parentBytes(), parent);
    return wellFormed ? key : null;
  }

  private static Entry read(ResultSet row, EntryKey key, byte[] parent)
      throws SQLException, StoreCorruptException {
    try {
      NumberText numbers = new NumberText(row.getString(1));
      EntryRow read =
          new EntryRow(
              parent,
              key.name(),
              numbers.nextInt(),
              numbers.next(),
              numbers.next(),
              numbers.next(),
              numbers.nextInt(),
              numbers.nextInt(),
              row.getBytes(2),
              row.getString(3),
              new Place(
                  numbers.nextInt(),
                  numbers.next(),
                  numbers.nextInt(),
                  numbers.nextInt(),
                  numbers.next(),
                  numbers.nextInt(),
                  numbers.next(),
                  numbers.nextInt(),
                  numbers.nextInt()),
              row.getBytes(4));
      long found = numbers.next();
      long computed = read.hash();
      if (found != computed) {
        throw corrupt(
            "entry's hash does not match: expected=" + computed + " found=" + found, key, null);
      }
      return read.toEntry(key);
    } catch (IllegalArgumentException | ArithmeticException | DateTimeException e) {
      throw corrupt("entry holds a value no entry has: cause=" + e.getMessage(), key, e);
    } catch (java.nio.BufferUnderflowException e) {
      throw corrupt("entry's attributes end early", key, e);
    }
  }

  private static StoreCorruptException corrupt(
      String message, EntryKey key, @Nullable Exception cause) {
    return new StoreCorruptException(message + " path=" + key.path(), key.path(), -1, cause);
  }

  private Entry toEntry(EntryKey key) {
    if (attributes != null && attributes.length > AttributesCodec.MAX_LENGTH) {
      throw new IllegalArgumentException("attributes are too long: length=" + attributes.length);
    }
    Instant time = AttributesCodec.time(modified, modifiedNanos);
    return new Entry(
        key,
        switch (kind) {
          case FILE -> EntryKind.FILE;
          case DIRECTORY -> EntryKind.DIRECTORY;
          case LINK -> EntryKind.SYMBOLIC_LINK;
          default -> throw new IllegalArgumentException("kind=" + kind);
        },
        version,
        length,
        AttributesCodec.decode(mode, time, attributes),
        linkTarget,
        content());
  }

  private Content content() {
    Place p = place;
    if (p.plainLength < 0 || p.packedLength < 0 || p.offset < 0) {
      throw new IllegalArgumentException("a length of the content is negative");
    }
    return switch (p.kind) {
      case NONE -> Content.NONE;
      case INLINE -> inlineContent();
      case CHUNK ->
          new Content.Chunk(
              p.id,
              p.offset,
              p.plainLength,
              p.codec,
              p.dictionary,
              Math.toIntExact(p.packedLength),
              p.checksum);
      case TABLE -> new Content.Table(p.id, p.checksum, p.chunkLength, p.packedLength, p.codec);
      default -> throw new IllegalArgumentException("content kind=" + p.kind);
    };
  }

  private Content inlineContent() {
    if (inline == null || inline.length != place.packedLength) {
      throw new IllegalArgumentException("inline bytes are not of their length");
    }
    return new Content.Packed(
        new PackedChunk(
            false,
            place.codec,
            place.dictionary,
            place.plainLength,
            place.checksum,
            inline,
            0,
            inline.length));
  }

  /** The hash of this row: of its key and every column but the hash and the inline bytes. */
  long hash() {
    return new RowHash()
        .add(parent)
        .add(name.getBytes(StandardCharsets.UTF_8))
        .add(kind)
        .add(version)
        .add(length)
        .add(modified)
        .add(modifiedNanos)
        .add(mode)
        .add(attributes)
        .add(linkTarget)
        .add(place.kind)
        .add(place.id)
        .add(place.offset)
        .add(place.plainLength)
        .add(place.packedLength)
        .add(place.codec)
        .add(place.dictionary)
        .add(place.checksum)
        .add(place.chunkLength)
        .value();
  }

  /** Sets all parameters of {@link SqliteSql#INSERT_ENTRY}. */
  void bind(PreparedStatement statement, long hash) throws SQLException {
    statement.setInt(1, kind);
    statement.setLong(2, version);
    statement.setLong(3, length);
    statement.setLong(4, modified);
    statement.setInt(5, modifiedNanos);
    statement.setInt(6, mode);
    statement.setBytes(7, attributes);
    statement.setString(8, linkTarget);
    statement.setInt(9, place.kind);
    statement.setLong(10, place.id);
    statement.setInt(11, place.offset);
    statement.setInt(12, place.plainLength);
    statement.setLong(13, place.packedLength);
    statement.setInt(14, place.codec);
    statement.setLong(15, place.dictionary);
    statement.setInt(16, place.checksum);
    statement.setInt(17, place.chunkLength);
    statement.setLong(18, hash);
    statement.setBytes(19, inline);
    statement.setBytes(COLUMNS_WRITTEN + 1, parent);
    statement.setString(COLUMNS_WRITTEN + 2, name);
  }
}
