package dev.coffer.codecs;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDictCompress;
import com.github.luben.zstd.ZstdException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A native compression context. The codec has checked the ranges; every {@code pack} answers the
 * packed length or {@link Codec#NOT_SHRUNK}.
 *
 * <p>zstd gets all the room there is, although only what is below the plain length counts: when its
 * worst case fits, it never fails for want of room, and content that does not shrink costs no
 * exception.
 */
final class Packer extends NativeContext {
  private final ZstdCompressCtx context;
  private final DictionaryCache<ZstdDictCompress> dictionaries;

  Packer(int level, DictionaryCache<ZstdDictCompress> dictionaries) throws CodecException {
    this.dictionaries = dictionaries;
    try {
      context =
          new ZstdCompressCtx()
              .setLevel(level)
              .setMagicless(true)
              .setContentSize(false)
              .setChecksum(false)
              .setDictID(false);
    } catch (RuntimeException | LinkageError e) {
      throw ZstdCodec.unusable(e);
    }
  }

  int pack(
      byte[] plain,
      int plainOffset,
      int plainLength,
      byte[] packed,
      int packedOffset,
      int room,
      @Nullable Dictionary dictionary)
      throws CodecException {
    SharedDictionary<ZstdDictCompress> shared = load(dictionary);
    try {
      return shrunk(
          context.compressByteArray(packed, packedOffset, room, plain, plainOffset, plainLength),
          plainLength);
    } catch (RuntimeException e) {
      return notShrunk(e, plainLength);
    } finally {
      unload(shared);
    }
  }

  /** Leaves both positions alone. */
  int pack(ByteBuffer plain, ByteBuffer packed, @Nullable Dictionary dictionary)
      throws CodecException {
    if (!plain.isDirect() || !packed.isDirect()) {
      return packThroughArrays(plain, packed, dictionary);
    }
    SharedDictionary<ZstdDictCompress> shared = load(dictionary);
    try {
      return shrunk(
          context.compressDirectByteBuffer(
              packed,
              packed.position(),
              packed.remaining(),
              plain,
              plain.position(),
              plain.remaining()),
          plain.remaining());
    } catch (RuntimeException e) {
      return notShrunk(e, plain.remaining());
    } finally {
      unload(shared);
    }
  }

  /**
   * zstd-jni has no call that packs at once from an array into a direct buffer or back, and its
   * streaming ones copy through a window of the context's own. So whatever has no array to hand is
   * copied through the scratch array: the plain bytes at its beginning, the packed ones after them.
   */
  private int packThroughArrays(
      ByteBuffer plain, ByteBuffer packed, @Nullable Dictionary dictionary) throws CodecException {
    int plainLength = plain.remaining();
    int copiedIn = plain.hasArray() ? 0 : plainLength;
    int copiedOut = packed.hasArray() ? 0 : Math.min(packed.remaining(), worstCase(plainLength));
    byte[] scratch = scratch(Math.addExact(copiedIn, copiedOut));
    byte[] source = scratch;
    int sourceOffset = 0;
    if (plain.hasArray()) {
      source = plain.array();
      sourceOffset = plain.arrayOffset() + plain.position();
    } else {
      plain.get(plain.position(), scratch, 0, plainLength);
    }
    if (packed.hasArray()) {
      return pack(
          source,
          sourceOffset,
          plainLength,
          packed.array(),
          packed.arrayOffset() + packed.position(),
          packed.remaining(),
          dictionary);
    }
    int length = pack(source, sourceOffset, plainLength, scratch, copiedIn, copiedOut, dictionary);
    if (length != Codec.NOT_SHRUNK) {
      packed.put(packed.position(), scratch, copiedIn, length);
    }
    return length;
  }

  @Override
  void close() {
    context.close();
  }

  /** A little above what zstd may need for content that does not shrink at all. */
  private static int worstCase(int plainLength) {
    return (int) Math.min(Integer.MAX_VALUE, (long) plainLength + (plainLength >> 8) + 64);
  }

  private @Nullable SharedDictionary<ZstdDictCompress> load(@Nullable Dictionary dictionary)
      throws CodecException {
    if (dictionary == null) {
      return null;
    }
    SharedDictionary<ZstdDictCompress> shared = dictionaries.acquire(dictionary);
    context.loadDict(shared.digest());
    return shared;
  }

  /** Before the context goes back to its pool, so that it never holds a dictionary while idle. */
  private void unload(@Nullable SharedDictionary<ZstdDictCompress> shared) {
    if (shared != null) {
      context.loadDict((ZstdDictCompress) null);
      shared.release();
    }
  }

  private static int shrunk(int length, int plainLength) {
    return length < plainLength ? length : Codec.NOT_SHRUNK;
  }

  private static int notShrunk(RuntimeException e, int plainLength) throws CodecException {
    if (e instanceof ZstdException z && z.getErrorCode() == Zstd.errDstSizeTooSmall()) {
      return Codec.NOT_SHRUNK;
    }
    throw new CodecException("zstd cannot pack: plainLength=" + plainLength, e);
  }
}
