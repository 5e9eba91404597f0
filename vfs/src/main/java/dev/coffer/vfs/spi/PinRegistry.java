package dev.coffer.vfs.spi;

import dev.coffer.vfs.StoreException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Which content is pinned, and which is about to be deleted: a pin and a deletion of the same
 * content must each see the other, though the deletion commits later than it is decided.
 * Thread-safe.
 */
public final class PinRegistry {
  /** Asks the newest commit. */
  public interface Existence {
    boolean test() throws StoreException;
  }

  private final Map<Long, Integer> counts = new HashMap<>();
  private final Set<Long> doomed = new HashSet<>();

  /** A registry without pins. */
  public PinRegistry() {}

  /** PinRegistry content, or answers null if it is gone or going. */
  public synchronized @Nullable Pin pin(long id, Existence exists) throws StoreException {
    if (doomed.contains(id) || !exists.test()) {
      return null;
    }
    counts.merge(id, 1, Integer::sum);
    AtomicBoolean open = new AtomicBoolean(true);
    return () -> {
      if (open.compareAndSet(true, false)) {
        unpin(id);
      }
    };
  }

  private synchronized void unpin(long id) {
    counts.computeIfPresent(id, (key, count) -> count == 1 ? null : count - 1);
  }

  /** Ends all pins, with the store. */
  public synchronized void end() {
    counts.clear();
  }

  /** Claims content for deletion; false if it is pinned. */
  public synchronized boolean doom(long id) {
    if (counts.containsKey(id)) {
      return false;
    }
    doomed.add(id);
    return true;
  }

  /** Ends what {@link #doom} began, after the deletion was committed or given up. */
  public synchronized void settle(Iterable<Long> ids) {
    ids.forEach(doomed::remove);
  }
}
