package dev.coffer.vfs.internal;

import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.Durability;
import dev.coffer.vfs.StoreClosedException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.WriteBatch;
import dev.coffer.vfs.WriteOption;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.PackedChunk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects mutations; packs in the caller's thread, outside the lock. Once much packed content has
 * gathered in memory it is staged in the store.
 */
final class Batch extends MutatingOperations implements WriteBatch {
  /** Packed content above this many bytes in all is staged. */
  private static final long MAX_MEMORY = 8L * 1024 * 1024;

  /** Content up to this many bytes is never staged: it belongs into the entry. */
  private static final int MIN_STAGED = 512;

  private final Store store;
  private final List<Mutation> added = new ArrayList<>();
  private final List<FileWrite> inMemory = new ArrayList<>();
  private long memoryBytes;
  private long packedBytes;
  private final @Nullable ClusterWriter clusters;
  private final EqualFiles equalFiles;
  private boolean ended;

  /**
   * @param kinds what gathers small files in clusters, or null to pack each alone
   */
  Batch(Store store, Mutations mutations, @Nullable Kinds kinds) {
    super(mutations);
    this.store = store;
    this.equalFiles = store.newEqualFiles();
    this.clusters = kinds == null ? null : store.newClusterWriter(kinds, this::packed);
  }

  @Override
  public void requireVersion(String path, long version) throws IOException {
    apply(Mutations.requireVersion(path, version));
  }

  @Override
  public void setProperty(String name, String value) throws IOException {
    apply(Mutations.setProperty(name, value));
  }

  @Override
  public synchronized long packedBytes() {
    return packedBytes + (clusters == null ? 0 : clusters.packedBytes());
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
      requireWritable();
      ended = true;
      if (clusters != null) {
        clusters.finish();
        stageShared();
      }
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

  @Override
  synchronized void apply(Mutation mutation) throws StoreException {
    requireWritable();
    added.add(mutation);
    if (mutation instanceof FileWrite write) {
      packed(write);
    }
    stageIfMuch();
  }

  private void stageIfMuch() throws StoreException {
    if (memoryBytes > MAX_MEMORY) {
      stage();
    }
  }

  @Override
  void writeArray(
      String path, byte[] content, @Nullable Attributes attributes, WriteOption... options)
      throws StoreException {
    if (clusters == null) {
      super.writeArray(path, content, attributes, options);
      return;
    }
    EntryKey key = StorePath.key(path);
    FileWrite equal = equalFiles.find(content);
    if (equal != null) {
      apply(Mutations.equalTo(equal, key, attributes, options));
      return;
    }
    FileWrite write = gather(clusters, key, content, attributes, options);
    if (write == null) {
      write = mutations().write(path, content, attributes, options);
      apply(write);
    }
    equalFiles.add(content, write);
  }

  /** Adds a file to be packed with others; answers null if its kind is not smaller so. */
  private synchronized @Nullable FileWrite gather(
      ClusterWriter writer,
      EntryKey key,
      byte[] content,
      @Nullable Attributes attributes,
      WriteOption... options)
      throws StoreException {
    requireWritable();
    String kind = Kinds.of(key);
    if (!writer.gathers(kind, content.length)) {
      return null;
    }
    FileWrite write = Mutations.unplaced(key, content.length, attributes, options);
    boolean gathered = false;
    try {
      added.add(write);
      writer.add(write, kind, content);
      stageIfMuch();
      gathered = true;
    } finally {
      if (!gathered) {
        close(); // Files gathered before may have no place now.
      }
    }
    return write;
  }

  /** Keeps an eye on what is packed and still in memory. */
  private void packed(FileWrite write) {
    if (write.isEqual()) {
      return; // Counted where the content comes from.
    }
    Content content = write.content();
    packedBytes += content.packedLength();
    if (content instanceof Content.Packed packed && packed.chunk().length() > MIN_STAGED) {
      inMemory.add(write);
      memoryBytes += packed.packedLength();
    }
  }

  /** Stages what several files have: each would take it along otherwise. */
  private void stageShared() throws StoreException {
    long others = 0;
    for (FileWrite write : inMemory) {
      others += write.isShared() ? 0 : write.content().packedLength();
    }
    inMemory.removeIf(write -> !write.isShared());
    stage();
    memoryBytes = others;
  }

  private void stage() throws StoreException {
    memoryBytes = 0;
    if (inMemory.isEmpty()) {
      return;
    }
    List<PackedChunk> chunks = new ArrayList<>(inMemory.size());
    for (FileWrite write : inMemory) {
      chunks.add(((Content.Packed) write.content()).chunk());
    }
    long[] ids = store.backend().stage(chunks);
    for (int i = 0; i < ids.length; i++) {
      PackedChunk chunk = chunks.get(i);
      inMemory
          .get(i)
          .placed(
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
  }

  @Override
  synchronized void requireWritable() throws StoreClosedException {
    if (ended) {
      throw new StoreClosedException("batch has ended: mutations=" + added.size());
    }
  }
}
