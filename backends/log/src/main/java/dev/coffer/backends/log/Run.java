package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One immutable run of the index: the rows of a stretch of the log, sorted. Thread-safe.
 *
 * @param info where it lies
 * @param entries its parts of entries, whose keys ascend from part to part
 * @param chunks its part of content ids, if it has any
 * @param shared its part of shared places, if it has any
 * @param sources the bytes of its parts, in the order of {@link RunInfo#places}
 */
record Run(
    RunInfo info,
    List<EntryPart> entries,
    @Nullable TablePart chunks,
    @Nullable TablePart shared,
    List<PartSource> sources) {

  /** The row of a key, which may be a deletion, or null. */
  @Nullable Row get(byte[] key, long hash) throws StoreException {
    int part = partOf(key);
    if (part < 0 || endsBelow(part, key)) {
      return null;
    }
    try {
      return entries.get(part).get(key, hash);
    } catch (StoreCorruptException e) {
      throw new IndexDamage(e);
    }
  }

  /** The last part whose first key is not above a key, or -1. */
  private int partOf(byte[] key) {
    List<RunInfo.Entries> parts = info.entries();
    int low = 0;
    int high = parts.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Arrays.compareUnsigned(parts.get(middle).info().firstKey(), key) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  private boolean endsBelow(int part, byte[] key) {
    return Arrays.compareUnsigned(info.entries().get(part).info().lastKey(), key) < 0;
  }

  /** The rows from the first whose key is not below {@code key}. */
  RowCursor from(byte[] key) throws StoreException {
    int part = partOf(key);
    boolean behind = part >= 0 && endsBelow(part, key);
    return new Cursor(key, behind ? part + 1 : Math.max(0, part));
  }

  /** Reads all of it, checked. */
  void verify() throws StoreException {
    IndexDamage.guard(
        () -> {
          for (EntryPart part : entries) {
            part.verify();
          }
          for (TablePart table : new TablePart[] {chunks, shared}) {
            TablePart.Cursor cursor = table == null ? null : table.cursor();
            while (cursor != null && cursor.next()) {
              // Each block is checked on the way.
            }
          }
          return true;
        });
  }

  /** The tables of content ids of some runs, in their order. */
  static List<TablePart> chunks(List<Run> runs) {
    List<TablePart> parts = new ArrayList<>();
    for (Run run : runs) {
      if (run.chunks != null) {
        parts.add(run.chunks);
      }
    }
    return parts;
  }

  /** The tables of shared places of some runs, in their order. */
  static List<TablePart> shared(List<Run> runs) {
    List<TablePart> parts = new ArrayList<>();
    for (Run run : runs) {
      if (run.shared != null) {
        parts.add(run.shared);
      }
    }
    return parts;
  }

  private final class Cursor implements RowCursor {
    private final byte[] start;
    private int part;
    private @Nullable PartCursor inside;

    Cursor(byte[] start, int part) {
      this.start = start;
      this.part = part;
    }

    @Override
    public boolean next() throws StoreException {
      try {
        return advance();
      } catch (StoreCorruptException e) {
        throw new IndexDamage(e);
      }
    }

    private boolean advance() throws StoreException {
      while (part < entries.size()) {
        if (inside == null) {
          inside = entries.get(part).from(start);
        }
        if (inside.next()) {
          return true;
        }
        inside = null;
        part++;
      }
      return false;
    }

    @Override
    public RowView view() {
      if (inside == null) {
        throw new IllegalStateException("cursor is not at a row");
      }
      return inside.view();
    }
  }
}
