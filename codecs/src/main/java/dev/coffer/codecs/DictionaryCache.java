package dev.coffer.codecs;

import java.io.Closeable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Digested dictionaries by id, a bounded number of them, without a lock. Two threads that miss at
 * once both digest: a few hundred microseconds lost once, where waiting could stall every reader.
 */
final class DictionaryCache<D extends Closeable> {
  /** Stores have a dictionary per kind of file, so few are in use at once. */
  static final int CAPACITY = 16;

  /** Digests the bytes of a dictionary. */
  interface Digester<D> {
    D digest(byte[] bytes);
  }

  private final Digester<D> digester;
  private final AtomicReferenceArray<SharedDictionary<D>> slots =
      new AtomicReferenceArray<>(CAPACITY);
  private final AtomicInteger victim = new AtomicInteger();
  private volatile boolean closed;

  DictionaryCache(Digester<D> digester) {
    this.digester = digester;
  }

  /**
   * The digested form, counted as used by the caller, who releases it. Also works on a closed
   * cache, for calls that were in flight; what is made then is freed at its release.
   *
   * @throws CodecException if zstd refuses the dictionary
   */
  SharedDictionary<D> acquire(Dictionary dictionary) throws CodecException {
    for (int i = 0; i < CAPACITY; i++) {
      SharedDictionary<D> cached = slots.get(i);
      if (cached != null && cached.id() == dictionary.id() && cached.acquire()) {
        return cached;
      }
    }
    SharedDictionary<D> made = make(dictionary);
    if (!closed && made.acquire()) {
      put(made);
    }
    return made;
  }

  private SharedDictionary<D> make(Dictionary dictionary) throws CodecException {
    try {
      return new SharedDictionary<>(dictionary.id(), digester.digest(dictionary.shared()));
    } catch (RuntimeException e) {
      throw new CodecException(
          "zstd refuses the dictionary: id="
              + Long.toHexString(dictionary.id())
              + " length="
              + dictionary.length(),
          e);
    }
  }

  private void put(SharedDictionary<D> made) {
    int index = Math.floorMod(victim.getAndIncrement(), CAPACITY);
    SharedDictionary<D> evicted = slots.getAndSet(index, made);
    if (evicted != null) {
      evicted.release();
    }
    if (closed) {
      drain();
    }
  }

  /** Lets go of all; what calls in flight still use is freed when they let go. */
  void close() {
    closed = true;
    drain();
  }

  private void drain() {
    for (int i = 0; i < CAPACITY; i++) {
      SharedDictionary<D> cached = slots.getAndSet(i, null);
      if (cached != null) {
        cached.release();
      }
    }
  }
}
