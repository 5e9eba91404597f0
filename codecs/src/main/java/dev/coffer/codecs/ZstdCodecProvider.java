package dev.coffer.codecs;

/**
 * Makes the codec {@code zstd}. Levels go from 1 (fastest) to 22 (smallest); 0 means 3. Above 19 a
 * context takes tens of megabytes of native memory.
 */
public final class ZstdCodecProvider implements CodecProvider {

  /** For {@link java.util.ServiceLoader}. */
  public ZstdCodecProvider() {}

  @Override
  public int id() {
    return Codecs.ZSTD_ID;
  }

  @Override
  public String name() {
    return Codecs.ZSTD;
  }

  @Override
  public Codec create(int level) throws CodecException {
    return new ZstdCodec(level);
  }
}
