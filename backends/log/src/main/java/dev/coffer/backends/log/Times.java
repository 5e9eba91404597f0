package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;
import java.time.DateTimeException;
import java.time.Instant;

/** Instants from stored numbers. */
final class Times {
  private static final int NANOS_PER_SECOND = 1_000_000_000;

  private Times() {}

  static Instant instant(long seconds, long nanos) throws StoreCorruptException {
    if (nanos < 0 || nanos >= NANOS_PER_SECOND) {
      throw BytesIn.malformed("has a wrong time: nanos=" + nanos);
    }
    try {
      return Instant.ofEpochSecond(seconds, nanos);
    } catch (DateTimeException e) {
      throw new StoreCorruptException("record has a wrong time: seconds=" + seconds, null, -1, e);
    }
  }
}
