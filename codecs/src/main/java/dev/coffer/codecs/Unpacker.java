package dev.coffer.codecs;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdDictDecompress;
import com.github.luben.zstd.ZstdException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A native decompression context. The codec has checked the ranges. Nothing a frame says about its
 * size is believed: zstd gets the room the caller has and must fill it exactly.
 */
final class Unpacker extends NativeContext {
  private final ZstdDecompressCtx context;
  private final DictionaryCache<ZstdDictDecompress> dictionaries;

  Unpacker(DictionaryCache<ZstdDictDecompress> dictionaries) throws CodecException {
    this.dictionaries = dictionaries;
    try {
      context = new ZstdDecompressCtx().setMagicless(true);
    } catch (RuntimeException | LinkageError e) {
      throw ZstdCodec.unusable(e);
    }
  }

  void unpack(
      byte[] packed,
      int packedOffset,
      int packedLength,
      byte[] plain,
      int plainOffset,
      int plainLength,
      @Nullable Dictionary dictionary)
      throws CodecException {
    SharedDictionary<ZstdDictDecompress> shared = load(dictionary);
    try {
      requireAll(
          context.decompressByteArray(
              plain, plainOffset, plainLength, packed, packedOffset, packedLength),
          packedLength,
          plainLength);
    } catch (RuntimeException e) {
      throw failed(e, packedLength, plainLength);
    } finally {
      unload(shared);
    }
  }

  /** Leaves both positions alone. */
  void unpack(ByteBuffer packed, ByteBuffer plain, @Nullable Dictionary dictionary)
      throws CodecException {
    SharedDictionary<ZstdDictDecompress> shared = load(dictionary);
    try {
      requireAll(decompress(packed, plain), packed.remaining(), plain.remaining());
    } catch (RuntimeException e) {
      throw failed(e, packed.remaining(), plain.remaining());
    } finally {
      unload(shared);
    }
  }

  /** zstd-jni has a call for each pair of kinds; only an array that is hidden is copied. */
  private int decompress(ByteBuffer packed, ByteBuffer plain) {
    int packedLength = packed.remaining();
    int plainLength = plain.remaining();
    if (packed.isDirect()) {
      return plain.isDirect()
          ? context.decompressDirectByteBuffer(
              plain, plain.position(), plainLength, packed, packed.position(), packedLength)
          : context.decompressDirectByteBufferToByteArray(
              plain.array(),
              plain.arrayOffset() + plain.position(),
              plainLength,
              packed,
              packed.position(),
              packedLength);
    }
    byte[] source;
    int sourceOffset = 0;
    if (packed.hasArray()) {
      source = packed.array();
      sourceOffset = packed.arrayOffset() + packed.position();
    } else {
      source = scratch(packedLength);
      packed.get(packed.position(), source, 0, packedLength);
    }
    return plain.isDirect()
        ? context.decompressByteArrayToDirectByteBuffer(
            plain, plain.position(), plainLength, source, sourceOffset, packedLength)
        : context.decompressByteArray(
            plain.array(),
            plain.arrayOffset() + plain.position(),
            plainLength,
            source,
            sourceOffset,
            packedLength);
  }

  @Override
  void close() {
    context.close();
  }

  private @Nullable SharedDictionary<ZstdDictDecompress> load(@Nullable Dictionary dictionary)
      throws CodecException {
    if (dictionary == null) {
      return null;
    }
    SharedDictionary<ZstdDictDecompress> shared = dictionaries.acquire(dictionary);
    context.loadDict(shared.digest());
    return shared;
  }

  /** Before the context goes back to its pool, so that it never holds a dictionary while idle. */
  private void unload(@Nullable SharedDictionary<ZstdDictDecompress> shared) {
    if (shared != null) {
      context.loadDict((ZstdDictDecompress) null);
      shared.release();
    }
  }

  private static void requireAll(int found, int packedLength, int plainLength)
      throws CodecException {
    if (found != plainLength) {
      throw wrongLength(Integer.toString(found), packedLength, plainLength, null);
    }
  }

  private static CodecException failed(RuntimeException e, int packedLength, int plainLength) {
    if (e instanceof ZstdException z && z.getErrorCode() == Zstd.errDstSizeTooSmall()) {
      return wrongLength("more", packedLength, plainLength, e);
    }
    return new CodecException(
        "zstd cannot unpack: packedLength="
            + packedLength
            + " plainLength="
            + plainLength
            + " reason="
            + e.getMessage(),
        e);
  }

  private static CodecException wrongLength(
      String found, int packedLength, int plainLength, @Nullable RuntimeException cause) {
    String message =
        "packed content has another plain length: plainLength="
            + plainLength
            + " found="
            + found
            + " packedLength="
            + packedLength;
    return cause == null ? new CodecException(message) : new CodecException(message, cause);
  }
}
