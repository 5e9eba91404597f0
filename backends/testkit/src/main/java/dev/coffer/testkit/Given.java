package dev.coffer.testkit;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.PackedChunk;
import dev.coffer.vfs.spi.TablePage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Content ready for a commit, and what must come back for it.
 *
 * @param length the plain length of the file in bytes
 */
record Given(Content content, long length, Body body) {

  static final Given EMPTY = new Given(Content.NONE, 0, Body.NONE);

  /** Content given in the commit itself. */
  static Given inline(PackedChunk chunk) {
    return new Given(
        new Content.Packed(chunk),
        chunk.plainLength(),
        new Body(List.of(Body.Leaf.of(chunk)), 0, 0));
  }

  /** One staged chunk. */
  static Given chunk(Backend backend, PackedChunk chunk) throws StoreException {
    return member(chunk, backend.stage(List.of(chunk))[0], 0, chunk.plainLength());
  }

  /** A member of a staged cluster. */
  static Given member(PackedChunk chunk, long id, int offset, int length) {
    return new Given(
        new Content.Chunk(
            id,
            offset,
            chunk.plainLength(),
            chunk.codecId(),
            chunk.dictionaryId(),
            chunk.length(),
            chunk.checksum()),
        length,
        new Body(List.of(Body.Leaf.of(chunk)), offset, 0));
  }

  /**
   * A staged table.
   *
   * @param leaves its chunks, null where there is a hole; all but the last of {@code chunkLength}
   * @param tail the plain length of the last chunk or hole in bytes
   */
  static Given table(
      Backend backend, List<? extends @Nullable PackedChunk> leaves, int chunkLength, int tail)
      throws StoreException {
    List<PackedChunk> present = new ArrayList<>();
    List<Body.Leaf> expected = new ArrayList<>();
    long packed = 0;
    for (PackedChunk leaf : leaves) {
      expected.add(leaf == null ? Body.Leaf.HOLE : Body.Leaf.of(leaf));
      if (leaf != null) {
        present.add(leaf);
        packed += leaf.length();
      }
    }
    long[] staged = backend.stage(present);
    long[] ids = new long[leaves.size()];
    int[] checksums = new int[leaves.size()];
    int next = 0;
    for (int i = 0; i < ids.length; i++) {
      PackedChunk leaf = leaves.get(i);
      if (leaf != null) {
        ids[i] = staged[next++];
        checksums[i] = leaf.checksum();
      }
    }
    do {
      List<PackedChunk> pages = pages(ids, checksums);
      ids = backend.stage(pages);
      checksums = pages.stream().mapToInt(PackedChunk::checksum).toArray();
      packed += pages.stream().mapToLong(PackedChunk::length).sum();
    } while (ids.length > 1);
    Content content = new Content.Table(ids[0], checksums[0], chunkLength, packed, Chunks.ZSTD);
    long length = (long) (leaves.size() - 1) * chunkLength + tail;
    return new Given(content, length, new Body(List.copyOf(expected), 0, chunkLength));
  }

  private static List<PackedChunk> pages(long[] ids, int[] checksums) {
    List<PackedChunk> pages = new ArrayList<>();
    for (int from = 0; from < ids.length; from += TablePage.FAN_OUT) {
      int to = Math.min(ids.length, from + TablePage.FAN_OUT);
      byte[] page =
          TablePage.encode(
              Arrays.copyOfRange(ids, from, to),
              Arrays.copyOfRange(checksums, from, to),
              to - from);
      pages.add(PackedChunk.of(true, Chunks.RAW, 0, page.length, page));
    }
    return pages;
  }
}
