package dev.coffer.codecs;

/** Makes the codec {@code raw}, which keeps content as it is; it takes every level. */
public final class RawCodecProvider implements CodecProvider {

  /** For {@link java.util.ServiceLoader}. */
  public RawCodecProvider() {}

  @Override
  public int id() {
    return Codecs.RAW_ID;
  }

  @Override
  public String name() {
    return Codecs.RAW;
  }

  @Override
  public Codec create(int level) {
    return new RawCodec();
  }
}
