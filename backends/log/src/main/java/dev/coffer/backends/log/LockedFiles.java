package dev.coffer.backends.log;

import java.io.IOException;
import java.nio.channels.Channel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which data files this JVM holds a lock on, by file key. A POSIX lock is lost as soon as any
 * channel on the file is closed in the process; so whoever else has such a file open here, to read
 * or map it, has its channel closed only once the lock is given up; until then it serves whoever
 * opens the file next. Thread-safe.
 *
 * <p>Code that is not Coffer's, or Coffer's in another class loader, does not ask here: where it
 * opens and closes the data file of a store that is open for writing, only the lock on the side
 * file is left against other processes, which a hard link to the data file does not meet.
 */
final class LockedFiles {
  private static final Map<Object, List<Channel>> LOCKED = new HashMap<>();

  private LockedFiles() {}

  /** Takes a lock. */
  interface Attempt {
    /** Whether the lock was granted. */
    boolean lock() throws IOException;
  }

  /** Takes a lock on the file of a key; false if somebody has it. */
  static boolean lock(@Nullable Object key, Attempt attempt) throws IOException {
    synchronized (LOCKED) {
      if ((key != null && LOCKED.containsKey(key)) || !attempt.lock()) {
        return false;
      }
      if (key != null) {
        LOCKED.put(key, new ArrayList<>());
      }
      return true;
    }
  }

  /** Closes a channel, now or once the lock on its file is given up. */
  static void close(@Nullable Object key, Channel channel) throws IOException {
    synchronized (LOCKED) {
      List<Channel> waiting = key == null ? null : LOCKED.get(key);
      if (waiting == null) {
        channel.close();
      } else {
        waiting.add(channel);
      }
    }
  }

  /** A channel on a locked file that waits to be closed, for use until then; null if none does. */
  static <C extends Channel> @Nullable C reuse(@Nullable Object key, Class<C> type) {
    synchronized (LOCKED) {
      List<Channel> waiting = key == null ? null : LOCKED.get(key);
      for (int i = 0; waiting != null && i < waiting.size(); i++) {
        if (type.isInstance(waiting.get(i))) {
          return type.cast(waiting.remove(i));
        }
      }
      return null;
    }
  }

  /** Closes the channel that has the lock, and whatever waited for that. */
  static void unlock(@Nullable Object key, Channel holder) throws IOException {
    synchronized (LOCKED) {
      List<Channel> waiting = key == null ? null : LOCKED.remove(key);
      holder.close();
      if (waiting != null) {
        for (Channel each : waiting) {
          each.close();
        }
      }
    }
  }
}
