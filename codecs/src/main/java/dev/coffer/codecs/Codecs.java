package dev.coffer.codecs;

import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * The codecs of this process by id: one of each {@link CodecProvider} that {@link ServiceLoader}
 * finds beside this class. Immutable and thread-safe. Whoever loads them closes them, once nothing
 * uses them any more.
 */
public final class Codecs implements AutoCloseable {
  /** The name of the codec that keeps content as it is. */
  public static final String RAW = "raw";

  /** The id of the codec that keeps content as it is. */
  public static final int RAW_ID = 0;

  /** The name of the zstd codec. */
  public static final String ZSTD = "zstd";

  /** The id of the zstd codec. */
  public static final int ZSTD_ID = 1;

  private static final int IDS = 256;

  private final @Nullable Codec[] byId;

  private Codecs(@Nullable Codec[] byId) {
    this.byId = byId;
  }

  /**
   * Makes every codec at the given level.
   *
   * <p>Providers are looked up through the class loader of {@link Codec} itself, not the thread's
   * context loader: an application server or a plug-in host may call from a thread that does not
   * see this library.
   *
   * @param level how hard to try, on each codec's own scale; 0 means its default
   * @throws CodecException if a codec's native library cannot be loaded
   * @throws IllegalArgumentException if a codec has no such level
   * @throws IllegalStateException if two providers claim one id or name, or an id is not 0 to 255
   */
  public static Codecs load(int level) throws CodecException {
    @Nullable Codec[] byId = new @Nullable Codec[IDS];
    Codecs codecs = new Codecs(byId);
    boolean complete = false;
    try {
      for (CodecProvider provider :
          ServiceLoader.load(CodecProvider.class, Codec.class.getClassLoader())) {
        codecs.requireFree(provider);
        byId[provider.id()] = provider.create(level);
      }
      complete = true;
      return codecs;
    } finally {
      if (!complete) {
        codecs.close();
      }
    }
  }

  private void requireFree(CodecProvider provider) {
    int id = provider.id();
    if (id < 0 || id >= IDS) {
      throw new IllegalStateException(
          "codec id is outside 0 to 255: id=" + id + " name=" + provider.name());
    }
    Codec taken = byId[id] == null ? byName(provider.name()) : byId[id];
    if (taken != null) {
      throw new IllegalStateException(
          "two codecs claim one id or name: id="
              + id
              + " name="
              + provider.name()
              + " takenId="
              + taken.id()
              + " takenName="
              + taken.name());
    }
  }

  /** The codec with this id, or null if there is none; any number is answered. */
  public @Nullable Codec byId(int id) {
    return id >= 0 && id < IDS ? byId[id] : null;
  }

  /** The codec with this name, or null if there is none. */
  public @Nullable Codec byName(String name) {
    for (Codec codec : byId) {
      if (codec != null && codec.name().equals(name)) {
        return codec;
      }
    }
    return null;
  }

  /** Closes every codec; idempotent. */
  @Override
  public void close() {
    for (Codec codec : byId) {
      if (codec != null) {
        codec.close();
      }
    }
  }
}
