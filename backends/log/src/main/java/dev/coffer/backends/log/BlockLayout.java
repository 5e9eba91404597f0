package dev.coffer.backends.log;

import dev.coffer.codecs.Codec;
import dev.coffer.codecs.CodecException;
import dev.coffer.codecs.Codecs;
import dev.coffer.vfs.StoreCorruptException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The meta bytes of a metadata block, which says of many keys what puts and deletions say of one.
 * Its content is that of its entries, one after the other.
 *
 * <pre>
 *   0             4       5
 *   +-------------+-------+--------------- - -
 *   | plainLength | codec | packed block
 *   | u32         | u8    | to the end
 *   +-------------+-------+--------------- - -
 *
 *   the block, unpacked, for each key:
 *   +--------+--------+-------+---------+------------+------------------------------ - -
 *   | shared | length | bytes | version | bodyLength | body: a put's meta bytes from
 *   | varint | varint |       | varint  | varint     | type on; none for a deletion
 *   +--------+--------+-------+---------+------------+------------------------------ - -
 * </pre>
 *
 * <p>{@code shared} is how many bytes the key has in common with the one before it in the block.
 */
final class BlockLayout {
  /** Longer blocks, plain, or with every key and body written out, are none. */
  static final int MAX_PLAIN = 64 * 1024;

  private static final int HEAD = 5;

  /** What the first key has its start in common with. */
  private static final byte[] NO_KEY = new byte[Row.KEY_OFFSET];

  private BlockLayout() {}

  /**
   * The codec of blocks. It is this process's and never closed: stores that come and go use the few
   * native contexts it keeps.
   */
  private static final class Packing {
    private static final int LEVEL = 1;
    private static final Codec ZSTD = load();

    private static Codec load() {
      try {
        Codec codec = Codecs.load(LEVEL).byId(Codecs.ZSTD_ID);
        if (codec == null) {
          throw new IllegalStateException("codec is missing: name=" + Codecs.ZSTD);
        }
        return codec;
      } catch (CodecException e) {
        throw new IllegalStateException("codec cannot be loaded: name=" + Codecs.ZSTD, e);
      }
    }
  }

  /** Packs a block. */
  static byte[] encode(byte[] plain, int length) {
    byte[] meta = new byte[HEAD + length + length / 256 + 64];
    LittleEndian.u32(meta, 0, length);
    int packed;
    try {
      packed = Packing.ZSTD.pack(plain, 0, length, meta, HEAD, null);
    } catch (CodecException e) {
      packed = Codec.NOT_SHRUNK;
    }
    if (packed == Codec.NOT_SHRUNK) {
      meta[HEAD - 1] = Codecs.RAW_ID;
      System.arraycopy(plain, 0, meta, HEAD, length);
      return Arrays.copyOf(meta, HEAD + length);
    }
    meta[HEAD - 1] = Codecs.ZSTD_ID;
    return Arrays.copyOf(meta, HEAD + packed);
  }

  private static byte[] unpack(byte[] meta) throws StoreCorruptException {
    BytesIn in = new BytesIn(meta);
    int length = in.u32();
    if (length < 0 || length > MAX_PLAIN) {
      throw BytesIn.malformed("of a block has a wrong length: length=" + length);
    }
    int codec = in.u8();
    if (codec == Codecs.RAW_ID && in.remaining() == length) {
      return in.raw(length);
    }
    if (codec != Codecs.ZSTD_ID) {
      throw BytesIn.malformed("of a block has a wrong codec: codec=" + codec);
    }
    byte[] plain = new byte[length];
    try {
      Packing.ZSTD.unpack(meta, HEAD, meta.length - HEAD, plain, 0, length, null);
    } catch (CodecException e) {
      throw new StoreCorruptException("record of a block does not unpack", null, -1, e);
    }
    return plain;
  }

  /**
   * What a block says.
   *
   * @param contentOffset where its content lies
   * @param contentLength how much it has
   */
  static List<LogItem> items(byte[] meta, long contentOffset, int contentLength)
      throws StoreCorruptException {
    BytesIn in = new BytesIn(unpack(meta));
    List<LogItem> items = new ArrayList<>();
    byte[] key = NO_KEY;
    long taken = 0;
    int whole = 0;
    while (in.remaining() > 0) {
      key = key(in, key);
      long version = in.upTo(Long.MAX_VALUE, "version");
      byte[] body = in.raw((int) in.upTo(in.remaining(), "length"));
      byte[] item = Arrays.copyOf(key, key.length + body.length);
      System.arraycopy(body, 0, item, key.length, body.length);
      whole += item.length;
      if (whole > MAX_PLAIN) {
        throw BytesIn.malformed("of a block says too much: max=" + MAX_PLAIN);
      }
      boolean deletion = body.length == 0;
      int kind = deletion ? RecordKind.DELETE : RecordKind.PUT;
      int length = deletion ? 0 : EntryLayout.inlineLength(item);
      items.add(new LogItem(kind, version, item, contentOffset + taken, length, true));
      taken += length;
    }
    if (taken != contentLength) {
      throw BytesIn.malformed(
          "of a block has content of another length: expected="
              + taken
              + " found="
              + contentLength);
    }
    return items;
  }

  /** The next key, as a delete record has it. */
  private static byte[] key(BytesIn in, byte[] before) throws StoreCorruptException {
    int shared = (int) in.upTo(before.length - Row.KEY_OFFSET, "shared length");
    int rest = (int) in.upTo(in.remaining(), "length");
    int length = shared + rest;
    if (length == 0 || length > Keys.MAX_LENGTH) {
      throw BytesIn.malformed("of a block has a key of a wrong length: length=" + length);
    }
    byte[] key = Arrays.copyOf(before, Row.KEY_OFFSET + length);
    key[0] = (byte) length;
    key[1] = (byte) (length >> Byte.SIZE);
    System.arraycopy(in.raw(rest), 0, key, Row.KEY_OFFSET + shared, rest);
    return key;
  }
}
