package dev.coffer.cli;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** Points in time as text. */
final class Times {
  private static final long YEAR_0 = -62_167_219_200L;
  private static final long YEAR_10000 = 253_402_300_800L;

  private Times() {}

  /** As {@link Instant#toString}, without its formatter, which is slow to load and to run. */
  static String utc(Instant time) {
    long seconds = time.getEpochSecond();
    if (seconds < YEAR_0 || seconds >= YEAR_10000) {
      return time.toString();
    }
    String text = LocalDateTime.ofEpochSecond(seconds, time.getNano(), ZoneOffset.UTC).toString();
    boolean wholeMinute = time.getNano() == 0 && Math.floorMod(seconds, 60) == 0;
    return text + (wholeMinute ? ":00Z" : "Z");
  }
}
