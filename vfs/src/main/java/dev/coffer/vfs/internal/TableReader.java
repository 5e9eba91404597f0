package dev.coffer.vfs.internal;

import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.ChunkBuffer;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.EntryReader;
import dev.coffer.vfs.spi.TablePage;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the chunks of one large file through its paged table, and reads them. Keeps the page last
 * used at each level, so reading in order reads each page once. The content must be pinned, or read
 * through a view. For one thread.
 */
final class TableReader {
  private final EntryReader reader;
  private final ChunkReader chunks;
  private final Content.Table table;
  private final String path;
  private final long length;
  private final int depth;
  private final byte[] @Nullable [] pages;
  private final long[] pageIndexes;
  private final ChunkBuffer buffer = new ChunkBuffer();

  TableReader(EntryReader reader, ChunkReader chunks, Content.Table table, String path, long length)
      throws StoreException {
    this.reader = reader;
    this.chunks = chunks;
    this.table = table;
    this.path = path;
    this.length = length;
    if (table.chunkLength() <= 0
        || table.chunkLength() > ChunkReader.MAX_CHUNK_LENGTH
        || length <= 0) {
      throw new StoreCorruptException(
          "chunk table is out of range: chunkLength="
              + table.chunkLength()
              + " length="
              + length
              + " path="
              + path,
          path,
          -1,
          null);
    }
    this.depth = depthOf(chunkCount());
    this.pages = new byte[depth][];
    this.pageIndexes = new long[depth];
  }

  int chunkLength() {
    return table.chunkLength();
  }

  long chunkCount() {
    return (length - 1) / table.chunkLength() + 1;
  }

  /** The plain length in bytes of chunk {@code index}. */
  int lengthOf(long index) {
    return (int) Math.min(table.chunkLength(), length - index * table.chunkLength());
  }

  /** The content id of chunk {@code index}, or 0 for a hole. */
  long idOf(long index) throws StoreException {
    byte[] page = leaf(index);
    return page == null ? 0 : TablePage.id(page, (int) (index % TablePage.FAN_OUT));
  }

  /** Reads chunk {@code index} into {@code target} at {@code offset}; a hole reads as zeros. */
  void read(long index, byte[] target, int offset) throws StoreException {
    int plainLength = lengthOf(index);
    byte[] page = leaf(index);
    int slot = (int) (index % TablePage.FAN_OUT);
    long id = page == null ? 0 : TablePage.id(page, slot);
    if (page == null || id == 0) {
      Arrays.fill(target, offset, offset + plainLength, (byte) 0);
      return;
    }
    load(id);
    chunks.unpackInto(
        buffer, TablePage.checksum(page, slot), path, reader, target, offset, plainLength);
  }

  private byte @Nullable [] leaf(long index) throws StoreException {
    return page(0, index / TablePage.FAN_OUT);
  }

  /** The page at a level (0 above the chunks), or null if it is a hole. */
  private byte @Nullable [] page(int level, long index) throws StoreException {
    byte[] cached = pages[level];
    if (cached != null && pageIndexes[level] == index) {
      return cached;
    }
    long id;
    int checksum;
    if (level == depth - 1) {
      id = table.rootId();
      checksum = table.checksum();
    } else {
      byte[] parent = page(level + 1, index / TablePage.FAN_OUT);
      int slot = (int) (index % TablePage.FAN_OUT);
      id = parent == null ? 0 : TablePage.id(parent, slot);
      checksum = parent == null ? 0 : TablePage.checksum(parent, slot);
    }
    if (id == 0) {
      return null;
    }
    load(id);
    byte[] page = chunks.page(buffer, checksum, path, childrenOf(level, index));
    pages[level] = page;
    pageIndexes[level] = index;
    return page;
  }

  private int childrenOf(int level, long index) {
    long children = chunkCount();
    for (int i = 0; i < level; i++) {
      children = (children - 1) / TablePage.FAN_OUT + 1;
    }
    return (int) Math.min(TablePage.FAN_OUT, children - index * TablePage.FAN_OUT);
  }

  private void load(long id) throws StoreException {
    if (!reader.readChunk(id, buffer)) {
      throw new StoreCorruptException(
          "content is missing: contentId=" + id + " path=" + path, path, -1, null);
    }
  }

  private static int depthOf(long chunkCount) {
    int depth = 1;
    for (long reach = TablePage.FAN_OUT; reach < chunkCount; reach *= TablePage.FAN_OUT) {
      depth++;
    }
    return depth;
  }
}
