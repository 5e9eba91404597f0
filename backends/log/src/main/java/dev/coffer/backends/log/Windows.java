package dev.coffer.backends.log;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The committed prefix of a file, mapped in windows of at most 1 GiB. It grows in steps that grow
 * with it, since a mapping lives until the garbage collector finds it. Thread-safe.
 *
 * <p>A mapping whose file is truncated by someone else raises an {@link InternalError} when read;
 * it must therefore only be copied from, never handed to a checksum or a codec, which would crash.
 */
final class Windows {
  private static final long WINDOW = 1L << 30;
  private static final long MIN_STEP = 256 * 1024;

  /** Who reads no more than this does without a mapping, which takes a while in a young JVM. */
  static final int FIRST_READS = 32;

  private final Storage.OpenFile file;
  private volatile Mapped mapped = new Mapped(new ByteBuffer[0], 0);
  private volatile boolean usable = true;

  /** About how many reads there were before the first mapping. */
  private int firstReads;

  Windows(Storage.OpenFile file) {
    this.file = file;
  }

  /** Copies a range if it is mapped, or worth mapping now; {@code limit} is the mappable length. */
  boolean copy(long offset, byte[] target, int targetOffset, int length, long limit) {
    Mapped now = mapped;
    if (offset + length > now.end) {
      if (!usable || limit - now.end < Math.max(MIN_STEP, now.end / 4)) {
        return false;
      }
      if (firstReads < FIRST_READS) {
        firstReads++; // Threads may miss each other's count, which does no harm.
        return false;
      }
      now = grow(limit);
      if (offset + length > now.end) {
        return false;
      }
    }
    int done = 0;
    while (done < length) {
      long at = offset + done;
      ByteBuffer window = now.windows[(int) (at / WINDOW)];
      int start = (int) (at % WINDOW);
      int count = Math.min(length - done, window.limit() - start);
      window.get(start, target, targetOffset + done, count);
      done += count;
    }
    return true;
  }

  private synchronized Mapped grow(long limit) {
    Mapped now = mapped;
    if (limit <= now.end) {
      return now;
    }
    int count = (int) ((limit + WINDOW - 1) / WINDOW);
    ByteBuffer[] windows = new ByteBuffer[count];
    try {
      for (int i = 0; i < count; i++) {
        long start = i * WINDOW;
        if (i < now.windows.length && now.windows[i].limit() == WINDOW) {
          windows[i] = now.windows[i];
          continue;
        }
        ByteBuffer window = file.map(start, Math.min(WINDOW, limit - start));
        if (window == null) {
          usable = false;
          return now;
        }
        windows[i] = window;
      }
    } catch (IOException e) {
      usable = false; // Positional reads do as well.
      return now;
    }
    mapped = new Mapped(windows, limit);
    return mapped;
  }

  private record Mapped(ByteBuffer[] windows, long end) {}
}
