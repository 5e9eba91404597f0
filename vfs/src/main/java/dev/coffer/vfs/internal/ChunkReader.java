package dev.coffer.vfs.internal;

import dev.coffer.codecs.Codec;
import dev.coffer.codecs.CodecException;
import dev.coffer.codecs.Dictionary;
import dev.coffer.vfs.StoreClosedException;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.UnknownCodecException;
import dev.coffer.vfs.spi.ChunkBuffer;
import dev.coffer.vfs.spi.EntryReader;
import dev.coffer.vfs.spi.PackedChunk;
import dev.coffer.vfs.spi.TablePage;
import org.jspecify.annotations.Nullable;

/**
 * Checks packed chunks and unpacks them: the one place where bytes of a store become bytes of a
 * file. Thread-safe.
 */
final class ChunkReader {
  /** No chunk is longer: the bound on what a damaged or hostile length can make us allocate. */
  static final int MAX_CHUNK_LENGTH = 1024 * 1024;

  private final StoreCodecs codecs;
  private final String file;

  /**
   * @param codecs stays the caller's to close
   * @param file the store's file, for messages
   */
  ChunkReader(StoreCodecs codecs, String file) {
    this.codecs = codecs;
    this.file = file;
  }

  /**
   * Unpacks a chunk into an array of its own, after the checks of {@link #unpackInto}. If it was
   * stored raw and read into a buffer of its own, that is the array.
   */
  byte[] unpack(ChunkBuffer chunk, int checksum, String path, EntryReader reader)
      throws StoreException {
    int plainLength = chunk.plainLength();
    if (plainLength < 0 || plainLength > MAX_CHUNK_LENGTH) {
      throw corrupt("chunk length is out of range: plainLength=" + plainLength, chunk, path);
    }
    if (chunk.codecId() == Packer.RAW && chunk.length() == plainLength && !chunk.page()) {
      check(chunk, checksum, path);
      byte[] exact = chunk.detach();
      if (exact != null) {
        return exact;
      }
    }
    byte[] plain = new byte[plainLength];
    unpackInto(chunk, checksum, path, reader, plain, 0, plainLength);
    return plain;
  }

  /**
   * Unpacks a chunk into {@code plain[offset, offset + length)}.
   *
   * @param checksum what the entry or page that names the chunk expects
   * @throws StoreCorruptException if the packed bytes, or the length they unpack to, are others
   */
  void unpackInto(
      ChunkBuffer chunk,
      int checksum,
      String path,
      EntryReader reader,
      byte[] plain,
      int offset,
      int length)
      throws StoreException {
    check(chunk, checksum, path);
    if (chunk.page() || chunk.plainLength() != length) {
      throw corrupt(
          "chunk is not the expected one: expectedPlainLength="
              + length
              + " found="
              + chunk.plainLength()
              + " page="
              + chunk.page(),
          chunk,
          path);
    }
    Codec codec = codecs.get().byId(chunk.codecId());
    if (codec == null) {
      throw new UnknownCodecException(
          "content was packed by a codec that is not installed: codecId="
              + chunk.codecId()
              + " path="
              + path,
          chunk.codecId());
    }
    try {
      codec.unpack(
          chunk.bytes(), 0, chunk.length(), plain, offset, length, dictionary(chunk, path, reader));
    } catch (CodecException e) {
      throw new StoreCorruptException(
          "content does not unpack: " + where(chunk, path), path, chunk.position(), e);
    } catch (IllegalStateException e) {
      throw new StoreClosedException("store was closed during a read: path=" + path, e);
    }
  }

  /**
   * The children's slots of a page, checked.
   *
   * @param count how many children the page must name
   */
  byte[] page(ChunkBuffer chunk, int checksum, String path, int count) throws StoreException {
    check(chunk, checksum, path);
    if (!chunk.page()
        || chunk.codecId() != Packer.RAW
        || chunk.length() != count * TablePage.SLOT_LENGTH) {
      throw corrupt(
          "chunk table page is not the expected one: expectedChildren="
              + count
              + " page="
              + chunk.page()
              + " length="
              + chunk.length(),
          chunk,
          path);
    }
    return chunk.toChunk().bytes();
  }

  private void check(ChunkBuffer chunk, int checksum, String path) throws StoreException {
    int found = PackedChunk.checksum(chunk.bytes(), 0, chunk.length());
    if (found != checksum) {
      throw corrupt(
          "content is damaged: expectedCrc32c="
              + Integer.toHexString(checksum)
              + " found="
              + Integer.toHexString(found),
          chunk,
          path);
    }
  }

  private @Nullable Dictionary dictionary(ChunkBuffer chunk, String path, EntryReader reader)
      throws StoreException {
    if (chunk.dictionaryId() == 0) {
      return null;
    }
    Dictionary dictionary = reader.dictionary(chunk.dictionaryId());
    if (dictionary == null) {
      throw corrupt(
          "dictionary is missing: dictionaryId=" + Long.toHexString(chunk.dictionaryId()),
          chunk,
          path);
    }
    return dictionary;
  }

  private StoreCorruptException corrupt(String what, ChunkBuffer chunk, String path) {
    return new StoreCorruptException(what + " " + where(chunk, path), path, chunk.position(), null);
  }

  private String where(ChunkBuffer chunk, String path) {
    String at = chunk.position() < 0 ? "" : " offset=" + chunk.position();
    return "path=" + path + " file=" + file + at;
  }
}
