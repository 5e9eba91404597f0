package dev.coffer.vfs.internal;

import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.Durability;
import dev.coffer.vfs.StoreClosedException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.WriteBatch;
import dev.coffer.vfs.WriteOption;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.PackedChunk;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects mutations; packs in the caller's thread, outside the lock. Once much packed content has
 * gathered in memory it is staged in the store.
 */
final class Batch implements WriteBatch {
  /** Packed content above this many bytes in all is staged. */
  private static final long MAX_MEMORY = 8L * 1024 * 1024;

  /** Content up to this many bytes is never staged: it belongs into the entry. */
  private static final int MIN_STAGED = 512;

  private final Store store;
  private final Mutations mutations;
  private final List<Mutation> added = new ArrayList<>();
  private final List<FileWrite> inMemory = new ArrayList<>();
  private long memoryBytes;
  private long packedBytes;
  private boolean ended;

  Batch(Store store, Mutations mutations) {
    this.store = store;
    this.mutations = mutations;
  }

  @Override
  public void write(
      String path, byte[] content, @Nullable Attributes attributes, WriteOption... options)
      throws IOException {
    add(mutations.write(path, content, attributes, options));
  }

  @Override
  public void write(
      String path, InputStream content, @Nullable Attributes attributes, WriteOption... options)
      throws IOException {
    add(mutations.write(path, content, attributes, options));
  }

  @Override
  public void createSymbolicLink(
      String path, String target, @Nullable Attributes attributes, WriteOption... options)
      throws IOException {
    add(Mutations.createSymbolicLink(path, target, attributes, options));
  }

  @Override
  public void createDirectories(String path) throws IOException {
    add(Mutations.createDirectories(path));
  }

  @Override
  public void delete(String path) throws IOException {
    add(Mutations.delete(path));
  }

  @Override
  public void deleteRecursively(String path) throws IOException {
    add(Mutations.deleteRecursively(path));
  }

  @Override
  public void move(String from, String to, WriteOption... options) throws IOException {
    add(Mutations.move(from, to, options));
  }

  @Override
  public void copy(String from, String to, WriteOption... options) throws IOException {
    add(Mutations.copy(from, to, options));
  }

  @Override
  public void setAttributes(String path, Attributes attributes) throws IOException {
    add(Mutations.setAttributes(path, attributes));
  }

  @Override
  public void requireVersion(String path, long version) throws IOException {
    add(Mutations.requireVersion(path, version));
  }

  @Override
  public void setProperty(String name, String value) throws IOException {
    add(Mutations.setProperty(name, value));
  }

  @Override
  public synchronized long packedBytes() {
    return packedBytes;
  }

  @Override
  public long commit() throws IOException {
    return commit(store.options().durability());
  }

  @Override
  public long commit(Durability durability) throws IOException {
    List<Mutation> all;
    long bytes;
    synchronized (this) {
      requireOpen();
      ended = true;
      all = List.copyOf(added);
      bytes = memoryBytes;
    }
    try {
      return store.commit(all, durability, bytes);
    } finally {
      close();
    }
  }

  @Override
  public synchronized void close() {
    ended = true;
    added.clear();
    inMemory.clear();
  }

  private synchronized void add(Mutation mutation) throws StoreException {
    requireOpen();
    added.add(mutation);
    if (mutation instanceof FileWrite write) {
      Content content = write.content();
      packedBytes += content.packedLength();
      if (content instanceof Content.Packed packed && packed.chunk().length() > MIN_STAGED) {
        inMemory.add(write);
        memoryBytes += packed.packedLength();
      }
      if (memoryBytes > MAX_MEMORY) {
        stage();
      }
    }
  }

  private void stage() throws StoreException {
    List<PackedChunk> chunks = new ArrayList<>(inMemory.size());
    for (FileWrite write : inMemory) {
      chunks.add(((Content.Packed) write.content()).chunk());
    }
    long[] ids = store.backend().stage(chunks);
    for (int i = 0; i < ids.length; i++) {
      PackedChunk chunk = chunks.get(i);
      inMemory
          .get(i)
          .staged(
              new Content.Chunk(
                  ids[i],
                  0,
                  chunk.plainLength(),
                  chunk.codecId(),
                  chunk.dictionaryId(),
                  chunk.length(),
                  chunk.checksum()));
    }
    inMemory.clear();
    memoryBytes = 0;
  }

  private void requireOpen() throws StoreClosedException {
    if (ended) {
      throw new StoreClosedException("batch has ended: mutations=" + added.size());
    }
  }
}
