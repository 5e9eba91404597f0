package dev.coffer.vfs.internal;

import java.util.Iterator;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Plain chunks last used, up to a bound in bytes. Nobody writes to the arrays. Thread-safe.
 *
 * <p>A chunk's key is its content id, or the version of the one entry it belongs to: both name the
 * same bytes for ever.
 */
final class ChunkCache {
  private final long maxBytes;
  private final LinkedHashMap<Object, byte[]> chunks = new LinkedHashMap<>(64, 0.75f, true);
  private long bytes;

  ChunkCache(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  synchronized byte @Nullable [] get(Object key) {
    return chunks.get(key);
  }

  synchronized void put(Object key, byte[] plain) {
    if (plain.length > maxBytes) {
      return;
    }
    byte[] old = chunks.put(key, plain);
    bytes += plain.length - (old == null ? 0 : old.length);
    Iterator<byte[]> eldest = chunks.values().iterator();
    while (bytes > maxBytes && eldest.hasNext()) {
      bytes -= eldest.next().length;
      eldest.remove();
    }
  }
}
