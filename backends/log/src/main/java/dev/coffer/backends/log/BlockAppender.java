package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.PackedChunk;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Appends copies of entries in metadata blocks. Where an entry's content lies is known once its
 * block is appended; then its row is handed on. For one thread.
 */
final class BlockAppender {
  private final Segment segment;
  private final Appender out;
  private final long number;
  private final Sink sink;
  private final EntryBlock block = new EntryBlock();
  private final List<Waiting> waiting = new ArrayList<>();

  /** Takes rows as they come to be. */
  interface Sink {
    /**
     * An entry's record was appended.
     *
     * @param row a row in the segment appended to
     * @param from the one it is a copy of, or null
     */
    void appended(Row row, @Nullable Row from) throws StoreException;
  }

  /** An entry of the block; {@code start} of its content is -1 if it has none there. */
  private record Waiting(byte[] meta, long version, int start, @Nullable Row from) {}

  /**
   * @param out what appends to the segment
   * @param number the sequence that blocks have in their headers
   */
  BlockAppender(Segment segment, Appender out, long number, Sink sink) {
    this.segment = segment;
    this.out = out;
    this.number = number;
    this.sink = sink;
  }

  /**
   * Appends an entry to the block, or by itself if it is too long for one.
   *
   * @param chunk the content that lies with it, which is kept until then; or null
   */
  void put(byte[] meta, long version, @Nullable PackedChunk chunk, @Nullable Row from)
      throws StoreException {
    if (!EntryBlock.takes(meta)) {
      flush();
      putAlone(meta, version, chunk, from);
      return;
    }
    byte[] placed = EntryLayout.placed(meta, true);
    int start = block.add(placed, version, chunk);
    waiting.add(new Waiting(placed, version, chunk == null ? -1 : start, from));
    flushIfFull();
  }

  /** Appends a deletion to the block. */
  void delete(byte[] meta, long version) throws StoreException {
    var unused = block.add(meta, version, null);
    flushIfFull();
  }

  /** Appends an entry as a record of its own. */
  void putAlone(byte[] meta, long version, @Nullable PackedChunk chunk, @Nullable Row from)
      throws StoreException {
    byte[] placed = EntryLayout.placed(meta, false);
    long offset =
        chunk == null
            ? out.append(RecordKind.PUT, version, placed)
            : out.append(
                RecordKind.PUT, version, placed, chunk.bytes(), chunk.offset(), chunk.length());
    long content = chunk == null ? -1 : offset + RecordHeader.LENGTH + placed.length;
    sink.appended(new Row(placed, version, segment.number(), content), from);
  }

  /** How many bytes are gathered and not appended. */
  long waitingBytes() {
    return block.gatheredBytes();
  }

  private void flushIfFull() throws StoreException {
    if (block.isFull()) {
      flush();
    }
  }

  /** Appends the block, unless there is nothing in it. */
  void flush() throws StoreException {
    if (block.isEmpty()) {
      return;
    }
    EntryBlock.Packed packed = block.pack();
    long content = out.append(number, packed) + RecordHeader.LENGTH + packed.meta().length;
    for (Waiting each : waiting) {
      long start = each.start < 0 ? -1 : content + each.start;
      sink.appended(new Row(each.meta, each.version, segment.number(), start), each.from);
    }
    waiting.clear();
  }
}
