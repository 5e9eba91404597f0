package dev.coffer.backends.log;

import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.StoreCorruptException;
import org.jspecify.annotations.Nullable;

/**
 * Where entries are decoded one after the other: what one says like the one before is made once, as
 * the time and the mode of files that came in one commit. Not thread-safe.
 */
final class EntryDecoder {
  private final @Nullable SegmentSet segments;
  private @Nullable Attributes attributes;
  private int mode;
  private long seconds;
  private long nanos;
  private @Nullable Segment segment;

  /**
   * @param segments the files that content is read from, or null to read none
   */
  EntryDecoder(@Nullable SegmentSet segments) {
    this.segments = segments;
  }

  /** Attributes whose times are all the same. */
  Attributes attributes(int newMode, long newSeconds, long newNanos) throws StoreCorruptException {
    Attributes last = attributes;
    if (last == null || mode != newMode || seconds != newSeconds || nanos != newNanos) {
      last = Attributes.of(newMode, Times.instant(newSeconds, newNanos));
      attributes = last;
      mode = newMode;
      seconds = newSeconds;
      nanos = newNanos;
    }
    return last;
  }

  /** The segment of a number, or null if it is not there. */
  @Nullable Segment segment(int number) {
    Segment last = segment;
    if (segments != null && (last == null || last.number() != number)) {
      last = segments.find(number);
      segment = last;
    }
    return last;
  }
}
