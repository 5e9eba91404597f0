package dev.coffer.backends.log;

import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreVersionException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads a log, from its start or from what an index root covers, and makes of it what its commits
 * made: whole batches only. Writes nothing. The rules are those of docs/format.md, "Recovery".
 *
 * <p>Where the chain of records breaks, what lies beyond decides: if it, or anything before, tells
 * that the file was forced past the break, that is damage, and the intact records beyond it are
 * kept; otherwise it is the tail of a write that never finished, and ends the store.
 */
final class Replay {
  /** About what a changed entry or chunk takes in memory. */
  private static final int CHANGE_HEAP = 160;

  private final SegmentSet segments;
  private final long activeLength;
  private Segment segment;
  private RecordScanner scanner;
  private final Contents contents;
  private final References references;
  private final List<Problem> problems = new ArrayList<>();
  private final PendingBatch pending = new PendingBatch();
  private final Index.Editor index;
  private final List<Row> added = new ArrayList<>();
  private final List<Row> removed = new ArrayList<>();
  private final long start;
  private final SortedMap<String, String> properties = new TreeMap<>();
  private final Map<Long, DictionaryInfo> dictionaries = new HashMap<>();

  private Features features;
  private int epoch;
  private long sequence;
  private long listingHash;
  private long entryCount;
  private long nextContentId = 1;
  private Live.Frame frame = Live.Frame.NONE;
  private @Nullable CommitLayout lastFrame;
  private long durable;
  private long end;
  private long sound;
  private long trailerOffset = -1;
  private long startSequence;
  private long lowestVersion;
  private boolean damaged;
  private boolean looked;
  private boolean brokenBatch;
  private long rows;
  private final long mostHeap;
  private long heap;
  private boolean full;

  /**
   * What replay made of a log.
   *
   * @param rows how many rows were made of what was replayed
   * @param end where the last whole batch ends; what follows is a tail without meaning, or a
   *     trailer
   * @param sound up to where one record follows the other in the last segment, {@code end} or more
   * @param durable up to where the file is known to have been forced
   * @param closed whether the file ends with a trailer
   * @param startSequence the last commit before the last segment
   * @param lowestVersion the lowest version of any put in the last segment, or less; 0 if it has
   *     none
   * @param damaged whether anything is wrong but an unfinished tail
   * @param partial whether there is more, for which there was no memory
   */
  record Result(
      Snapshot snapshot,
      References references,
      Features features,
      int epoch,
      long nextContentId,
      Live.Frame frame,
      long rows,
      long end,
      long sound,
      long durable,
      boolean closed,
      long startSequence,
      long lowestVersion,
      boolean damaged,
      boolean partial,
      List<Problem> problems) {}

  private Replay(SegmentSet segments, long length, @Nullable IndexBase base, long mostHeap)
      throws StoreException {
    this.mostHeap = mostHeap;
    this.segments = segments;
    this.activeLength = length;
    this.segment = base == null ? segments.all().get(0) : segments.get(base.root().end().segment());
    this.scanner = scannerOf(segment);
    List<Run> runs = base == null ? List.of() : base.runs();
    this.contents = new Contents(segments, Run.chunks(runs));
    this.references = new References(contents, Run.shared(runs));
    this.index = Index.of(runs).edit();
    if (base == null) {
      this.features = segment.header.features();
      this.start = FileHeader.LENGTH;
    } else {
      IndexRoot root = base.root();
      this.start = root.end().offset();
      this.features = root.features();
      this.epoch = root.epoch();
      this.sequence = root.sequence();
      this.entryCount = root.entryCount();
      this.listingHash = root.listingHash();
      this.nextContentId = root.nextContentId();
      this.frame = new Live.Frame(root.frameOffset(), root.frameCrc());
      this.properties.putAll(root.properties());
      this.dictionaries.putAll(root.dictionaries());
      references.restore(root);
    }
  }

  /**
   * Replays a log.
   *
   * @param length up to where its last segment counts
   * @param base what is known already, or null to read everything
   */
  static Result run(SegmentSet segments, long length, @Nullable IndexBase base)
      throws StoreException {
    return run(segments, length, base, Long.MAX_VALUE);
  }

  /**
   * As {@link #run(SegmentSet, long, IndexBase)}, but ends at a commit once what was made of a
   * sound log takes about so many bytes.
   */
  static Result run(SegmentSet segments, long length, @Nullable IndexBase base, long mostHeap)
      throws StoreException {
    return new Replay(segments, length, base, mostHeap).run();
  }

  private RecordScanner scannerOf(Segment from) {
    long limit = from == segments.active() ? activeLength : from.written();
    return new RecordScanner(from.path, from.file, from.home, limit);
  }

  private Result run() throws StoreException {
    durable = start;
    List<Segment> all = segments.all();
    for (int i = all.indexOf(segment); i < all.size() - 1; i++) {
      durable = scanner.limit(); // A segment was forced before it was finished.
      looked = true;
      replay(end == 0 ? start : FileHeader.LENGTH);
      if (full) {
        return result();
      }
      requireEnd();
      begin(all.get(i + 1));
    }
    replay(end == 0 ? start : FileHeader.LENGTH);
    return result();
  }

  private void begin(Segment next) {
    segment = next;
    scanner = scannerOf(next);
    pending.clear();
    brokenBatch = false;
    looked = false;
    durable = 0;
    trailerOffset = -1;
    frame = Live.Frame.NONE;
    lowestVersion = 0;
    end = FileHeader.LENGTH;
  }

  /** A finished segment ends with its trailer. */
  private void requireEnd() {
    if (trailerOffset + RecordHeader.LENGTH + TrailerLayout.LENGTH != scanner.limit()) {
      damaged = true;
      problems.add(problem(null, end, "segment has lost its end"));
    }
  }

  private Problem problem(@Nullable String path, long offset, String message) {
    return new Problem(
        path, offset, segment.number() == 0 ? message : message + " segment=" + segment.number());
  }

  private void replay(long from) throws StoreException {
    long position = from;
    end = position;
    if (from > FileHeader.LENGTH && segment.number() > 0) {
      startInTheMiddle();
    }
    while (!full) {
      RecordScanner.Status status = scanner.at(position);
      sound = position;
      if (status == RecordScanner.Status.END) {
        break;
      }
      String wrong = status == RecordScanner.Status.RECORD ? accept(position) : status.name();
      if (wrong == null) {
        position += scanner.header().length();
        continue;
      }
      long next = pass(position, status, wrong);
      if (next < 0) {
        break;
      }
      position = next;
    }
  }

  /** What came before in the segment is known, but for what its manifest will say. */
  private void startInTheMiddle() throws StoreException {
    startSequence = scanner.startSequence();
    lowestVersion = 1;
  }

  /** Takes in a record; answers what is wrong with it instead, or null. */
  private @Nullable String accept(long offset) throws StoreException {
    RecordHeader header = scanner.header();
    boolean newEpoch = header.kind() == RecordKind.EPOCH;
    boolean expected =
        newEpoch
            ? header.epoch() > epoch && header.number() == header.epoch()
            : header.epoch() == epoch || (damaged && header.epoch() > epoch);
    if (!expected || (epoch == 0 && !newEpoch && !damaged)) {
      return "WRONG_EPOCH";
    }
    if (!RecordKind.isKnown(header.kind()) && !RecordKind.isSkippable(header.kind())) {
      throw StoreVersionException.tooNew(
          "store holds an unknown kind of record: kind=" + header.kind() + " offset=" + offset);
    }
    try {
      switch (header.kind()) {
        case RecordKind.COMMIT, RecordKind.MOVE ->
            commit(header, offset, CommitLayout.decode(scanner.meta()));
        case RecordKind.EPOCH -> epoch(header, offset, EpochLayout.decode(scanner.meta()));
        case RecordKind.TRAILER -> trailer(header, offset, TrailerLayout.decode(scanner.meta()));
        default -> {
          pending.add(header, offset, scanner.meta());
          trailerOffset = -1;
        }
      }
    } catch (StoreCorruptException e) {
      return e.getMessage();
    }
    epoch = header.epoch();
    return null;
  }

  /**
   * Passes a break.
   *
   * @return where to go on, or -1 at the end
   */
  private long pass(long offset, RecordScanner.Status status, String wrong) throws StoreException {
    RecordHeader header = status == RecordScanner.Status.NO_HEADER ? null : scanner.header();
    boolean skip = status == RecordScanner.Status.RECORD || status == RecordScanner.Status.BAD_META;
    if (!looked) {
      looked = true;
      durable = scanner.forcedBeyond(offset, epoch, durable);
    }
    if (offset >= durable) {
      return -1;
    }
    damaged = true;
    brokenBatch = true;
    trailerOffset = -1;
    problems.add(problem(null, offset, "record is damaged: reason=" + wrong));
    return skip && header != null && header.epoch() >= epoch
        ? offset + header.length()
        : scanner.find(offset + 1, epoch);
  }

  private void epoch(RecordHeader header, long offset, EpochLayout layout) throws StoreException {
    features = features.plus(layout.added());
    features.requireReadable();
    if (brokenBatch && layout.sequence() > sequence) {
      applyPending(layout.sequence(), FileHeader.LENGTH);
    }
    pending.clear();
    brokenBatch = false;
    if (offset == FileHeader.LENGTH && segment.number() > 0) {
      sequence = Math.max(sequence, layout.sequence()); // Segments before may be gone.
      startSequence = sequence;
    }
    durable = Math.max(durable, offset);
    end = offset + header.length();
    trailerOffset = -1;
  }

  private void commit(RecordHeader header, long offset, CommitLayout layout) throws StoreException {
    long number = header.number();
    boolean moves = header.kind() == RecordKind.MOVE;
    boolean first = sequence == 0 && lastFrame == null;
    long expected = moves ? sequence : sequence + 1;
    if (number < expected || (!first && !damaged && number != expected)) {
      throw BytesIn.malformed(
          "of a commit has a wrong sequence: after=" + sequence + " found=" + number);
    }
    if (layout.durableUpTo() > offset || layout.batchStart() > offset) {
      throw BytesIn.malformed("of a commit points behind itself: offset=" + offset);
    }
    if (!brokenBatch) {
      pending.require(layout);
    }
    applyPending(number, layout.batchStart());
    pending.clear();
    brokenBatch = false;
    sequence = number;
    lastFrame = layout;
    frame = new Live.Frame(offset, header.crc());
    nextContentId = Math.max(nextContentId, layout.nextContentId());
    durable = Math.max(durable, layout.durableUpTo());
    end = offset + header.length();
    trailerOffset = -1;
    full = heap > mostHeap && !damaged && !references.isIncomplete();
  }

  private void trailer(RecordHeader header, long offset, TrailerLayout layout)
      throws StoreException {
    if (brokenBatch && header.number() > sequence) {
      applyPending(header.number(), FileHeader.LENGTH);
      sequence = header.number();
    }
    pending.clear();
    brokenBatch = false;
    trailerOffset = offset;
    nextContentId = Math.max(nextContentId, layout.nextContentId());
    durable = Math.max(durable, offset);
    // Where older segments are gone, what they held was moved behind this one.
    boolean complete = segment == segments.active();
    if (header.number() != sequence
        || (complete
            && (layout.entryCount() != entryCount || layout.listingHash() != listingHash))) {
      listingProblem(layout.entryCount());
    }
  }

  private void listingProblem(long expected) {
    damaged = true;
    problems.add(
        new Problem(
            null,
            -1,
            "listing is not what was committed: expected=" + expected + " found=" + entryCount));
  }

  private void applyPending(long upToSequence, long batchStart) throws StoreException {
    for (PendingBatch.Pending record : pending.from(batchStart)) {
      try {
        for (LogItem item : record.items()) {
          tryApply(record, item, upToSequence);
        }
      } catch (StoreCorruptException e) {
        damage(record, e);
      }
    }
    for (Row row : added) {
      references.added(row);
    }
    for (Row row : removed) {
      references.removed(row);
    }
    added.clear();
    removed.clear();
  }

  private void damage(PendingBatch.Pending record, StoreCorruptException cause) {
    damaged = true;
    problems.add(problem(cause.path(), record.offset(), String.valueOf(cause.getMessage())));
  }

  /** Applies an item; if that cannot be, others of the same record still count. */
  private void tryApply(PendingBatch.Pending record, LogItem item, long upToSequence)
      throws StoreException {
    try {
      apply(item, upToSequence);
    } catch (StoreCorruptException e) {
      damage(record, e);
    }
  }

  private void apply(LogItem item, long upToSequence) throws StoreException {
    long number = item.number();
    switch (item.kind()) {
      case RecordKind.PUT -> {
        if (number <= 0 || number > upToSequence) {
          throw BytesIn.malformed("of an entry has a wrong version: found=" + number);
        }
        Row row = item.row(segment.number());
        lowestVersion = lowestVersion == 0 ? number : Math.min(lowestVersion, number);
        account(index.put(row), row);
      }
      case RecordKind.DELETE ->
          account(index.remove(EntryLayout.decodeKey(item.meta()), number), null);
      case RecordKind.CHUNK -> chunk(item, number);
      case RecordKind.PROPERTY -> {
        PropertyLayout property = PropertyLayout.decode(item.meta());
        if (property.value().isEmpty()) {
          properties.remove(property.name());
        } else {
          properties.put(property.name(), property.value());
        }
      }
      case RecordKind.DICTIONARY ->
          dictionaries.put(
              number,
              new DictionaryInfo(
                  segment.number(),
                  item.contentOffset(),
                  item.contentLength(),
                  DictionaryLayout.crc(item.meta())));
      default -> {}
    }
  }

  private void chunk(LogItem item, long id) throws StoreException {
    ChunkLayout layout = ChunkLayout.decode(item.meta());
    if (id <= 0) {
      throw BytesIn.malformed("of a chunk has a wrong content id: found=" + id);
    }
    references.found(
        id, ChunkInfo.of(segment.number(), item.contentOffset(), item.contentLength(), layout));
    nextContentId = Math.max(nextContentId, id + 1);
    heap += CHANGE_HEAP;
  }

  private void account(@Nullable Row before, @Nullable Row after) {
    if (before != null) {
      listingHash -= before.hash();
      entryCount--;
      removed.add(before);
      heap += CHANGE_HEAP;
    }
    if (after != null) {
      listingHash += after.hash();
      entryCount++;
      rows++;
      heap += CHANGE_HEAP + after.meta().length;
      added.add(after);
    }
  }

  private Result result() throws StoreException {
    if (epoch == 0 && !damaged) {
      throw new StoreCorruptException(
          "store has no first record: file=" + segment.path, null, FileHeader.LENGTH, null);
    }
    CommitLayout last = lastFrame;
    boolean closed = trailerOffset >= 0;
    if (!full && !closed && last != null && last.listingHash() != listingHash) {
      listingProblem(last.entryCount());
    }
    if (!closed && damaged) {
      problems.add(problem(null, end, "store was not closed cleanly, or its end is lost"));
    }
    Index done = index.done();
    if (references.reportLost(done, problems::add)) {
      damaged = true;
    }
    Snapshot snapshot =
        new Snapshot(
            segments,
            contents,
            sequence,
            new Location(segment.number(), end),
            done,
            entryCount,
            listingHash,
            Collections.unmodifiableSortedMap(properties),
            Map.copyOf(dictionaries));
    return new Result(
        snapshot,
        references,
        features,
        epoch,
        nextContentId,
        frame,
        rows,
        closed ? trailerOffset : end,
        sound,
        durable,
        closed,
        startSequence,
        lowestVersion,
        damaged,
        full,
        problems);
  }
}
