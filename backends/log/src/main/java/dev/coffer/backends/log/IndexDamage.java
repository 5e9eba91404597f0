package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;

/**
 * Damage met in an index run. Never leaves this package: what the run holds is derived, so whoever
 * catches this makes it anew from the log and tries again.
 */
final class IndexDamage extends RuntimeException {
  private static final long serialVersionUID = 1L;

  IndexDamage(StoreCorruptException cause) {
    super(cause.getMessage(), cause);
  }

  /** Something read from a run. */
  @FunctionalInterface
  interface Reading<T> {
    T read() throws StoreException;
  }

  /** Tells damage met while reading from a run from damage of the log itself. */
  static <T> T guard(Reading<T> reading) throws StoreException {
    try {
      return reading.read();
    } catch (StoreCorruptException e) {
      throw new IndexDamage(e);
    }
  }
}
