package dev.coffer.codecs;

import com.github.luben.zstd.ZstdDictCompress;
import com.github.luben.zstd.ZstdDictDecompress;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * zstd through pooled native contexts.
 *
 * <p>The packed form is one zstd frame (RFC 8878) without its magic number, content size, checksum
 * and dictionary id: whoever keeps it has the codec id, the plain length, a checksum and the
 * dictionary's id anyway, so each of them would be kept twice. On content of 100 bytes to 1 MiB
 * that saves 4 to 7 bytes a frame, which is 2 percent of a packed file of 300 bytes; and without a
 * magic number zstd has no skippable frames, nor any older format, to be led into.
 *
 * <p>Arrays are pinned while native code works on them. Contexts idle in two pools of at most twice
 * the number of processors each; digested dictionaries in two caches.
 */
final class ZstdCodec implements Codec {
  static final int DEFAULT_LEVEL = 3;
  static final int MAX_LEVEL = 22;

  /** No frame is shorter: descriptor, window, block header and one byte. */
  private static final int MIN_PACKED_LENGTH = 6;

  private final DictionaryCache<ZstdDictCompress> packDictionaries;
  private final DictionaryCache<ZstdDictDecompress> unpackDictionaries;
  private final ContextPool<Packer> packers;
  private final ContextPool<Unpacker> unpackers;

  /**
   * Makes a codec and its first context, so that a native library that cannot be loaded shows here.
   *
   * @param level 1 to {@value #MAX_LEVEL}, or 0 for {@value #DEFAULT_LEVEL}
   */
  ZstdCodec(int level) throws CodecException {
    this(level, 2 * Runtime.getRuntime().availableProcessors());
  }

  ZstdCodec(int level, int poolLength) throws CodecException {
    if (level < 0 || level > MAX_LEVEL) {
      throw new IllegalArgumentException(
          "zstd has no such level: level=" + level + " min=1 max=" + MAX_LEVEL);
    }
    int effective = level == 0 ? DEFAULT_LEVEL : level;
    packDictionaries = new DictionaryCache<>(bytes -> new ZstdDictCompress(bytes, effective));
    unpackDictionaries = new DictionaryCache<>(ZstdDictDecompress::new);
    packers = new ContextPool<>(poolLength, () -> new Packer(effective, packDictionaries));
    unpackers = new ContextPool<>(poolLength, () -> new Unpacker(unpackDictionaries));
    unpackers.giveBack(unpackers.borrow());
  }

  @Override
  public int id() {
    return Codecs.ZSTD_ID;
  }

  @Override
  public String name() {
    return Codecs.ZSTD;
  }

  @Override
  public int pack(
      byte[] plain,
      int plainOffset,
      int plainLength,
      byte[] packed,
      int packedOffset,
      @Nullable Dictionary dictionary)
      throws CodecException {
    Objects.checkFromIndexSize(plainOffset, plainLength, plain.length);
    Objects.checkFromToIndex(packedOffset, packed.length, packed.length);
    packers.requireOpen();
    int room = packed.length - packedOffset;
    if (plainLength <= MIN_PACKED_LENGTH || room < MIN_PACKED_LENGTH) {
      return NOT_SHRUNK;
    }
    Packer packer = packers.borrow();
    try {
      return packer.pack(plain, plainOffset, plainLength, packed, packedOffset, room, dictionary);
    } finally {
      packers.giveBack(packer);
    }
  }

  @Override
  public int pack(ByteBuffer plain, ByteBuffer packed, @Nullable Dictionary dictionary)
      throws CodecException {
    RawCodec.requireWritable(packed);
    packers.requireOpen();
    if (plain.remaining() <= MIN_PACKED_LENGTH || packed.remaining() < MIN_PACKED_LENGTH) {
      return NOT_SHRUNK;
    }
    Packer packer = packers.borrow();
    int length;
    try {
      length = packer.pack(plain, packed, dictionary);
    } finally {
      packers.giveBack(packer);
    }
    if (length != NOT_SHRUNK) {
      plain.position(plain.limit());
      packed.position(packed.position() + length);
    }
    return length;
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
    Objects.checkFromIndexSize(packedOffset, packedLength, packed.length);
    Objects.checkFromIndexSize(plainOffset, plainLength, plain.length);
    unpackers.requireOpen();
    requirePossible(packedLength, plainLength);
    Unpacker unpacker = unpackers.borrow();
    try {
      unpacker.unpack(
          packed, packedOffset, packedLength, plain, plainOffset, plainLength, dictionary);
    } finally {
      unpackers.giveBack(unpacker);
    }
  }

  @Override
  public void unpack(ByteBuffer packed, ByteBuffer plain, @Nullable Dictionary dictionary)
      throws CodecException {
    RawCodec.requireWritable(plain);
    unpackers.requireOpen();
    requirePossible(packed.remaining(), plain.remaining());
    Unpacker unpacker = unpackers.borrow();
    try {
      unpacker.unpack(packed, plain, dictionary);
    } finally {
      unpackers.giveBack(unpacker);
    }
    packed.position(packed.limit());
    plain.position(plain.limit());
  }

  /** Contexts in use are closed as they come back, dictionaries when their last user is done. */
  @Override
  public void close() {
    packers.close();
    unpackers.close();
    packDictionaries.close();
    unpackDictionaries.close();
  }

  ContextPool<Packer> packers() {
    return packers;
  }

  ContextPool<Unpacker> unpackers() {
    return unpackers;
  }

  /** What to throw when no context can be made. */
  static CodecException unusable(Throwable cause) {
    return new CodecException(
        "zstd's native library cannot be used: reason="
            + cause.getMessage()
            + " os="
            + System.getProperty("os.name")
            + " arch="
            + System.getProperty("os.arch")
            + " tempFolder="
            + System.getProperty("ZstdTempFolder", System.getProperty("java.io.tmpdir", "")),
        cause);
  }

  /** {@code pack} never makes a frame of nothing, nor an empty one. */
  private static void requirePossible(int packedLength, int plainLength) throws CodecException {
    if (packedLength < MIN_PACKED_LENGTH || plainLength <= MIN_PACKED_LENGTH) {
      throw new CodecException(
          "not a zstd frame of ours: packedLength="
              + packedLength
              + " plainLength="
              + plainLength
              + " minPackedLength="
              + MIN_PACKED_LENGTH);
    }
  }
}
