package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The data files that a snapshot reads from, in the order of the log: the last one is the active
 * one. Immutable; holds each file open until nobody holds the set any more.
 */
final class SegmentSet {
  private final List<Segment> segments;
  private final AtomicInteger holds = new AtomicInteger(1);

  private SegmentSet(List<Segment> segments) {
    this.segments = List.copyOf(segments);
  }

  /** Takes over the holds of the segments' makers. */
  static SegmentSet of(List<Segment> segments) {
    return new SegmentSet(segments);
  }

  /** This set with one more segment, whose maker's hold it takes over. */
  SegmentSet plus(Segment young) {
    List<Segment> more = kept(segment -> true);
    more.add(young);
    return new SegmentSet(more);
  }

  /** This set without some segments, which stay open while this set is held. */
  SegmentSet without(Predicate<Segment> dropped) {
    return new SegmentSet(kept(dropped.negate()));
  }

  private List<Segment> kept(Predicate<Segment> wanted) {
    List<Segment> kept = new ArrayList<>();
    for (Segment segment : segments) {
      if (wanted.test(segment)) {
        if (!segment.hold()) {
          throw new IllegalStateException("segment is closed: file=" + segment.path);
        }
        kept.add(segment);
      }
    }
    return kept;
  }

  List<Segment> all() {
    return segments;
  }

  /** The one that grows, or would. */
  Segment active() {
    return segments.get(segments.size() - 1);
  }

  @Nullable Segment find(int number) {
    for (int i = segments.size() - 1; i >= 0; i--) {
      if (segments.get(i).number() == number) {
        return segments.get(i);
      }
    }
    return null;
  }

  /** The segment of a number that a record or row names. */
  Segment get(int number) throws StoreCorruptException {
    Segment segment = find(number);
    if (segment == null) {
      throw BytesIn.malformed("of an entry names an unknown segment: segment=" + number);
    }
    return segment;
  }

  /** Bytes of all files, written or not. */
  long length() {
    long length = 0;
    for (Segment segment : segments) {
      length += segment.end();
    }
    return length;
  }

  /** Keeps the files open until {@link #release}; false if that is too late. */
  boolean hold() {
    return Holds.hold(holds);
  }

  void release() {
    if (holds.decrementAndGet() == 0) {
      for (Segment segment : segments) {
        segment.release();
      }
    }
  }
}
