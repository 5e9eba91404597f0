package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.ChunkBuffer;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryReader;
import dev.coffer.vfs.spi.PackedChunk;
import dev.coffer.vfs.spi.TablePage;
import org.jspecify.annotations.Nullable;

/**
 * Reads the packed content of entries from any reader, checked against whatever names it, so that
 * it can be copied as it is. For one thread.
 */
final class ChunkCopy {
  /** Takes chunks and pages, each after those it names. */
  interface Target {
    /** Whether a chunk was taken already, and all below it. */
    boolean has(long id) throws StoreException;

    void take(long id, PackedChunk chunk) throws StoreException;
  }

  private final EntryReader source;
  private final Target target;
  private final ChunkBuffer buffer = new ChunkBuffer();

  ChunkCopy(EntryReader source, Target target) {
    this.source = source;
    this.target = target;
  }

  /**
   * Copies what an entry names by content id.
   *
   * @return its content if that is the entry's own chunk, which is not copied; or null
   */
  @Nullable PackedChunk copy(Entry entry) throws StoreException {
    String path = entry.key().path();
    Content content = entry.content();
    if (content instanceof Content.Packed packed) {
      return packed.chunk();
    }
    if (content instanceof Content.Located located) {
      boolean found = source.readLocated(located, buffer);
      return checked(found, path, buffer.checksum());
    }
    if (content instanceof Content.Chunk chunk) {
      copy(path, chunk.id(), chunk.checksum(), 0);
    } else if (content instanceof Content.Table table) {
      copy(path, table.rootId(), table.checksum(), depth(entry.length(), table.chunkLength()));
    }
    return null;
  }

  /** How many levels of pages a file has. */
  private static int depth(long length, int chunkLength) {
    long pages = Math.max(1, length / Math.max(1, chunkLength));
    int depth = 1;
    for (long span = TablePage.FAN_OUT; span < pages + 1; span *= TablePage.FAN_OUT) {
      depth++;
    }
    return depth;
  }

  private void copy(String path, long id, int crc, int level) throws StoreException {
    if (target.has(id)) {
      return;
    }
    PackedChunk chunk = checked(source.readChunk(id, buffer), path, crc);
    if (chunk.page()) {
      if (level == 0 || !TablePage.isValidLength(chunk.length())) {
        throw new StoreCorruptException(
            "chunk table is damaged: contentId=" + id + " path=" + path, path, -1, null);
      }
      byte[] page = chunk.bytes();
      for (int i = 0; i < TablePage.count(chunk.length()); i++) {
        long child = TablePage.id(page, i);
        if (child != 0) {
          copy(path, child, TablePage.checksum(page, i), level - 1);
        }
      }
    }
    target.take(id, chunk);
  }

  /** What was read; a copy, since pages wait for what they name. */
  private PackedChunk checked(boolean found, String path, int crc) throws StoreException {
    if (!found) {
      throw new StoreCorruptException("content is missing: path=" + path, path, -1, null);
    }
    PackedChunk chunk = buffer.toChunk();
    int real = PackedChunk.checksum(chunk.bytes(), chunk.offset(), chunk.length());
    if (real != crc || chunk.checksum() != crc) {
      throw new StoreCorruptException(
          "content is damaged: path=" + path, path, buffer.position(), null);
    }
    return chunk;
  }
}
