package dev.coffer.vfs.internal;

import dev.coffer.codecs.Codec;
import dev.coffer.codecs.CodecException;
import dev.coffer.codecs.Codecs;
import dev.coffer.vfs.StoreBackendException;
import dev.coffer.vfs.StoreClosedException;
import dev.coffer.vfs.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * The codecs of one store, made when first needed: a listing needs none, and takes less time than
 * loading their native libraries. Thread-safe.
 */
final class StoreCodecs implements AutoCloseable {
  private final int level;
  private volatile @Nullable Codecs loaded;
  private boolean closed;

  /**
   * @param level what {@link Codecs#load} is given
   */
  StoreCodecs(int level) {
    this.level = level;
  }

  /**
   * The codecs, which stay this object's to close.
   *
   * @throws StoreBackendException if they cannot be made, as on a platform without the native code
   * @throws StoreClosedException if they were not needed before {@link #close}
   */
  Codecs get() throws StoreException {
    Codecs codecs = loaded;
    return codecs == null ? load() : codecs;
  }

  /** The codec that new content is packed with. */
  Codec forPacking() throws StoreException {
    Codec codec = get().byId(Codecs.ZSTD_ID);
    if (codec == null) {
      throw new StoreBackendException("no such codec is installed: codec=" + Codecs.ZSTD);
    }
    return codec;
  }

  private synchronized Codecs load() throws StoreException {
    Codecs codecs = loaded;
    if (codecs != null) {
      return codecs;
    }
    if (closed) {
      throw new StoreClosedException("store is closed");
    }
    try {
      codecs = Codecs.load(level);
    } catch (CodecException e) {
      throw new StoreBackendException("cannot make the codecs: level=" + level, e);
    }
    loaded = codecs;
    return codecs;
  }

  /** Closes what was made; idempotent. */
  @Override
  public synchronized void close() {
    closed = true;
    if (loaded != null) {
      loaded.close();
    }
  }
}
