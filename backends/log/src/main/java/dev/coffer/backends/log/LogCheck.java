package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads a whole log against what an index says of it, in memory that does not grow with either:
 * records are scanned in their order, and those that the index names are summed up. An additive
 * hash of entries stands in every frame, so the sums tell whether log, frames and index agree. What
 * the index does not name has to be deleted later; only such keys are remembered until then.
 *
 * <p>It only ever says that all is well. What is wrong, and whether it is damage or a tail that was
 * never finished, {@link Replay} has to say.
 */
final class LogCheck {
  /** So many entries may be waiting to be deleted: some 25 MB. */
  private static final int MOST_DOOMED = 400_000;

  private final Snapshot snapshot;
  private final long activeLength;
  private final boolean writable;
  private final PendingBatch pending = new PendingBatch();

  /** Hashes of keys that the index does not have, and the log has up to here. */
  private final Set<Long> doomed = new HashSet<>();

  private Segment segment;
  private int epoch;
  private long sequence;
  private boolean anyFrame;
  private boolean atTrailer;
  private long lastHash;
  private long entries;
  private long hash;
  private long chunks;

  /**
   * @param length up to where the active segment counts
   * @param writable whether the store is open for writing, so that it need not end with a trailer
   */
  LogCheck(Snapshot snapshot, long length, boolean writable) {
    this.snapshot = snapshot;
    this.activeLength = length;
    this.writable = writable;
    this.segment = snapshot.segments().all().get(0);
  }

  /** Whether every record is intact and in its place, and all of them make what the index says. */
  boolean isSound() throws StoreException {
    try {
      List<Segment> all = snapshot.segments().all();
      for (Segment each : all) {
        boolean active = each == snapshot.segments().active();
        segment = each;
        if (!scan(active ? activeLength : each.written()) || !(atTrailer || (active && writable))) {
          return false;
        }
      }
      return sequence == snapshot.sequence()
          && (!anyFrame || lastHash == snapshot.listingHash())
          && entries == snapshot.entryCount()
          && hash == snapshot.listingHash()
          && doomed.isEmpty()
          && chunks == chunksNamed();
    } catch (StoreCorruptException | IndexDamage e) {
      return false;
    }
  }

  private boolean scan(long length) throws StoreException {
    RecordScanner scanner = new RecordScanner(segment.path, segment.file, segment.home, length);
    pending.clear();
    atTrailer = false;
    long position = FileHeader.LENGTH;
    while (scanner.at(position) == RecordScanner.Status.RECORD) {
      if (!accept(scanner.header(), position, scanner.meta())) {
        return false;
      }
      position += scanner.header().length();
    }
    return position == length;
  }

  private boolean accept(RecordHeader header, long offset, byte[] meta) throws StoreException {
    atTrailer = header.kind() == RecordKind.TRAILER;
    if (header.kind() == RecordKind.EPOCH) {
      return epoch(header, offset, EpochLayout.decode(meta));
    }
    if (epoch == 0 || header.epoch() != epoch) {
      return false;
    }
    switch (header.kind()) {
      case RecordKind.COMMIT, RecordKind.MOVE -> {
        return frame(header, offset, CommitLayout.decode(meta));
      }
      case RecordKind.TRAILER -> {
        pending.clear();
        TrailerLayout trailer = TrailerLayout.decode(meta);
        return header.number() == sequence
            && (segment != snapshot.segments().active()
                || (trailer.entryCount() == snapshot.entryCount()
                    && trailer.listingHash() == snapshot.listingHash()));
      }
      default -> {
        pending.add(header, offset, meta);
        return RecordKind.isKnown(header.kind()) || RecordKind.isSkippable(header.kind());
      }
    }
  }

  private boolean epoch(RecordHeader header, long offset, EpochLayout layout) {
    if (header.epoch() <= epoch || header.number() != header.epoch()) {
      return false;
    }
    epoch = header.epoch();
    pending.clear();
    if (offset == FileHeader.LENGTH && segment.number() > 0) {
      sequence = Math.max(sequence, layout.sequence()); // Segments before may be gone.
    }
    return true;
  }

  private boolean frame(RecordHeader header, long offset, CommitLayout layout)
      throws StoreException {
    boolean first = sequence == 0 && !anyFrame;
    long expected = header.kind() == RecordKind.MOVE ? sequence : sequence + 1;
    if (header.number() < expected || (!first && header.number() != expected)) {
      return false;
    }
    if (layout.durableUpTo() > offset || layout.batchStart() > offset) {
      return false;
    }
    pending.require(layout);
    for (PendingBatch.Pending record : pending.from(layout.batchStart())) {
      for (LogItem item : record.items()) {
        if (!count(item)) {
          return false;
        }
      }
    }
    pending.clear();
    sequence = header.number();
    lastHash = layout.listingHash();
    anyFrame = true;
    return true;
  }

  /** Counts what the index names; answers whether it may be there. */
  private boolean count(LogItem item) throws StoreException {
    switch (item.kind()) {
      case RecordKind.PUT -> {
        return put(item.row(segment.number()));
      }
      case RecordKind.DELETE -> {
        byte[] key = EntryLayout.decodeKey(item.meta());
        Row named = snapshot.index().get(key);
        doomed.remove(KeyHash.of(key, 0, key.length));
        return named == null || named.version() > item.number();
      }
      case RecordKind.CHUNK -> {
        var unused = ChunkLayout.decode(item.meta());
        ChunkInfo named = snapshot.contents().get(item.number());
        if (named != null
            && named.references() > 0
            && named.segment() == segment.number()
            && named.offset() == item.contentOffset()) {
          chunks += share(item.number(), named);
        }
        return true;
      }
      default -> {
        return true;
      }
    }
  }

  private boolean put(Row found) throws StoreException {
    byte[] key = found.key();
    Row named = snapshot.index().get(key);
    if (named == null) {
      doomed.add(KeyHash.of(key, 0, key.length));
      return doomed.size() <= MOST_DOOMED;
    }
    if (named.version() == found.version()
        && named.segment() == found.segment()
        && Math.max(0, named.contentOffset()) == Math.max(0, found.contentOffset())) {
      entries++;
      hash += found.hash();
    }
    return found.version() <= named.version();
  }

  private long chunksNamed() throws StoreException {
    long sum = 0;
    LayeredTable.Walk<Long, ChunkInfo> walk = snapshot.contents().table().walk();
    while (walk.next()) {
      if (walk.value().references() > 0) {
        sum += share(walk.key(), walk.value());
      }
    }
    return sum;
  }

  private static long share(long id, ChunkInfo chunk) {
    return Row.mix(Row.mix(id) + Row.mix(chunk.segment()) + chunk.offset());
  }
}
