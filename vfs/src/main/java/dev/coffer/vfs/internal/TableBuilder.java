package dev.coffer.vfs.internal;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.PackedChunk;
import dev.coffer.vfs.spi.TablePage;
import java.util.ArrayList;
import java.util.List;

/** Builds the pages of a chunk table from left to right, staging each when full. */
final class TableBuilder {
  private final Backend backend;
  private final List<Level> levels = new ArrayList<>();
  private long pageBytes;

  TableBuilder(Backend backend) {
    this.backend = backend;
  }

  /** The last page made: the root, after {@link #finish}. */
  record Root(long id, int checksum) {}

  /** Adds the next chunk, already staged; id 0 is a hole. */
  void add(long id, int checksum) throws StoreException {
    add(0, id, checksum);
  }

  /** Stages what is left and answers the root. There must have been a chunk. */
  Root finish() throws StoreException {
    for (int depth = 0; depth < levels.size() - 1; depth++) {
      push(depth);
    }
    return stage(levels.get(levels.size() - 1));
  }

  /** The packed length of all pages staged so far in bytes. */
  long pageBytes() {
    return pageBytes;
  }

  private void add(int depth, long id, int checksum) throws StoreException {
    if (depth == levels.size()) {
      levels.add(new Level());
    }
    Level level = levels.get(depth);
    if (level.count == TablePage.FAN_OUT) {
      // Only now is it known that the page is not the root: the table has the least depth.
      push(depth);
    }
    level.ids[level.count] = id;
    level.checksums[level.count] = checksum;
    level.count++;
  }

  private void push(int depth) throws StoreException {
    Root page = stage(levels.get(depth));
    add(depth + 1, page.id(), page.checksum());
  }

  private Root stage(Level level) throws StoreException {
    byte[] bytes = TablePage.encode(level.ids, level.checksums, level.count);
    PackedChunk page = PackedChunk.of(true, Packer.RAW, 0, bytes.length, bytes);
    long id = backend.stage(List.of(page))[0];
    pageBytes += bytes.length;
    level.count = 0;
    return new Root(id, page.checksum());
  }

  private static final class Level {
    final long[] ids = new long[TablePage.FAN_OUT];
    final int[] checksums = new int[TablePage.FAN_OUT];
    int count;
  }
}
