package dev.coffer.testkit;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.PackedChunk;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The forms in which the store gives content to a backend. */
enum Shape {
  EMPTY,
  TINY,
  SMALL,
  LARGE,
  CHUNK,
  MEMBER,
  TABLE,
  SPARSE,
  DEEP;

  static final List<Shape> ALL = List.of(values());

  private static final int CHUNK_LENGTH = 4096;

  /** A seed that differs from shape to shape. */
  long seed() {
    return name().hashCode();
  }

  /** Content of this shape, staged where it must be. Different for each seed, unless empty. */
  Given make(Backend backend, long seed) throws StoreException {
    return switch (this) {
      case EMPTY -> Given.EMPTY;
      case TINY -> Given.inline(Chunks.raw(seed, 9));
      case SMALL -> Given.inline(Chunks.packed(seed, 700, 3000));
      case LARGE -> Given.inline(Chunks.packed(seed, 150_000, 262_144));
      case CHUNK -> Given.chunk(backend, Chunks.packed(seed, 5000, 65_536));
      case MEMBER -> {
        PackedChunk cluster = Chunks.packed(seed, 900, 4000);
        yield Given.member(cluster, backend.stage(List.of(cluster))[0], 1234, 77);
      }
      case TABLE -> Given.table(backend, leaves(seed, 3), CHUNK_LENGTH, 100);
      case SPARSE -> {
        List<@Nullable PackedChunk> leaves = new ArrayList<>(Collections.nCopies(9, null));
        leaves.set(2, Chunks.packed(seed, 50, CHUNK_LENGTH));
        leaves.set(7, Chunks.packed(seed + 1, 60, CHUNK_LENGTH));
        yield Given.table(backend, leaves, CHUNK_LENGTH, CHUNK_LENGTH);
      }
      case DEEP -> Given.table(backend, leaves(seed, 1030), CHUNK_LENGTH, 100);
    };
  }

  static List<PackedChunk> leaves(long seed, int count) {
    List<PackedChunk> leaves = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      leaves.add(Chunks.packed(seed * 31 + i, 20 + i % 7, i < count - 1 ? CHUNK_LENGTH : 100));
    }
    return leaves;
  }
}
