package dev.coffer.vfs.internal;

import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.ChunkBuffer;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryReader;
import dev.coffer.vfs.spi.PackedChunk;
import org.jspecify.annotations.Nullable;

/**
 * Reads content of files, whole or in part. Thread-safe.
 *
 * <p>Content of one chunk is read without a pin: if it is gone the entry was replaced meanwhile,
 * and the methods here answer null, for the caller to look the entry up again. Tables are only read
 * pinned or through a view.
 */
final class ContentReader {
  /** The longest array every JVM makes. */
  private static final int MAX_ARRAY_LENGTH = Integer.MAX_VALUE - 8;

  private final ChunkReader chunks;
  private final ChunkCache cache;
  private final BufferPool<ChunkBuffer> buffers =
      new BufferPool<>() {
        @Override
        ChunkBuffer make() {
          return new ChunkBuffer();
        }
      };

  ContentReader(ChunkReader chunks, ChunkCache cache) {
    this.chunks = chunks;
    this.cache = cache;
  }

  TableReader table(EntryReader reader, Entry entry, Content.Table table) throws StoreException {
    return new TableReader(reader, chunks, table, entry.key().path(), entry.length());
  }

  /** The whole content of a file in an array of its own, or null if it is gone. */
  byte @Nullable [] readAll(EntryReader reader, Entry entry) throws StoreException {
    if (entry.content() instanceof Content.Table table) {
      return readTable(reader, entry, table);
    }
    // Who reads a member of a cluster often reads its neighbours next.
    boolean shared =
        entry.content() instanceof Content.Chunk chunk && chunk.plainLength() > entry.length();
    byte[] plain = shared ? cachedChunk(reader, entry) : singleChunk(reader, entry);
    return plain == null ? null : member(entry, plain);
  }

  /**
   * Reads {@code length} bytes of a file from {@code position} on, all of them within it, or null
   * if the content is gone.
   */
  byte @Nullable [] readRange(EntryReader reader, Entry entry, long position, int length)
      throws StoreException {
    byte[] result = newArray(length, entry);
    if (!(entry.content() instanceof Content.Table table)) {
      byte[] plain = cachedChunk(reader, entry);
      if (plain == null) {
        return null;
      }
      System.arraycopy(plain, memberOffset(entry) + (int) position, result, 0, length);
      return result;
    }
    TableReader reading = table(reader, entry, table);
    int done = 0;
    while (done < length) {
      long index = (position + done) / reading.chunkLength();
      int within = (int) ((position + done) % reading.chunkLength());
      byte[] plain = cachedChunk(reading, index);
      int part = Math.min(length - done, plain.length - within);
      System.arraycopy(plain, within, result, done, part);
      done += part;
    }
    return result;
  }

  private byte[] readTable(EntryReader reader, Entry entry, Content.Table table)
      throws StoreException {
    TableReader reading = table(reader, entry, table);
    reading.idOf(0); // The pages must fit the length before so much is allocated.
    byte[] plain = newArray(entry.length(), entry);
    int offset = 0;
    for (long index = 0; index < reading.chunkCount(); index++) {
      reading.read(index, plain, offset);
      offset += reading.lengthOf(index);
    }
    return plain;
  }

  private byte[] cachedChunk(TableReader reading, long index) throws StoreException {
    Long id = reading.idOf(index);
    byte[] plain = id == 0 ? null : cache.get(id);
    if (plain == null) {
      plain = new byte[reading.lengthOf(index)];
      reading.read(index, plain, 0);
      if (id != 0) {
        cache.put(id, plain);
      }
    }
    return plain;
  }

  private byte @Nullable [] cachedChunk(EntryReader reader, Entry entry) throws StoreException {
    Object key =
        entry.content() instanceof Content.Chunk chunk
            ? chunk.id()
            : new VersionKey(entry.key().path(), entry.version());
    byte[] plain = cache.get(key);
    if (plain == null) {
      plain = singleChunk(reader, entry);
      if (plain != null) {
        cache.put(key, plain);
      }
    } else {
      requireHolds(entry, plain.length);
    }
    return plain;
  }

  private record VersionKey(String path, long version) {}

  /** The plain chunk a small file lies in, checked to hold all of the file. */
  private byte @Nullable [] singleChunk(EntryReader reader, Entry entry) throws StoreException {
    String path = entry.key().path();
    Content content = entry.content();
    // Raw bytes become the result as they are read.
    boolean raw = content.codecId() == Packer.RAW;
    ChunkBuffer buffer = raw ? new ChunkBuffer() : buffers.borrow();
    try {
      byte[] plain;
      if (content instanceof Content.None) {
        plain = new byte[0];
      } else if (content instanceof Content.Packed packed) {
        fill(buffer, packed.chunk());
        plain = chunks.unpack(buffer, packed.chunk().checksum(), path, reader);
      } else if (content instanceof Content.Chunk chunk) {
        if (!reader.readChunk(chunk.id(), buffer)) {
          return null;
        }
        plain = chunks.unpack(buffer, chunk.checksum(), path, reader);
      } else if (content instanceof Content.Located located) {
        if (!reader.readLocated(located, buffer)) {
          return null;
        }
        plain = chunks.unpack(buffer, buffer.checksum(), path, reader);
      } else {
        throw new IllegalArgumentException("content is a table: path=" + path);
      }
      requireHolds(entry, plain.length);
      return plain;
    } finally {
      if (!raw) {
        buffers.giveBack(buffer);
      }
    }
  }

  private static void fill(ChunkBuffer buffer, PackedChunk chunk) {
    byte[] room = buffer.room(chunk.length());
    System.arraycopy(chunk.bytes(), chunk.offset(), room, 0, chunk.length());
    buffer.filled(
        chunk.page(),
        chunk.codecId(),
        chunk.dictionaryId(),
        chunk.plainLength(),
        chunk.checksum(),
        chunk.length());
  }

  private static void requireHolds(Entry entry, int plainLength) throws StoreException {
    int offset = memberOffset(entry);
    boolean whole = !(entry.content() instanceof Content.Chunk);
    if (offset < 0
        || entry.length() > (long) plainLength - offset
        || (whole && entry.length() != plainLength)) {
      String path = entry.key().path();
      throw new StoreCorruptException(
          "content is not as long as its entry says: length="
              + entry.length()
              + " found="
              + plainLength
              + " offset="
              + offset
              + " path="
              + path,
          path,
          -1,
          null);
    }
  }

  private static byte[] member(Entry entry, byte[] plain) {
    int offset = memberOffset(entry);
    int length = (int) entry.length();
    if (offset == 0 && length == plain.length) {
      return plain;
    }
    byte[] part = new byte[length];
    System.arraycopy(plain, offset, part, 0, length);
    return part;
  }

  private static int memberOffset(Entry entry) {
    return entry.content() instanceof Content.Chunk chunk ? chunk.offset() : 0;
  }

  private static byte[] newArray(long length, Entry entry) {
    if (length > MAX_ARRAY_LENGTH) {
      throw tooLong(entry, null);
    }
    try {
      return new byte[(int) length];
    } catch (OutOfMemoryError e) {
      throw tooLong(entry, e);
    }
  }

  private static IllegalArgumentException tooLong(Entry entry, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        "file does not fit in memory, use a stream: length="
            + entry.length()
            + " path="
            + entry.key().path(),
        cause);
  }
}
