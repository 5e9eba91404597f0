package dev.coffer.backends.log;

import dev.coffer.vfs.NotAStoreException;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreVersionException;
import dev.coffer.vfs.spi.PackedChunk;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;

/**
 * The start of every file of a store, 64 bytes, little-endian, written twice in a row so that one
 * damaged byte hides nothing:
 *
 * <pre>
 *   0         8         12       16         20         24        32      36        40
 *   +---------+---------+--------+----------+----------+---------+-------+---------+--
 *   | magic   | version | compat | ro-compat| incompat | storeId | flags | segment |
 *   +---------+---------+--------+----------+----------+---------+-------+---------+--
 *   40        48      52         60      64
 *   +---------+-------+----------+-------+
 *   | seconds | nanos | length   | crc   |   crc: CRC32C of bytes 0 to 59
 *   +---------+-------+----------+-------+
 * </pre>
 *
 * @param features the three feature words
 * @param storeId what ties records to their store; never 0
 * @param sealed whether the file is finished and never appended to
 * @param segment which segment of a folder store this is; 0 in a single-file store
 * @param created when the store was made
 * @param length how long the file is if it is a sealed single-file store, else 0
 */
record FileHeader(
    Features features, long storeId, boolean sealed, int segment, Instant created, long length) {

  static final int COPY_LENGTH = 64;
  static final int LENGTH = 2 * COPY_LENGTH;
  static final int VERSION = 1;

  private static final byte[] MAGIC = {(byte) 0x89, 'C', 'F', 'R', '\r', '\n', 0x1a, '\n'};
  private static final int VERSION_OFFSET = MAGIC.length;
  private static final int FEATURES_OFFSET = VERSION_OFFSET + 4;
  private static final int STORE_ID_OFFSET = FEATURES_OFFSET + Features.LENGTH;
  private static final int FLAGS_OFFSET = STORE_ID_OFFSET + 8;
  private static final int CRC_OFFSET = COPY_LENGTH - 4;
  private static final int SEALED = 1;

  /** That of a file whose length it does not tell. */
  FileHeader(Features features, long storeId, boolean sealed, int segment, Instant created) {
    this(features, storeId, sealed, segment, created, 0);
  }

  byte[] encode() {
    BytesOut out = new BytesOut(LENGTH);
    out.raw(MAGIC).u32(VERSION);
    features.encode(out);
    out.u64(storeId).u32(sealed ? SEALED : 0).u32(segment);
    out.u64(created.getEpochSecond()).u32(created.getNano()).u64(length);
    out.u32(PackedChunk.checksum(out.bytes(), 0, CRC_OFFSET));
    return out.raw(out.bytes(), 0, COPY_LENGTH).toByteArray();
  }

  /** Whether either copy starts with the magic. */
  static boolean recognizes(ByteBuffer head) {
    return hasMagic(head, 0) || hasMagic(head, COPY_LENGTH);
  }

  private static boolean hasMagic(ByteBuffer head, int offset) {
    if (head.remaining() < offset + MAGIC.length) {
      return false;
    }
    return head.slice(head.position() + offset, MAGIC.length).equals(ByteBuffer.wrap(MAGIC));
  }

  /** Whether both copies are sound and equal. */
  static boolean isWhole(byte[] head) {
    return head.length == LENGTH
        && isSound(head, 0)
        && Arrays.equals(head, 0, COPY_LENGTH, head, COPY_LENGTH, LENGTH);
  }

  /**
   * Reads the first sound copy.
   *
   * @param head the first bytes of the file, as many as it has up to {@link #LENGTH}
   */
  static FileHeader decode(byte[] head) throws StoreException {
    if (isSound(head, 0)) {
      return decode(head, 0);
    }
    if (isSound(head, COPY_LENGTH)) {
      return decode(head, COPY_LENGTH);
    }
    if (recognizes(ByteBuffer.wrap(head))) {
      throw new StoreCorruptException(
          "file header is damaged: length=" + head.length, null, 0, null);
    }
    throw new NotAStoreException("file is no store of this kind: length=" + head.length);
  }

  private static boolean isSound(byte[] head, int offset) {
    return head.length >= offset + COPY_LENGTH
        && hasMagic(ByteBuffer.wrap(head), offset)
        && PackedChunk.checksum(head, offset, CRC_OFFSET)
            == ByteBuffer.wrap(head)
                .order(java.nio.ByteOrder.LITTLE_ENDIAN)
                .getInt(offset + CRC_OFFSET);
  }

  private static FileHeader decode(byte[] head, int offset) throws StoreException {
    BytesIn in = new BytesIn(head, offset + VERSION_OFFSET, COPY_LENGTH - VERSION_OFFSET);
    int version = in.u32();
    if (version < 1) {
      throw StoreVersionException.tooOld("format is too old: oldest=1 found=" + version);
    }
    if (version > VERSION) {
      throw StoreVersionException.tooNew(
          "format is too new: newest=" + VERSION + " found=" + version);
    }
    Features features = Features.decode(in);
    features.requireReadable();
    long storeId = in.u64();
    int flags = in.u32();
    int segment = in.u32();
    long seconds = in.u64();
    Instant created = Times.instant(seconds, in.u32());
    long length = in.u64();
    boolean sealed = (flags & SEALED) != 0;
    boolean told = sealed && !features.isFolder();
    if (storeId == 0 || (flags & ~SEALED) != 0 || (told ? length < LENGTH : length != 0)) {
      throw new StoreCorruptException(
          "file header is malformed: storeId=" + storeId + " flags=" + flags + " length=" + length,
          null,
          offset + FLAGS_OFFSET,
          null);
    }
    return new FileHeader(features, storeId, sealed, segment, created, length);
  }
}
