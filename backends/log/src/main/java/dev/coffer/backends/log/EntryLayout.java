package dev.coffer.backends.log;

import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.EntryKind;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.PackedChunk;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The meta bytes of an entry record, whose number is the entry's version; of a delete record, whose
 * number is the commit's sequence, only the key.
 *
 * <pre>
 *   0           2       2 + keyLength
 *   +-----------+-------+------+--------+------+---------+---------+------------- - -
 *   | keyLength | key   | type | length | mode | seconds | nanos   | content
 *   | u16       | bytes | u8   | varint |varint| signed  | varint  | by form
 *   +-----------+-------+------+--------+------+---------+---------+------------- - -
 *   - - -------------------------- - -
 *     optional attributes to the end     each: tag (u8), length (varint), bytes
 *   - - -------------------------- - -
 *
 *   type: bits 0-1 kind (0 file, 1 directory, 2 link), bits 2-4 form, bit 5 in a metadata block,
 *         bits 6-7 zero
 *
 *   form 0 none
 *   form 1 inline   codec u8, dictionaryId varint, plainLength varint, packedLength varint, crc u32;
 *                   the packed bytes are the record's content bytes
 *   form 2 located  segment varint, offset varint, then as inline; the packed bytes lie there
 *   form 3 chunk    id, offset, plainLength varints, codec u8, dictionaryId, packedLength varints,
 *                   crc u32
 *   form 4 table    rootId varint, crc u32, chunkLength varint, packedLength varint, codec u8
 * </pre>
 */
final class EntryLayout {
  static final int FORM_NONE = 0;
  static final int FORM_INLINE = 1;
  static final int FORM_LOCATED = 2;
  static final int FORM_CHUNK = 3;
  static final int FORM_TABLE = 4;

  /** Length, mode, seconds and nanos. */
  private static final int NUMBERS_BEFORE_CONTENT = 4;

  private static final int FORM_SHIFT = 2;
  private static final int KIND_MASK = 3;
  private static final int FORM_MASK = 7;
  private static final int IN_BLOCK = 1 << 5;
  private static final int NO_TYPE = 3 << 6;

  /** The room a buffer keeps from one entry to the next; nearly all need far less. */
  private static final int KEPT_ROOM = 4096;

  /** By the code kept in the record. */
  private static final List<EntryKind> KINDS =
      List.of(EntryKind.FILE, EntryKind.DIRECTORY, EntryKind.SYMBOLIC_LINK);

  private EntryLayout() {}

  /** The meta bytes of a delete record. */
  static byte[] encodeKey(byte[] key) {
    return new BytesOut(key.length + 2).u16(key.length).raw(key).toByteArray();
  }

  /** The key of a delete record. */
  static byte[] decodeKey(byte[] meta) throws StoreCorruptException {
    BytesIn in = new BytesIn(meta);
    byte[] key = in.raw(in.u16());
    if (in.remaining() != 0 || key.length == 0) {
      throw BytesIn.malformed("of a deletion has a wrong length: length=" + meta.length);
    }
    Keys.check(key, 0, key.length);
    return key;
  }

  static byte[] encode(Entry entry) {
    return encode(new BytesOut(entry.key().bytes().length + 64), entry, false);
  }

  /** Whether meta bytes of a put or a deletion are those of a put in a block. */
  static boolean isInBlock(byte[] meta) {
    int type = Row.KEY_OFFSET + Row.keyLength(meta);
    return type < meta.length && (meta[type] & IN_BLOCK) != 0;
  }

  /** A put's meta bytes, themselves or copied, where it lies in a block or does not. */
  static byte[] placed(byte[] meta, boolean inBlock) {
    if (isInBlock(meta) == inBlock) {
      return meta;
    }
    byte[] placed = meta.clone();
    placed[Row.KEY_OFFSET + Row.keyLength(meta)] ^= IN_BLOCK;
    return placed;
  }

  /** How long the content is that belongs to the meta bytes of a put in a block. */
  static int inlineLength(byte[] meta) throws StoreCorruptException {
    ContentRef content = contentRef(new Row(meta, 0, 0, 0));
    return content.isInline() ? (int) content.packedLength() : 0;
  }

  /** The meta bytes of an entry, made in {@code out}, which is left empty. */
  static byte[] encode(BytesOut out, Entry entry, boolean inBlock) {
    byte[] key = Keys.encode(entry.key());
    Attributes attributes = entry.attributes();
    out.u16(key.length).raw(key);
    int type = KINDS.indexOf(entry.kind()) | form(entry.content()) << FORM_SHIFT;
    out.u8(inBlock ? type | IN_BLOCK : type);
    out.varint(entry.length()).varint(attributes.mode());
    Instant modified = attributes.modified();
    out.signed(modified.getEpochSecond()).varint(modified.getNano());
    encode(out, entry.content());
    AttributeTags.encode(out, attributes, entry.linkTarget());
    byte[] meta = out.toByteArray();
    out.cut(0, KEPT_ROOM);
    return meta;
  }

  private static int form(Content content) {
    if (content instanceof Content.None) {
      return FORM_NONE;
    }
    if (content instanceof Content.Packed) {
      return FORM_INLINE;
    }
    if (content instanceof LogContent) {
      return FORM_LOCATED;
    }
    if (content instanceof Content.Chunk) {
      return FORM_CHUNK;
    }
    if (content instanceof Content.Table) {
      return FORM_TABLE;
    }
    throw new IllegalArgumentException("content is another backend's: class=" + content.getClass());
  }

  private static void encode(BytesOut out, Content content) {
    if (content instanceof Content.Packed packed) {
      PackedChunk chunk = packed.chunk();
      out.u8(chunk.codecId()).varint(chunk.dictionaryId());
      out.varint(chunk.plainLength()).varint(chunk.length()).u32(chunk.checksum());
    } else if (content instanceof LogContent located) {
      out.varint(located.segmentNumber).varint(located.offset);
      out.u8(located.codecId).varint(located.dictionaryId);
      out.varint(located.plainLength).varint(located.length).u32(located.crc);
    } else if (content instanceof Content.Chunk chunk) {
      out.varint(chunk.id()).varint(chunk.offset()).varint(chunk.plainLength());
      out.u8(chunk.codecId()).varint(chunk.dictionaryId()).varint(chunk.packedBytes());
      out.u32(chunk.checksum());
    } else if (content instanceof Content.Table table) {
      out.varint(table.rootId()).u32(table.checksum()).varint(table.chunkLength());
      out.varint(table.packedLength()).u8(table.codecId());
    }
  }

  static int form(Row row) {
    return row.meta()[Row.KEY_OFFSET + row.keyLength()] >> FORM_SHIFT & FORM_MASK;
  }

  /**
   * Makes a row of a put record, all of it checked.
   *
   * @param segment the segment the record lies in
   * @param contentOffset where the record's content bytes start
   * @param contentLength how many there are
   */
  static Row row(byte[] meta, long version, int segment, long contentOffset, int contentLength)
      throws StoreCorruptException {
    BytesIn in = new BytesIn(meta);
    int keyLength = in.u16();
    if (keyLength == 0 || keyLength >= in.remaining()) {
      throw BytesIn.malformed("of an entry is too short: keyLength=" + keyLength);
    }
    Keys.check(meta, Row.KEY_OFFSET, keyLength);
    Row row = new Row(meta, version, segment, contentOffset);
    // Whatever the key: it was checked, and need not be decoded for that.
    Content content = decode(null, row, EntryKey.ROOT).content();
    if (form(row) == FORM_INLINE) {
      if (content.packedLength() != contentLength) {
        throw BytesIn.malformed("of an entry has its content elsewhere: length=" + contentLength);
      }
      return row;
    }
    if (content instanceof LogContent located
        && located.segmentNumber == segment
        && located.offset >= contentOffset) {
      throw BytesIn.malformed("of an entry has its content elsewhere: at=" + located.location());
    }
    return new Row(meta, version, segment, -1);
  }

  /** The entry of a row; its content is readable if the segment it lies in is in the set. */
  static Entry decode(@Nullable SegmentSet segments, Row row) throws StoreCorruptException {
    return decode(segments, row, Keys.decode(row.meta(), Row.KEY_OFFSET, row.keyLength()));
  }

  /** The entry of a row where a cursor met it. */
  static Entry decode(EntryDecoder decoder, RowView row) throws StoreCorruptException {
    EntryKey key = Keys.decode(row.key, row.keyStart, row.keyLength);
    try {
      BytesIn in = new BytesIn(row.body, row.bodyStart, row.bodyLength);
      return decode(decoder, in, key, row.version, row.segment, row.contentOffset);
    } catch (IllegalArgumentException e) {
      throw malformed(key.path(), e);
    }
  }

  /** The entry of a row whose key is known. */
  static Entry decode(@Nullable SegmentSet segments, Row row, EntryKey key)
      throws StoreCorruptException {
    byte[] meta = row.meta();
    int body = Row.KEY_OFFSET + row.keyLength();
    try {
      BytesIn in = new BytesIn(meta, body, meta.length - body);
      EntryDecoder decoder = new EntryDecoder(segments);
      return decode(decoder, in, key, row.version(), row.segment(), row.contentOffset());
    } catch (IllegalArgumentException e) {
      throw malformed(row.path(), e);
    }
  }

  private static StoreCorruptException malformed(String path, IllegalArgumentException cause) {
    return new StoreCorruptException("entry is malformed: path=" + path, path, -1, cause);
  }

  private static Entry decode(
      EntryDecoder decoder, BytesIn in, EntryKey key, long version, int segment, long contentOffset)
      throws StoreCorruptException {
    int type = in.u8();
    int kind = type & KIND_MASK;
    int form = type >> FORM_SHIFT & FORM_MASK;
    boolean wrong = (type & NO_TYPE) != 0 || kind >= KINDS.size() || form > FORM_TABLE;
    if (wrong || (kind != 0 && form != FORM_NONE)) {
      throw BytesIn.malformed("of an entry has a wrong type: type=" + type);
    }
    long length = in.upTo(Long.MAX_VALUE, "length");
    int mode = (int) in.upTo(07777, "mode");
    long seconds = in.signed();
    Attributes attributes = decoder.attributes(mode, seconds, in.varint());
    Content content = decode(decoder, in, form, segment, contentOffset);
    if (in.remaining() == 0) {
      return new Entry(key, KINDS.get(kind), version, length, attributes, null, content);
    }
    AttributeTags tags = AttributeTags.decode(in, attributes);
    return new Entry(
        key, KINDS.get(kind), version, length, tags.attributes(), tags.linkTarget(), content);
  }

  /** Where the content of a row is; the rest was checked when the row was made. */
  static ContentRef contentRef(Row row) throws StoreCorruptException {
    byte[] meta = row.meta();
    int body = Row.KEY_OFFSET + row.keyLength();
    int form = meta[body] >> FORM_SHIFT & FORM_MASK;
    Location own = new Location(row.segment(), row.contentOffset());
    if (form == FORM_NONE) {
      return new ContentRef(form, 0, own, 0);
    }
    BytesIn in = new BytesIn(meta, body + 1, meta.length - body - 1);
    for (int before = 0; before < NUMBERS_BEFORE_CONTENT; before++) {
      in.varint();
    }
    Content content = decode(new EntryDecoder(null), in, form, row.segment(), row.contentOffset());
    Location location = content instanceof LogContent located ? located.location() : own;
    return new ContentRef(form, References.id(content), location, content.packedLength());
  }

  private static Content decode(
      EntryDecoder decoder, BytesIn in, int form, int segment, long contentOffset)
      throws StoreCorruptException {
    return switch (form) {
      case FORM_INLINE -> located(decoder, in, segment, contentOffset);
      case FORM_LOCATED -> {
        int elsewhere = (int) in.upTo(Integer.MAX_VALUE, "segment");
        yield located(decoder, in, elsewhere, in.upTo(Long.MAX_VALUE, "offset"));
      }
      case FORM_CHUNK -> chunk(in);
      case FORM_TABLE -> table(in);
      default -> Content.NONE;
    };
  }

  private static Content located(EntryDecoder decoder, BytesIn in, int number, long offset)
      throws StoreCorruptException {
    int codecId = in.u8();
    long dictionaryId = in.varint();
    int plainLength = (int) in.upTo(Integer.MAX_VALUE, "plain length");
    int length = (int) in.upTo(RecordHeader.MAX_CONTENT, "packed length");
    return new LogContent(
        decoder.segment(number),
        number,
        offset,
        plainLength,
        codecId,
        dictionaryId,
        length,
        in.u32());
  }

  private static Content chunk(BytesIn in) throws StoreCorruptException {
    long id = in.upTo(Long.MAX_VALUE, "content id");
    int offset = (int) in.upTo(Integer.MAX_VALUE, "offset");
    int plainLength = (int) in.upTo(Integer.MAX_VALUE, "plain length");
    int codecId = in.u8();
    long dictionaryId = in.varint();
    int packedBytes = (int) in.upTo(RecordHeader.MAX_CONTENT, "packed length");
    return new Content.Chunk(id, offset, plainLength, codecId, dictionaryId, packedBytes, in.u32());
  }

  private static Content table(BytesIn in) throws StoreCorruptException {
    long rootId = in.upTo(Long.MAX_VALUE, "content id");
    int checksum = in.u32();
    int chunkLength = (int) in.upTo(Integer.MAX_VALUE, "chunk length");
    long packedLength = in.upTo(Long.MAX_VALUE, "packed length");
    return new Content.Table(rootId, checksum, chunkLength, packedLength, in.u8());
  }
}
