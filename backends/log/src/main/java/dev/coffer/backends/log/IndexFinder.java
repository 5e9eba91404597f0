package dev.coffer.backends.log;

import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the newest index of a log: by the trailer of a file that was closed cleanly, else in the
 * folder beside it. No index, or one that does not fit the log, only means that more is replayed.
 */
final class IndexFinder {
  private final SegmentSet segments;
  private final Segment segment;
  private final long length;
  private final IndexFiles files;
  private final List<Problem> problems;
  private long rootOffset;

  IndexFinder(SegmentSet segments, long length, IndexFiles files, List<Problem> problems) {
    this.segments = segments;
    this.segment = segments.active();
    this.length = length;
    this.files = files;
    this.problems = problems;
  }

  /** Where the root that was found lies in the log, or 0. */
  long rootOffset() {
    return rootOffset;
  }

  /** The index to go on from, or null. */
  @Nullable IndexBase find() throws StoreException {
    if (segment.number() > 0) {
      return beside();
    }
    TrailerLayout trailer = trailer();
    if (trailer == null) {
      return beside();
    }
    if (trailer.indexRunOffset() == 0) {
      return null;
    }
    try {
      IndexBase base = IndexBase.open(rootAt(trailer.indexRunOffset()), segments, files);
      rootOffset = trailer.indexRunOffset();
      return base;
    } catch (StoreCorruptException e) {
      problems.add(
          new Problem(
              null,
              trailer.indexRunOffset(),
              "index is damaged, and was made anew: " + e.getMessage()));
      return null;
    }
  }

  private @Nullable IndexBase beside() throws StoreException {
    IndexRoot root = files.read();
    while (root != null && fits(root)) {
      try {
        return IndexBase.open(root, segments, files);
      } catch (StoreException e) {
        IndexRoot newer = files.read();
        if (newer == null || Arrays.equals(newer.encode(), root.encode())) {
          return null;
        }
        root = newer; // A writer is at work and has replaced the parts.
      }
    }
    return null;
  }

  /** The trailer at the very end, or null. */
  private @Nullable TrailerLayout trailer() throws StoreException {
    long offset = length - RecordHeader.LENGTH - TrailerLayout.LENGTH;
    byte[] meta = offset < FileHeader.LENGTH ? null : meta(offset, RecordKind.TRAILER, 0);
    try {
      return meta == null ? null : TrailerLayout.decode(meta);
    } catch (StoreCorruptException e) {
      return null;
    }
  }

  private IndexRoot rootAt(long offset) throws StoreException {
    byte[] meta = meta(offset, RecordKind.INDEX_ROOT, 0);
    if (meta == null) {
      throw BytesIn.malformed("of an index root is not there: offset=" + offset);
    }
    IndexRoot root = IndexRoot.decode(meta);
    if (root.end().offset() > offset || !fits(root)) {
      throw BytesIn.malformed("of an index root does not fit the log: offset=" + offset);
    }
    return root;
  }

  /** Whether the log has what the root covers: its last commit frame is where it says. */
  private boolean fits(IndexRoot root) throws StoreException {
    root.features().requireReadable();
    Segment last = segments.find(root.end().segment());
    if (last == null || !isWholeFrom(last) || root.end().offset() > limit(last)) {
      return false;
    }
    if (root.frameOffset() == 0) {
      return last.number() == 0
          ? root.sequence() == 0
          : scanner(last).startSequence() == root.sequence();
    }
    long frameEnd = root.frameOffset() + RecordHeader.LENGTH + CommitLayout.LENGTH;
    return frameEnd <= root.end().offset()
        && (meta(last, root.frameOffset(), RecordKind.COMMIT, root.frameCrc()) != null
            || meta(last, root.frameOffset(), RecordKind.MOVE, root.frameCrc()) != null);
  }

  /** Whether every segment is there that ever followed one; else its commits are lost. */
  private boolean isWholeFrom(Segment from) {
    List<Segment> all = segments.all();
    return segment.number() - from.number() == all.size() - 1 - all.indexOf(from);
  }

  private long limit(Segment of) {
    return of == segment ? length : of.written();
  }

  private RecordScanner scanner(Segment of) {
    return new RecordScanner(of.path, of.file, of.home, limit(of));
  }

  /** The meta bytes of a sound record of a kind, whose header has a CRC unless that is 0. */
  private byte @Nullable [] meta(long offset, int kind, int crc) throws StoreException {
    return meta(segment, offset, kind, crc);
  }

  private byte @Nullable [] meta(Segment in, long offset, int kind, int crc) throws StoreException {
    if (offset < FileHeader.LENGTH) {
      return null;
    }
    RecordScanner scanner = scanner(in);
    boolean sound =
        scanner.at(offset) == RecordScanner.Status.RECORD
            && scanner.header().kind() == kind
            && (crc == 0 || scanner.header().crc() == crc);
    return sound ? scanner.meta() : null;
  }
}
