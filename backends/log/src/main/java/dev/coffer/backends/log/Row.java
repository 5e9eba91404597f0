package dev.coffer.backends.log;

import dev.coffer.vfs.spi.PackedChunk;
import java.util.Arrays;

/**
 * One entry in memory, as compact as its record: the meta bytes, checked ({@link EntryLayout}), the
 * version, and where its record and inline content lie. A deletion is a row too: of the key alone,
 * hiding what older parts of an index say about it.
 *
 * @param meta a put record's meta bytes, or a delete record's
 * @param segment the number of the segment its record lies in; 0 in a single-file store
 * @param contentOffset where in the segment the packed bytes of inline content start, or -1
 */
record Row(byte[] meta, long version, int segment, long contentOffset) {

  /** Where the key starts in the meta bytes. */
  static final int KEY_OFFSET = 2;

  /** About what a row takes of a packed block; docs/format.md says so too. */
  static final int BLOCK_SHARE = 16;

  /** A row saying that there is no entry at a key, as of a version. */
  static Row deletion(byte[] key, long version) {
    return new Row(EntryLayout.encodeKey(key), version, 0, -1);
  }

  /** Whether this row says that there is no entry. */
  boolean isDeletion() {
    return meta.length == KEY_OFFSET + keyLength();
  }

  /** A copy of the key. */
  byte[] key() {
    return Arrays.copyOfRange(meta, KEY_OFFSET, KEY_OFFSET + keyLength());
  }

  /** Whether it lies in a metadata block. */
  boolean isInBlock() {
    return EntryLayout.isInBlock(meta);
  }

  /** The length of the record it comes from, or what counts as its share of a block. */
  long recordLength() {
    return isInBlock() ? BLOCK_SHARE : RecordHeader.LENGTH + (long) meta.length;
  }

  int keyLength() {
    return keyLength(meta);
  }

  /** The length of the key in a put's or a delete record's meta bytes. */
  static int keyLength(byte[] meta) {
    return (meta[0] & 0xff) | (meta[1] & 0xff) << 8;
  }

  /** Compares the key to another row's. */
  int compareKey(Row other) {
    return Arrays.compareUnsigned(
        meta,
        KEY_OFFSET,
        KEY_OFFSET + keyLength(),
        other.meta,
        KEY_OFFSET,
        KEY_OFFSET + other.keyLength());
  }

  int compareKey(byte[] key) {
    return Arrays.compareUnsigned(meta, KEY_OFFSET, KEY_OFFSET + keyLength(), key, 0, key.length);
  }

  boolean keyStartsWith(byte[] prefix) {
    return keyLength() >= prefix.length
        && Arrays.equals(meta, KEY_OFFSET, KEY_OFFSET + prefix.length, prefix, 0, prefix.length);
  }

  boolean isRoot() {
    return keyLength() == 1;
  }

  String path() {
    return Keys.decode(meta, KEY_OFFSET, keyLength()).path();
  }

  /** This row's share of the listing hash. */
  long hash() {
    return hash(PackedChunk.checksum(meta, 0, meta.length), version);
  }

  /** The share of a row of these meta bytes' CRC and this version. */
  static long hash(int metaCrc, long version) {
    return mix(Integer.toUnsignedLong(metaCrc) * 0x9e3779b97f4a7c15L + version);
  }

  /** SplitMix64's finalizer. */
  static long mix(long value) {
    long z = value;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
