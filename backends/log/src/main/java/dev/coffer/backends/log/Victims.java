package dev.coffer.backends.log;

import dev.coffer.vfs.StoreFullException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Knows how much of which segment is dead, and so which is to be emptied next. */
final class Victims {
  /** What a segment has besides records that may be live: headers, epoch, trailer, some frames. */
  private static final long OVERHEAD = 512;

  /** A segment is worth emptying if more than this share of it is dead. */
  private static final int WORTH_DIVISOR = 100;

  private static final double LEAST_SHARE = 0.1;

  /** What moving takes besides what is moved: frames, the ends of files, a manifest. */
  private static final long MOVING_BYTES = 4 * 1024;

  private final Storage storage;
  private final Live live;

  /** Bytes that must stay though no entry needs them, such as deletions; by segment. */
  private final Map<Integer, Long> kept = new HashMap<>();

  /** Segments that could not be emptied. */
  private final Set<Integer> stuck = new HashSet<>();

  Victims(Storage storage, Live live) {
    this.storage = storage;
    this.live = live;
  }

  /** How long all segments are, and how much of them is live. */
  record Lengths(long all, long live) {}

  Lengths lengths() {
    long length = 0;
    long liveBytes = 0;
    live.lock.lock();
    try {
      for (Segment each : live.snapshot().segments().all()) {
        length += each.end();
        liveBytes += live.references().liveBytes(each.number());
      }
    } finally {
      live.lock.unlock();
    }
    return new Lengths(length, liveBytes);
  }

  private long dead(Segment segment) {
    return segment.end()
        - live.references().liveBytes(segment.number())
        - kept.getOrDefault(segment.number(), 0L)
        - OVERHEAD;
  }

  /** Whether there is something to gain from emptying a segment. */
  boolean isWorth(Segment segment) {
    live.lock.lock();
    try {
      return dead(segment) > segment.end() / WORTH_DIVISOR;
    } finally {
      live.lock.unlock();
    }
  }

  /** So many bytes of a segment must stay though nobody counts them as live. */
  void keeps(int segment, long bytes) {
    kept.merge(segment, bytes, Long::sum);
  }

  /** A segment cannot be emptied: better room lost than an entry. */
  void stuck(int segment) {
    stuck.add(segment);
  }

  void dropped(int segment) {
    kept.remove(segment);
  }

  private List<Segment> finished() {
    List<Segment> all = live.snapshot().segments().all();
    return all.subList(0, all.size() - 1);
  }

  /** The segment with the largest share of dead room, if that is worth it. */
  @Nullable Segment leastUtilized() {
    live.lock.lock();
    try {
      Segment least = null;
      double most = LEAST_SHARE;
      for (Segment each : finished()) {
        double share = (double) dead(each) / each.end();
        if (share > most && !stuck.contains(each.number())) {
          least = each;
          most = share;
        }
      }
      return least;
    } finally {
      live.lock.unlock();
    }
  }

  /**
   * The next segment before {@code fence} that is worth it: the oldest; or where there is little
   * room, the one with the least to move, which makes room for the next.
   *
   * @throws StoreFullException if there is no room for what is to be moved of any
   */
  @Nullable Segment next(int fence) throws StoreFullException {
    List<Segment> worth = new ArrayList<>();
    for (Segment each : finished()) {
      if (each.number() < fence && isWorth(each) && !stuck.contains(each.number())) {
        worth.add(each);
      }
    }
    if (worth.isEmpty()) {
      return null;
    }
    Path path = live.active().path;
    long usable = storage.usableBytes(path);
    Segment oldest = worth.get(0);
    if (usable < 0 || liveBytes(oldest) + MOVING_BYTES <= usable) {
      return oldest;
    }
    worth.sort(Comparator.comparingLong(this::liveBytes));
    Segment smallest = worth.get(0);
    if (liveBytes(smallest) > 0 && liveBytes(smallest) + MOVING_BYTES > usable) {
      throw full(smallest);
    }
    return smallest;
  }

  private long liveBytes(Segment segment) {
    live.lock.lock();
    try {
      return live.references().liveBytes(segment.number());
    } finally {
      live.lock.unlock();
    }
  }

  /** A failure for want of room, which says how much is needed to go on. */
  StoreFullException full(Segment victim) {
    Path path = live.active().path;
    return new StoreFullException(
        "no room to compact further: needed="
            + (liveBytes(victim) + MOVING_BYTES)
            + " usable="
            + storage.usableBytes(path)
            + " file="
            + victim.path);
  }
}
