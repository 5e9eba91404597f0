package dev.coffer.codecs;

/**
 * Makes a codec; found with {@link java.util.ServiceLoader}. Implementations are stateless and
 * thread-safe.
 */
public interface CodecProvider {

  /** The id of the codecs made here. */
  int id();

  /** The name of the codecs made here. */
  String name();

  /**
   * Makes a codec.
   *
   * @param level how hard to try, on the codec's own scale; 0 means its default
   * @throws CodecException if the codec's native library cannot be loaded or has no memory
   * @throws IllegalArgumentException if the codec has no such level
   */
  Codec create(int level) throws CodecException;
}
