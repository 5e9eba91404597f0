package dev.coffer.cli;

import java.io.IOException;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Sets times of modification on disk, as near as the JDK lets us. */
final class ModifiedTime {
  private ModifiedTime() {}

  /**
   * Sets a time. The JDK hands fractions of seconds before 1970 to the system as negative ones, is
   * refused, and sets 1970 instead; such times are kept to the second below.
   */
  static void set(BasicFileAttributeView view, Instant time) throws IOException {
    boolean refused = time.getEpochSecond() < 0 && time.getNano() != 0;
    Instant possible = refused ? time.truncatedTo(ChronoUnit.SECONDS) : time;
    view.setTimes(FileTime.from(possible), null, null);
  }
}
