package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Goes over the rows of a part in order of their keys, reading ahead further and further. Not
 * thread-safe; holds up to 128 KiB, or the longest block, until it is dropped.
 */
final class PartCursor {
  private static final int FIRST_AHEAD = 2 * 1024;
  private static final int MAX_AHEAD = 128 * 1024;
  private static final byte[] NOTHING = new byte[0];

  private final PartSource source;
  private final EntryPartInfo info;
  private final PartBlock block = new PartBlock();
  private byte @Nullable [] from;
  private final RowView view = new RowView();
  private byte[] buffer = NOTHING;
  private int ahead = FIRST_AHEAD;

  /** What the buffer has: from the first of these offsets in the part to the second. */
  private long bufferStart;

  private long bufferEnd;
  private int nextUnit;
  private int blocks;
  private boolean atRow;

  /**
   * @param unit where to start: a block before which no key reaches {@code from}
   */
  PartCursor(PartSource source, EntryPartInfo info, int unit, byte[] from) {
    this.source = source;
    this.info = info;
    this.nextUnit = unit;
    this.from = from;
  }

  /** The row that {@link #next} went to, until it goes on. */
  RowView view() {
    if (!atRow) {
      throw new IllegalStateException("cursor is at no row");
    }
    return view;
  }

  /** The row that {@link #next} went to, to be kept. */
  Row row() {
    return view().toRow();
  }

  /** Where the block of the current row starts. */
  int unit() {
    return block.unit();
  }

  /** How many blocks it has opened. */
  int blocks() {
    return blocks;
  }

  /** Goes to the next row; false behind the last. */
  boolean next() throws StoreException {
    byte[] least = from;
    from = null;
    boolean found = step();
    while (found && least != null && view.compareKey(least) < 0) {
      found = step();
    }
    return found;
  }

  private boolean step() throws StoreException {
    int before = atRow ? view.keyLength : 0;
    atRow = false;
    while (block.level() > 0 || !block.next()) {
      if (nextUnit == info.endUnit()) {
        return false;
      }
      openBlock();
      before = 0;
    }
    block.show(view, before);
    Keys.checkAfter(view.key, block.shared(), view.keyLength);
    atRow = true;
    return true;
  }

  private void openBlock() throws StoreException {
    long offset = (long) nextUnit * PartLayout.UNIT;
    require(offset, PartLayout.UNIT);
    int head = PartLayout.u32(buffer, (int) (offset - bufferStart));
    int length = PartBlock.length(head, nextUnit, info);
    require(offset, length);
    block.open(buffer, (int) (offset - bufferStart), length, nextUnit, info);
    nextUnit += length / PartLayout.UNIT;
    blocks++;
  }

  /** Makes the buffer have a range of the blocks. */
  private void require(long offset, int length) throws StoreException {
    if (offset >= bufferStart && offset + length <= bufferEnd) {
      return;
    }
    long end = (long) info.endUnit() * PartLayout.UNIT;
    int count = (int) Math.min(end - offset, Math.max(length, ahead));
    ahead = Math.min(MAX_AHEAD, 4 * ahead);
    if (buffer.length < count) {
      buffer = new byte[count];
    }
    bufferEnd = 0;
    source.read(offset, buffer, 0, count);
    bufferStart = offset;
    bufferEnd = offset + count;
  }
}
