package dev.coffer.backends.log;

import dev.coffer.vfs.spi.PackedChunk;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gathers entries and deletions for one {@linkplain BlockLayout metadata block}. For one thread.
 */
final class EntryBlock {
  /**
   * A block takes so many bytes of metadata, keys written out: enough to pack well, and few enough
   * that a damaged one costs little.
   */
  private static final int FULL = 24 * 1024;

  private static final int FULL_CONTENT = 1024 * 1024;

  /** What is longer is a record of its own. */
  private static final int LONGEST = BlockLayout.MAX_PLAIN - FULL - 1024;

  private final BytesOut plain = new BytesOut(FULL);
  private final List<PackedChunk> contents = new ArrayList<>();
  private byte[] before = new byte[Row.KEY_OFFSET];
  private int beforeLength;
  private int metaBytes;
  private int contentLength;

  /** A block ready to be appended: its meta bytes, and its content in pieces. */
  record Packed(byte[] meta, List<PackedChunk> contents, int contentLength) {}

  /** Whether meta bytes may lie in a block. */
  static boolean takes(byte[] meta) {
    return meta.length <= LONGEST;
  }

  boolean isEmpty() {
    return metaBytes == 0;
  }

  /** How many bytes were added. */
  long gatheredBytes() {
    return (long) metaBytes + contentLength;
  }

  boolean isFull() {
    return Math.max(metaBytes, plain.length()) >= FULL || contentLength >= FULL_CONTENT;
  }

  /**
   * Adds what a put or a delete record would say.
   *
   * @param meta its meta bytes, which say that they lie in a block
   * @return where in the block's content the chunk starts
   */
  int add(byte[] meta, long version, @Nullable PackedChunk chunk) {
    int keyLength = Row.keyLength(meta);
    int shared = shared(meta, keyLength);
    plain.varint(shared).varint(keyLength - shared);
    plain.raw(meta, Row.KEY_OFFSET + shared, keyLength - shared);
    int body = Row.KEY_OFFSET + keyLength;
    plain.varint(version).varint(meta.length - body).raw(meta, body, meta.length - body);
    before = meta;
    beforeLength = keyLength;
    metaBytes += meta.length;
    int start = contentLength;
    if (chunk != null) {
      contents.add(chunk);
      contentLength += chunk.length();
    }
    return start;
  }

  private int shared(byte[] meta, int keyLength) {
    int most = Math.min(keyLength, beforeLength);
    int shared = 0;
    while (shared < most && meta[Row.KEY_OFFSET + shared] == before[Row.KEY_OFFSET + shared]) {
      shared++;
    }
    return shared;
  }

  /** Packs what was added, and begins anew. */
  Packed pack() {
    Packed packed =
        new Packed(
            BlockLayout.encode(plain.bytes(), plain.length()),
            List.copyOf(contents),
            contentLength);
    plain.cut(0);
    contents.clear();
    beforeLength = 0;
    metaBytes = 0;
    contentLength = 0;
    return packed;
  }
}
