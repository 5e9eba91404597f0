package dev.coffer.vfs.internal;

import dev.coffer.codecs.Dictionary;
import dev.coffer.vfs.Durability;
import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreClosedException;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.BackendStats;
import dev.coffer.vfs.spi.Capabilities;
import dev.coffer.vfs.spi.Change;
import dev.coffer.vfs.spi.Commit;
import dev.coffer.vfs.spi.CompactStep;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.PackedChunk;
import dev.coffer.vfs.spi.Pin;
import dev.coffer.vfs.spi.TablePage;
import dev.coffer.vfs.spi.View;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A backend in memory, made plain rather than fast: the oracle the others are compared with, and a
 * store for tests of applications. Thread-safe under one read-write lock.
 */
public final class MemoryBackend extends MemoryReader implements Backend {
  /** Content up to this many bytes stays in the entry. */
  private static final int INLINE_LIMIT = 512;

  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private final Map<Long, Integer> references = new HashMap<>();
  private final Map<Long, Integer> pins = new HashMap<>();
  private long lastId;
  private boolean closed;

  /** An empty backend. */
  public MemoryBackend() {
    super(new MemoryState());
  }

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(Durability.BUFFERED, false, false, true, true);
  }

  @Override
  public boolean isReadOnly() {
    return false;
  }

  @Override
  public List<Problem> recoveryReport() {
    return List.of();
  }

  @Override
  public long[] stage(List<PackedChunk> chunks) throws StoreClosedException {
    lock.writeLock().lock();
    try {
      requireOpen();
      long[] ids = new long[chunks.size()];
      for (int i = 0; i < ids.length; i++) {
        ids[i] = add(chunks.get(i));
      }
      return ids;
    } finally {
      lock.writeLock().unlock();
    }
  }

  @Override
  public void commit(Commit commit, Durability durability) throws StoreClosedException {
    lock.writeLock().lock();
    try {
      requireOpen();
      for (Change change : commit.changes()) {
        put(change);
      }
      for (Change change : commit.changes()) {
        if (change.before() != null) {
          release(idOf(change.before().content()));
        }
      }
      for (Map.Entry<String, String> property : commit.properties().entrySet()) {
        if (property.getValue().isEmpty()) {
          state.properties.remove(property.getKey());
        } else {
          state.properties.put(property.getKey(), property.getValue());
        }
      }
      for (Dictionary dictionary : commit.dictionaries()) {
        state.dictionaries.put(dictionary.id(), dictionary);
      }
      state.sequence = commit.sequence();
    } finally {
      lock.writeLock().unlock();
    }
  }

  private void put(Change change) {
    Entry after = change.after();
    if (after == null) {
      state.entries.remove(change.key());
      return;
    }
    if (after.content() instanceof Content.Packed packed
        && packed.chunk().length() > INLINE_LIMIT) {
      PackedChunk chunk = packed.chunk();
      long id = add(chunk);
      after =
          after.withContent(
              new Content.Chunk(
                  id,
                  0,
                  chunk.plainLength(),
                  chunk.codecId(),
                  chunk.dictionaryId(),
                  chunk.length(),
                  chunk.checksum()));
    }
    long id = idOf(after.content());
    if (id != 0) {
      references.merge(id, 1, Integer::sum);
    }
    state.entries.put(change.key(), after);
  }

  private long add(PackedChunk chunk) {
    long id = ++lastId;
    byte[] copy = new byte[chunk.length()];
    System.arraycopy(chunk.bytes(), chunk.offset(), copy, 0, copy.length);
    state.chunks.put(
        id,
        new PackedChunk(
            chunk.page(),
            chunk.codecId(),
            chunk.dictionaryId(),
            chunk.plainLength(),
            chunk.checksum(),
            copy,
            0,
            copy.length));
    if (chunk.page()) {
      for (int i = 0; i < TablePage.count(copy.length); i++) {
        long child = TablePage.id(copy, i);
        if (child != 0) {
          references.merge(child, 1, Integer::sum);
        }
      }
    }
    return id;
  }

  private void release(long id) {
    if (id != 0 && references.merge(id, -1, Integer::sum) == 0) {
      dropIfUnused(id);
    }
  }

  private void dropIfUnused(long id) {
    if (references.getOrDefault(id, 0) > 0 || pins.getOrDefault(id, 0) > 0) {
      return;
    }
    references.remove(id);
    PackedChunk chunk = state.chunks.remove(id);
    if (chunk != null && chunk.page()) {
      for (int i = 0; i < TablePage.count(chunk.length()); i++) {
        release(TablePage.id(chunk.bytes(), i));
      }
    }
  }

  private static long idOf(Content content) {
    if (content instanceof Content.Chunk chunk) {
      return chunk.id();
    }
    return content instanceof Content.Table table ? table.rootId() : 0;
  }

  @Override
  public void force() throws StoreClosedException {
    read(() -> true);
  }

  @Override
  public View openView() throws StoreClosedException {
    return read(() -> new MemoryView(state.copy(), this));
  }

  @Override
  public @Nullable Pin pin(Content content) throws StoreClosedException {
    lock.writeLock().lock();
    try {
      requireOpen();
      long id = idOf(content);
      if (id == 0) {
        return () -> {};
      }
      if (!state.chunks.containsKey(id)) {
        return null;
      }
      pins.merge(id, 1, Integer::sum);
      AtomicBoolean released = new AtomicBoolean();
      return () -> {
        if (released.compareAndSet(false, true)) {
          unpin(id);
        }
      };
    } finally {
      lock.writeLock().unlock();
    }
  }

  private void unpin(long id) {
    lock.writeLock().lock();
    try {
      if (pins.merge(id, -1, Integer::sum) == 0) {
        pins.remove(id);
        dropIfUnused(id);
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  @Override
  public void verify(Consumer<Problem> problems) throws StoreClosedException {
    force(); // Memory needs no checks beyond being open.
  }

  @Override
  public void verifyEntries(Consumer<Problem> problems) throws StoreClosedException {
    force();
  }

  @Override
  public CompactStep compact(long budgetBytes) throws StoreClosedException {
    force();
    return new CompactStep(true, 0, 0);
  }

  @Override
  public BackendStats stats() throws StoreClosedException {
    return read(
        () -> {
          long bytes = state.chunks.values().stream().mapToLong(PackedChunk::length).sum();
          return new BackendStats(state.entries.size(), bytes, 0);
        });
  }

  @Override
  public void close() {
    lock.writeLock().lock();
    try {
      closed = true;
    } finally {
      lock.writeLock().unlock();
    }
  }

  @Override
  public long sequence() {
    lock.readLock().lock();
    try {
      return state.sequence;
    } finally {
      lock.readLock().unlock();
    }
  }

  @Override
  <T extends @Nullable Object> T read(Supplier<T> reading) throws StoreClosedException {
    lock.readLock().lock();
    try {
      requireOpen();
      return reading.get();
    } finally {
      lock.readLock().unlock();
    }
  }

  private void requireOpen() throws StoreClosedException {
    if (closed) {
      throw new StoreClosedException("store is closed: backend=memory");
    }
  }
}
