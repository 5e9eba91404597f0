package dev.coffer.vfs.spi;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A reusable target for reads of packed chunks, so that a read makes no garbage. Not thread-safe.
 *
 * <p>A backend either fills {@link #room} and says so with {@link #filled}, or hands over an array
 * of its own with {@link #wrap}. It does not check the checksum: the store does, for every backend
 * in one place.
 */
public final class ChunkBuffer {
  private static final byte[] NOTHING = new byte[0];

  private byte[] bytes = NOTHING;
  private byte[] own = NOTHING;
  private int length;
  private int codecId;
  private long dictionaryId;
  private int plainLength;
  private int checksum;
  private boolean page;
  private long position = -1;

  /** An empty buffer, which grows as needed. */
  public ChunkBuffer() {}

  /** An array of at least {@code length} bytes to read into, from index 0. */
  public byte[] room(int length) {
    if (own.length < length) {
      own = new byte[Math.max(length, Math.min(2 * own.length, 1 << 20))];
    }
    bytes = own;
    return own;
  }

  /** Describes what now lies in {@link #room}, or in the array given to {@link #wrap}. */
  public void filled(
      boolean page, int codecId, long dictionaryId, int plainLength, int checksum, int length) {
    this.page = page;
    this.codecId = codecId;
    this.dictionaryId = dictionaryId;
    this.plainLength = plainLength;
    this.checksum = checksum;
    this.length = length;
    this.position = -1;
  }

  /** Uses {@code packed}, which nobody may write to any more, instead of copying it. */
  public void wrap(
      boolean page, int codecId, long dictionaryId, int plainLength, int checksum, byte[] packed) {
    bytes = packed;
    filled(page, codecId, dictionaryId, plainLength, checksum, packed.length);
  }

  /** Where in the store's file the packed bytes lie, for messages; -1 if not known. */
  public void locatedAt(long filePosition) {
    this.position = filePosition;
  }

  /** The array that holds the packed bytes, from index 0 on; longer than {@link #length()}. */
  public byte[] bytes() {
    return bytes;
  }

  /** The packed length in bytes. */
  public int length() {
    return length;
  }

  public int codecId() {
    return codecId;
  }

  public long dictionaryId() {
    return dictionaryId;
  }

  public int plainLength() {
    return plainLength;
  }

  public int checksum() {
    return checksum;
  }

  public boolean page() {
    return page;
  }

  public long position() {
    return position;
  }

  /**
   * The array that holds the packed bytes if it was made for this read, holds nothing else and is
   * no one else's; the buffer then gives it up, and is empty. Otherwise null, and nothing happens.
   */
  public byte @Nullable [] detach() {
    if (bytes != own || own.length != length) {
      return null;
    }
    byte[] exact = own;
    own = NOTHING;
    bytes = NOTHING;
    length = 0;
    return exact;
  }

  /** A copy that outlives the next read. */
  public PackedChunk toChunk() {
    byte[] copy = Arrays.copyOf(bytes, length);
    return new PackedChunk(page, codecId, dictionaryId, plainLength, checksum, copy, 0, length);
  }
}
