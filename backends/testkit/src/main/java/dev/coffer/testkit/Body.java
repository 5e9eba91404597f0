package dev.coffer.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.ChunkBuffer;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryReader;
import dev.coffer.vfs.spi.PackedChunk;
import dev.coffer.vfs.spi.TablePage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * All that a backend keeps for one file's content, in a form that compares by value and does not
 * tell how the backend keeps it.
 *
 * @param offset where in the one chunk the file starts, in bytes
 * @param chunkLength the plain length of a table's chunks in bytes, or 0 without a table
 */
record Body(List<Leaf> leaves, int offset, int chunkLength) {

  static final Body NONE = new Body(List.of(), 0, 0);

  /** One packed chunk by value. */
  record Leaf(int codecId, long dictionaryId, int plainLength, int checksum, ByteBuffer bytes) {

    static final Leaf HOLE = new Leaf(-1, 0, 0, 0, ByteBuffer.allocate(0));

    static Leaf of(PackedChunk chunk) {
      assertFalse(chunk.page(), "a page where a chunk of content was expected");
      return new Leaf(
          chunk.codecId(),
          chunk.dictionaryId(),
          chunk.plainLength(),
          chunk.checksum(),
          ByteBuffer.wrap(chunk.bytes(), chunk.offset(), chunk.length()).slice());
    }
  }

  /** Reads what {@code entry} names, checking every checksum on the way. */
  static Body read(EntryReader reader, Entry entry) throws StoreException {
    Content content = entry.content();
    if (content instanceof Content.None) {
      return NONE;
    }
    if (content instanceof Content.Packed packed) {
      return new Body(List.of(Leaf.of(checked(packed.chunk(), entry))), 0, 0);
    }
    if (content instanceof Content.Chunk chunk) {
      PackedChunk stored = chunk(reader, chunk.id(), chunk.checksum(), entry);
      assertEquals(stored.codecId(), chunk.codecId(), () -> "codec: " + entry);
      assertEquals(stored.dictionaryId(), chunk.dictionaryId(), () -> "dictionary: " + entry);
      assertEquals(stored.plainLength(), chunk.plainLength(), () -> "plain length: " + entry);
      assertEquals(stored.length(), chunk.packedBytes(), () -> "packed length: " + entry);
      return new Body(List.of(Leaf.of(stored)), chunk.offset(), 0);
    }
    if (content instanceof Content.Located located) {
      ChunkBuffer target = new ChunkBuffer();
      assertTrue(reader.readLocated(located, target), () -> "content is gone: " + entry);
      return new Body(List.of(Leaf.of(checked(target.toChunk(), entry))), 0, 0);
    }
    Content.Table table = (Content.Table) content;
    long chunks = (entry.length() + table.chunkLength() - 1) / table.chunkLength();
    List<Leaf> leaves = new ArrayList<>();
    readPage(reader, table.rootId(), table.checksum(), depth(chunks), entry, leaves);
    assertEquals(chunks, leaves.size(), () -> "chunks in the table: " + entry);
    return new Body(List.copyOf(leaves), 0, table.chunkLength());
  }

  private static int depth(long chunks) {
    int depth = 1;
    for (long reach = TablePage.FAN_OUT; reach < chunks; reach *= TablePage.FAN_OUT) {
      depth++;
    }
    return depth;
  }

  private static void readPage(
      EntryReader reader, long id, int checksum, int depth, Entry entry, List<Leaf> leaves)
      throws StoreException {
    PackedChunk stored = chunk(reader, id, checksum, entry);
    assertTrue(stored.page(), () -> "not a page: id=" + id + " " + entry);
    assertTrue(TablePage.isValidLength(stored.length()), () -> "page length: " + entry);
    for (int i = 0; i < TablePage.count(stored.length()); i++) {
      long child = TablePage.id(stored.bytes(), i);
      int childChecksum = TablePage.checksum(stored.bytes(), i);
      if (child == 0) {
        leaves.add(Leaf.HOLE);
      } else if (depth > 1) {
        readPage(reader, child, childChecksum, depth - 1, entry, leaves);
      } else {
        leaves.add(Leaf.of(chunk(reader, child, childChecksum, entry)));
      }
    }
  }

  private static PackedChunk chunk(EntryReader reader, long id, int checksum, Entry entry)
      throws StoreException {
    ChunkBuffer target = new ChunkBuffer();
    assertTrue(reader.readChunk(id, target), () -> "chunk is gone: id=" + id + " " + entry);
    PackedChunk stored = checked(target.toChunk(), entry);
    assertEquals(checksum, stored.checksum(), () -> "checksum: id=" + id + " " + entry);
    return stored;
  }

  private static PackedChunk checked(PackedChunk chunk, Entry entry) {
    assertEquals(
        chunk.checksum(),
        PackedChunk.checksum(chunk.bytes(), chunk.offset(), chunk.length()),
        () -> "checksum of packed bytes: " + entry);
    return chunk;
  }
}
