package dev.coffer.vfs.spi;

/**
 * Where a file's bytes are. An entry given to {@link Backend#commit} carries new bytes ({@link
 * Packed}), names what was staged ({@link Chunk}, {@link Table}), or repeats what a lookup on the
 * same backend returned (so a move or a copy never touches content). An entry returned by a lookup
 * carries whatever its backend finds best.
 */
public sealed interface Content {

  /** No content: an empty file, a directory, a link. */
  Content NONE = new None();

  /** Bytes kept in the store for this content alone; shared content counts in full. */
  long packedLength();

  /** The id of the codec that packed it; 0 where there is no content. */
  int codecId();

  /** The one content of whatever has none. */
  record None() implements Content {
    @Override
    public long packedLength() {
      return 0;
    }

    @Override
    public int codecId() {
      return 0;
    }
  }

  /**
   * The one packed chunk of a small file, at hand. The backend decides where it goes; a backend
   * that keeps small content in the entry returns it from lookups too. Never empty: what has no
   * bytes has {@link #NONE}.
   */
  record Packed(PackedChunk chunk) implements Content {
    @Override
    public long packedLength() {
      return chunk.length();
    }

    @Override
    public int codecId() {
      return chunk.codecId();
    }
  }

  /**
   * A chunk kept under an id: all of it, or the entry's length in bytes from {@code offset} on
   * where several small files share a chunk (a cluster).
   *
   * @param id the content id
   * @param offset where in the plain chunk the file starts, in bytes
   * @param plainLength the plain length of the whole chunk in bytes
   * @param codecId the codec that packed the chunk
   * @param dictionaryId the dictionary it was packed with, or 0
   * @param packedBytes the packed length of the whole chunk in bytes
   * @param checksum the CRC32C of the chunk's packed bytes
   */
  record Chunk(
      long id,
      int offset,
      int plainLength,
      int codecId,
      long dictionaryId,
      int packedBytes,
      int checksum)
      implements Content {
    @Override
    public long packedLength() {
      return packedBytes;
    }
  }

  /**
   * A paged table of chunk ids (see {@link TablePage}), for content above one chunk.
   *
   * @param rootId the content id of the root page
   * @param checksum the CRC32C of the root page's packed bytes
   * @param chunkLength the plain length in bytes of every chunk but the last
   * @param packedLength the packed length in bytes of all chunks and pages together
   * @param codecId the codec chosen for the file; single chunks may still be raw
   */
  record Table(long rootId, int checksum, int chunkLength, long packedLength, int codecId)
      implements Content {}

  /**
   * The one packed chunk of a small file at a place only its backend understands. Stays readable
   * through the reader that returned it, or while pinned.
   */
  abstract non-sealed class Located implements Content {
    /** For backends. */
    protected Located() {}
  }
}
