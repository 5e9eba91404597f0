package dev.coffer.vfs.internal;

import dev.coffer.codecs.Codec;
import dev.coffer.codecs.CodecException;
import dev.coffer.codecs.Codecs;
import dev.coffer.vfs.StoreBackendException;
import dev.coffer.vfs.StoreClosedException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.PackedChunk;
import java.util.Arrays;

/** Packs plain chunks, or stores them raw where packing does not pay. Thread-safe. */
final class Packer {
  /** The id of bytes stored as they are. */
  static final int RAW = 0;

  /** Content below this many bytes is stored raw, untried. */
  private static final int MIN_PACKED = 128;

  /** Content from this many bytes on is sampled before it is packed. */
  private static final int MIN_SAMPLED = 32 * 1024;

  /** With this much room beside the plain length, zstd need not give up on content that grows. */
  private static final int SLACK = 64;

  private static final int SAMPLE_LENGTH = 4 * 1024;
  private static final int SAMPLES = 3;

  /** Packing must save at least one part in this many, or reads would pay for nothing. */
  private static final int LEAST_GAIN = 64;

  private final StoreCodecs codecs;
  private final BufferPool<byte[]> scratch;

  /**
   * @param codecs of which one is tried; stay the caller's to close
   * @param maxLength the longest plain chunk in bytes
   */
  Packer(StoreCodecs codecs, int maxLength) {
    this.codecs = codecs;
    this.scratch =
        new BufferPool<>() {
          @Override
          byte[] make() {
            return new byte[maxLength + maxLength / 256 + SLACK];
          }
        };
  }

  /** The id of the codec that is tried. */
  int codecId() {
    return Codecs.ZSTD_ID;
  }

  /** Packs {@code plain[offset, offset + length)} into memory of its own. */
  PackedChunk pack(byte[] plain, int offset, int length) throws StoreException {
    return length < MIN_PACKED ? raw(plain, offset, length) : pack(plain, offset, length, true);
  }

  private PackedChunk pack(byte[] plain, int offset, int length, boolean looksFirst)
      throws StoreException {
    Codec codec = codecs.forPacking();
    byte[] buffer = scratch.borrow();
    try {
      if (looksFirst && !mayShrink(codec, plain, offset, length, buffer)) {
        return raw(plain, offset, length);
      }
      int packed = codec.pack(plain, offset, length, buffer, 0, null);
      if (packed == Codec.NOT_SHRUNK || packed > length - length / LEAST_GAIN) {
        return raw(plain, offset, length);
      }
      return PackedChunk.of(false, codec.id(), 0, length, Arrays.copyOf(buffer, packed));
    } catch (CodecException e) {
      throw new StoreBackendException(
          "cannot pack content: codec=" + codec.name() + " length=" + length, e);
    } catch (IllegalStateException e) {
      throw new StoreClosedException("store was closed during a write: length=" + length, e);
    } finally {
      scratch.giveBack(buffer);
    }
  }

  /** As {@link #pack}, but without looking first whether that is likely to pay. */
  PackedChunk packUnsampled(byte[] plain, int offset, int length) throws StoreException {
    return pack(plain, offset, length, false);
  }

  private static boolean mayShrink(Codec codec, byte[] plain, int offset, int length, byte[] buffer)
      throws CodecException {
    return !Noise.isLikely(plain, offset, length)
        && (length < MIN_SAMPLED || samplesShrink(codec, plain, offset, length, buffer));
  }

  /** Media and other packed content do not shrink anywhere, and a few samples tell. */
  private static boolean samplesShrink(
      Codec codec, byte[] plain, int offset, int length, byte[] buffer) throws CodecException {
    for (int i = 1; i <= SAMPLES; i++) {
      int start = offset + (int) ((long) i * (length - SAMPLE_LENGTH) / (SAMPLES + 1));
      int packed = codec.pack(plain, start, SAMPLE_LENGTH, buffer, 0, null);
      if (packed != Codec.NOT_SHRUNK && packed < SAMPLE_LENGTH - SAMPLE_LENGTH / LEAST_GAIN) {
        return true;
      }
    }
    return false;
  }

  private static PackedChunk raw(byte[] plain, int offset, int length) {
    return PackedChunk.of(
        false, RAW, 0, length, Arrays.copyOfRange(plain, offset, offset + length));
  }
}
