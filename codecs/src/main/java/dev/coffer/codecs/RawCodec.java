package dev.coffer.codecs;

import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Content kept as it is. Packing never shrinks, so {@code pack} always answers {@link #NOT_SHRUNK}
 * and the caller keeps the plain bytes themselves under this codec's id; {@code unpack} copies
 * them. Dictionaries are ignored.
 */
final class RawCodec implements Codec {
  private volatile boolean closed;

  @Override
  public int id() {
    return Codecs.RAW_ID;
  }

  @Override
  public String name() {
    return Codecs.RAW;
  }

  @Override
  public int pack(
      byte[] plain,
      int plainOffset,
      int plainLength,
      byte[] packed,
      int packedOffset,
      @Nullable Dictionary dictionary) {
    requireOpen();
    Objects.checkFromIndexSize(plainOffset, plainLength, plain.length);
    Objects.checkFromToIndex(packedOffset, packed.length, packed.length);
    return NOT_SHRUNK;
  }

  @Override
  public int pack(ByteBuffer plain, ByteBuffer packed, @Nullable Dictionary dictionary) {
    requireOpen();
    requireWritable(packed);
    return NOT_SHRUNK;
  }

  @Override
  public void unpack(
      byte[] packed,
      int packedOffset,
      int packedLength,
      byte[] plain,
      int plainOffset,
      int plainLength,
      @Nullable Dictionary dictionary)
      throws CodecException {
    requireOpen();
    Objects.checkFromIndexSize(packedOffset, packedLength, packed.length);
    Objects.checkFromIndexSize(plainOffset, plainLength, plain.length);
    requireEqualLengths(packedLength, plainLength);
    System.arraycopy(packed, packedOffset, plain, plainOffset, plainLength);
  }

  @Override
  public void unpack(ByteBuffer packed, ByteBuffer plain, @Nullable Dictionary dictionary)
      throws CodecException {
    requireOpen();
    requireWritable(plain);
    requireEqualLengths(packed.remaining(), plain.remaining());
    plain.put(packed);
  }

  @Override
  public void close() {
    closed = true;
  }

  /** Refuses a buffer that output is to be written to but cannot be. */
  static void requireWritable(ByteBuffer buffer) {
    if (buffer.isReadOnly()) {
      throw new ReadOnlyBufferException();
    }
  }

  private static void requireEqualLengths(int found, int plainLength) throws CodecException {
    if (found != plainLength) {
      throw new CodecException(
          "raw content has another length: plainLength=" + plainLength + " found=" + found);
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("codec is closed: name=" + name());
    }
  }
}
