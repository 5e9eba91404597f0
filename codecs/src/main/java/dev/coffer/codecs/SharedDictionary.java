package dev.coffer.codecs;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A digested dictionary in native memory with a count of its users, the cache being one of them.
 * The last to let go frees it, so no eviction and no close takes it from a call in flight.
 */
final class SharedDictionary<D extends Closeable> {
  private final long id;
  private final D digest;
  private final AtomicInteger users = new AtomicInteger(1);

  /** Starts with one user: whoever made it. */
  SharedDictionary(long id, D digest) {
    this.id = id;
    this.digest = digest;
  }

  long id() {
    return id;
  }

  D digest() {
    return digest;
  }

  /** Adds a user, unless the last one has gone and the memory with it. */
  boolean acquire() {
    int seen = users.get();
    while (seen > 0) {
      if (users.compareAndSet(seen, seen + 1)) {
        return true;
      }
      seen = users.get();
    }
    return false;
  }

  /** Removes a user. */
  void release() {
    if (users.decrementAndGet() == 0) {
      try {
        digest.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
