package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.PackedChunk;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds what is needed of a finished segment: its own records first, in their order, then entries
 * elsewhere whose content lies in it. Everything is checked as it is read. For one thread; takes no
 * lock.
 */
final class SegmentReader {
  private static final byte[] NOTHING = new byte[0];

  private final Live live;
  private final Segment segment;
  private final RecordScanner scanner;
  private final Set<String> properties = new HashSet<>();

  /** What the record before {@code position} says and was not looked at yet. */
  private final Deque<LogItem> items = new ArrayDeque<>();

  private long position = FileHeader.LENGTH;
  private boolean scanned;
  private boolean looksElsewhere;
  private @Nullable RowCursor rows;
  private boolean done;

  /** A segment that no new row may point to any more. */
  SegmentReader(Live live, Segment segment) {
    this.live = live;
    this.segment = segment;
    this.scanner = new RecordScanner(segment.path, segment.file, segment.home, segment.written());
  }

  /** Whether there is nothing more. */
  boolean isDone() {
    return done;
  }

  /** The next records that may be needed, about so many bytes of them, at least one. */
  List<Move> next(long budget) throws StoreException {
    List<Move> moves = new ArrayList<>();
    long bytes = 0;
    boolean wasScanned = scanned;
    while (!done && bytes < Math.max(1, budget)) {
      if (scanned && !wasScanned && !moves.isEmpty()) {
        break; // Those are to be moved before entries elsewhere are looked at.
      }
      Move move = scanned ? nextLocated() : nextItem();
      if (move != null) {
        moves.add(move);
        bytes += move.length();
      }
    }
    return moves;
  }

  private @Nullable Move nextItem() throws StoreException {
    if (items.isEmpty()) {
      if (position >= scanner.limit()) {
        scanned = true;
        return null;
      }
      readRecord();
    }
    LogItem item = items.poll();
    if (item == null) {
      return null;
    }
    long number = item.number();
    byte[] meta = item.meta();
    return switch (item.kind()) {
      case RecordKind.PUT -> put(item);
      case RecordKind.CHUNK -> chunk(number, meta, item.contentOffset());
      case RecordKind.DICTIONARY -> dictionary(number, meta, item.contentOffset());
      case RecordKind.DELETE ->
          live.snapshot().index().get(EntryLayout.decodeKey(meta)) == null ? move(item) : null;
      case RecordKind.PROPERTY ->
          properties.add(PropertyLayout.decode(meta).name()) ? move(item) : null;
      default -> null;
    };
  }

  private static Move move(LogItem item) {
    return new Move(item.kind(), item.number(), item.meta(), item.contentOffset(), NOTHING);
  }

  private void readRecord() throws StoreException {
    if (scanner.at(position) != RecordScanner.Status.RECORD) {
      throw new StoreCorruptException(
          "segment is damaged, so it cannot be compacted: file="
              + segment.path
              + " offset="
              + position,
          null,
          position,
          null);
    }
    items.addAll(LogItem.of(scanner.header(), position, scanner.meta()));
    position += scanner.header().length();
  }

  private @Nullable Move put(LogItem item) throws StoreException {
    Row row = live.snapshot().index().get(keyOf(item.meta()));
    return row != null && row.segment() == segment.number() && row.version() == item.number()
        ? move(row, item.contentOffset())
        : null;
  }

  static byte[] keyOf(byte[] meta) {
    return Arrays.copyOfRange(meta, Row.KEY_OFFSET, Row.KEY_OFFSET + Row.keyLength(meta));
  }

  /** A row with the content that lies in this segment, if it has some. */
  private Move move(Row row, long contentOffset) throws StoreException {
    LogContent content = contentOf(row);
    byte[] bytes =
        content == null || content.segmentNumber != segment.number()
            ? NOTHING
            : read(content.offset, content.length, content.crc, row.path());
    return new Move(RecordKind.PUT, row.version(), row.meta(), contentOffset, bytes);
  }

  static @Nullable LogContent contentOf(Row row) throws StoreException {
    return EntryLayout.decode(null, row).content() instanceof LogContent located ? located : null;
  }

  private @Nullable Move chunk(long id, byte[] meta, long contentOffset) throws StoreException {
    ChunkInfo chunk = live.references().contents().get(id);
    if (chunk == null
        || chunk.dead()
        || chunk.segment() != segment.number()
        || chunk.offset() != contentOffset) {
      return null;
    }
    byte[] bytes = read(contentOffset, chunk.length(), chunk.layout().crc(), null);
    return new Move(RecordKind.CHUNK, id, meta, contentOffset, bytes);
  }

  private @Nullable Move dictionary(long id, byte[] meta, long contentOffset)
      throws StoreException {
    DictionaryInfo info = live.snapshot().dictionaries().get(id);
    if (info == null || info.segment() != segment.number() || info.offset() != contentOffset) {
      return null;
    }
    byte[] bytes = read(contentOffset, info.length(), info.crc(), null);
    return new Move(RecordKind.DICTIONARY, id, meta, contentOffset, bytes);
  }

  private byte[] read(long offset, int length, int crc, @Nullable String path)
      throws StoreException {
    byte[] bytes = new byte[(int) Math.min(length, Math.max(0, segment.written() - offset))];
    if (bytes.length < length
        || !segment.read(offset, bytes, length)
        || PackedChunk.checksum(bytes, 0, length) != crc) {
      throw new StoreCorruptException(
          "content is damaged, so the store cannot be compacted: file="
              + segment.path
              + " offset="
              + offset,
          path,
          offset,
          null);
    }
    return bytes;
  }

  /** All rows, if some elsewhere may name content here; otherwise null. */
  private @Nullable RowCursor rowsElsewhere() throws StoreException {
    LayeredTable.Walk<Location, Integer> walk = live.references().shared().walk();
    while (walk.next()) {
      if (walk.key().segment() == segment.number() && walk.value() > 0) {
        return live.snapshot().index().from(NOTHING);
      }
    }
    return null;
  }

  private @Nullable Move nextLocated() throws StoreException {
    if (!looksElsewhere) {
      looksElsewhere = true;
      rows = rowsElsewhere();
    }
    RowCursor cursor = rows;
    if (cursor == null || !cursor.next()) {
      done = true;
      return null;
    }
    ContentRef content = EntryLayout.contentRef(cursor.row());
    boolean here = content.isLocated() && content.location().segment() == segment.number();
    return here ? move(cursor.row(), -1) : null;
  }
}
