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
 * Reads a file from its start and makes of it what its commits made: whole batches only. Writes
 * nothing. The rules are those of docs/format.md, "Recovery".
 *
 * <p>Where the chain of records breaks, what lies beyond decides: if it, or anything before, tells
 * that the file was forced past the break, that is damage, and the intact records beyond it are
 * kept; otherwise it is the tail of a write that never finished, and ends the store.
 */
final class Replay {
  private final Generation generation;
  private final RecordScanner scanner;
  private final List<Problem> problems = new ArrayList<>();
  private final List<Pending> pending = new ArrayList<>();
  private final IndexMap.Editor index = IndexMap.EMPTY.edit();
  private final SortedMap<String, String> properties = new TreeMap<>();
  private final Map<Long, DictionaryInfo> dictionaries = new HashMap<>();

  private Features features;
  private int epoch;
  private long sequence;
  private long listingHash;
  private long nextContentId = 1;
  private long frameOffset;
  private @Nullable CommitLayout frame;
  private long durable;
  private long end;
  private long trailerOffset = -1;
  private boolean damaged;
  private boolean looked;
  private boolean brokenBatch;

  private record Pending(RecordHeader header, long offset, byte[] meta) {
    long contentOffset() {
      return offset + RecordHeader.LENGTH + header.metaLength();
    }
  }

  /**
   * What replay made of a file.
   *
   * @param end where the last whole batch ends; what follows is a tail without meaning, or a
   *     trailer
   * @param durable up to where the file is known to have been forced
   * @param closed whether the file ends with a trailer
   * @param damaged whether anything is wrong but an unfinished tail
   */
  record Result(
      Snapshot snapshot,
      References references,
      Features features,
      int epoch,
      long nextContentId,
      long frameOffset,
      long end,
      long durable,
      boolean closed,
      boolean damaged,
      List<Problem> problems) {}

  private Replay(Generation generation, RecordScanner scanner) {
    this.generation = generation;
    this.scanner = scanner;
    this.features = generation.header.features();
  }

  /** Replays a file of {@code length} bytes. */
  static Result run(Generation generation, long length) throws StoreException {
    RecordScanner scanner =
        new RecordScanner(generation.path, generation.file, generation.home, length);
    return new Replay(generation, scanner).run();
  }

  private Result run() throws StoreException {
    long position = FileHeader.LENGTH;
    end = position;
    while (true) {
      RecordScanner.Status status = scanner.at(position);
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
    return result();
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
        case RecordKind.COMMIT -> commit(header, offset, CommitLayout.decode(scanner.meta()));
        case RecordKind.EPOCH -> epoch(header, offset, EpochLayout.decode(scanner.meta()));
        case RecordKind.TRAILER -> trailer(header, offset, TrailerLayout.decode(scanner.meta()));
        default -> {
          pending.add(new Pending(header, offset, scanner.meta()));
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
      lookAhead(offset);
    }
    if (offset >= durable) {
      return -1;
    }
    damaged = true;
    brokenBatch = true;
    trailerOffset = -1;
    problems.add(new Problem(null, offset, "record is damaged: reason=" + wrong));
    return skip && header != null && header.epoch() >= epoch
        ? offset + header.length()
        : scanner.find(offset + 1, epoch);
  }

  /** Learns from the records beyond a break up to where the file had been forced. */
  private void lookAhead(long offset) throws StoreException {
    long position = scanner.find(offset, epoch);
    while (position >= 0) {
      RecordScanner.Status status = scanner.at(position);
      if (status != RecordScanner.Status.RECORD) {
        position = scanner.find(position + 1, epoch);
        continue;
      }
      RecordHeader header = scanner.header();
      switch (header.kind()) {
        case RecordKind.COMMIT -> {
          if (scanner.meta().length == CommitLayout.LENGTH) {
            durable =
                Math.max(
                    durable, Math.min(position, CommitLayout.decode(scanner.meta()).durableUpTo()));
          }
        }
        case RecordKind.TRAILER, RecordKind.EPOCH -> durable = Math.max(durable, position);
        default -> {}
      }
      position = scanner.find(position + header.length(), epoch);
    }
  }

  private void epoch(RecordHeader header, long offset, EpochLayout layout) throws StoreException {
    features = features.plus(layout.added());
    features.requireReadable();
    if (brokenBatch && layout.sequence() > sequence) {
      applyPending(layout.sequence(), FileHeader.LENGTH);
    }
    pending.clear();
    brokenBatch = false;
    durable = Math.max(durable, offset);
    end = offset + header.length();
    trailerOffset = -1;
  }

  private void commit(RecordHeader header, long offset, CommitLayout layout) throws StoreException {
    long number = header.number();
    boolean first = frame == null;
    if (number <= sequence || (!first && !damaged && number != sequence + 1)) {
      throw BytesIn.malformed(
          "of a commit has a wrong sequence: after=" + sequence + " found=" + number);
    }
    if (layout.durableUpTo() > offset || layout.batchStart() > offset) {
      throw BytesIn.malformed("of a commit points behind itself: offset=" + offset);
    }
    if (!brokenBatch) {
      requireBatch(layout);
    }
    applyPending(number, layout.batchStart());
    pending.clear();
    brokenBatch = false;
    sequence = number;
    frame = layout;
    frameOffset = offset;
    nextContentId = Math.max(nextContentId, layout.nextContentId());
    durable = Math.max(durable, layout.durableUpTo());
    end = offset + header.length();
    trailerOffset = -1;
  }

  private void requireBatch(CommitLayout layout) throws StoreCorruptException {
    int[] crcs = new int[pending.size()];
    int count = 0;
    for (Pending record : pending) {
      if (record.offset >= layout.batchStart()) {
        crcs[count++] = record.header.crc();
      }
    }
    if (count != layout.recordCount() || CommitLayout.batchCrc(crcs, count) != layout.batchCrc()) {
      throw BytesIn.malformed(
          "of a commit does not match its batch: expected="
              + layout.recordCount()
              + " found="
              + count);
    }
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
    if (header.number() != sequence
        || layout.entryCount() != index.size()
        || layout.listingHash() != listingHash) {
      listingProblem(layout.entryCount());
    }
  }

  private void listingProblem(long expected) {
    damaged = true;
    problems.add(
        new Problem(
            null,
            -1,
            "listing is not what was committed: expected=" + expected + " found=" + index.size()));
  }

  private void applyPending(long upToSequence, long batchStart) {
    for (Pending record : pending) {
      if (record.offset >= batchStart) {
        try {
          apply(record, upToSequence);
        } catch (StoreCorruptException e) {
          damaged = true;
          problems.add(new Problem(e.path(), record.offset, String.valueOf(e.getMessage())));
        }
      }
    }
  }

  private void apply(Pending record, long upToSequence) throws StoreCorruptException {
    RecordHeader header = record.header;
    long number = header.number();
    switch (header.kind()) {
      case RecordKind.PUT -> {
        if (number <= 0 || number > upToSequence) {
          throw BytesIn.malformed("of an entry has a wrong version: found=" + number);
        }
        Row row =
            EntryLayout.row(
                generation, record.meta, number, record.contentOffset(), header.contentLength());
        account(index.put(row), row);
      }
      case RecordKind.DELETE -> account(index.remove(EntryLayout.decodeKey(record.meta)), null);
      case RecordKind.CHUNK -> {
        ChunkLayout layout = ChunkLayout.decode(record.meta);
        if (number <= 0) {
          throw BytesIn.malformed("of a chunk has a wrong content id: found=" + number);
        }
        generation.chunks.put(
            number, new ChunkInfo(record.contentOffset(), header.contentLength(), layout));
        nextContentId = Math.max(nextContentId, number + 1);
      }
      case RecordKind.PROPERTY -> {
        PropertyLayout property = PropertyLayout.decode(record.meta);
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
                  record.contentOffset(),
                  header.contentLength(),
                  DictionaryLayout.crc(record.meta)));
      default -> {}
    }
  }

  private void account(@Nullable Row before, @Nullable Row after) {
    listingHash += (after == null ? 0 : after.hash()) - (before == null ? 0 : before.hash());
  }

  private Result result() throws StoreException {
    if (epoch == 0 && !damaged) {
      throw new StoreCorruptException(
          "store has no first record: file=" + generation.path, null, FileHeader.LENGTH, null);
    }
    CommitLayout last = frame;
    boolean closed = trailerOffset >= 0;
    if (!closed && last != null && last.listingHash() != listingHash) {
      listingProblem(last.entryCount());
    }
    if (!closed && damaged) {
      problems.add(new Problem(null, end, "store was not closed cleanly, or its end is lost"));
    }
    IndexMap rows = index.done();
    References references = new References(generation);
    int before = problems.size();
    references.recount(rows, problems::add);
    references.sweep();
    damaged |= problems.size() > before;
    Snapshot snapshot =
        new Snapshot(
            generation,
            sequence,
            rows,
            listingHash,
            Collections.unmodifiableSortedMap(properties),
            Map.copyOf(dictionaries));
    return new Result(
        snapshot,
        references,
        features,
        epoch,
        nextContentId,
        frameOffset,
        closed ? trailerOffset : end,
        durable,
        closed,
        damaged,
        problems);
  }
}
