package dev.coffer.vfs.internal;

import dev.coffer.codecs.Dictionary;
import dev.coffer.vfs.StoreClosedException;
import dev.coffer.vfs.spi.ChunkBuffer;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.ScanRange;
import dev.coffer.vfs.spi.View;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A view of a memory backend: a copy of its state, which nobody changes any more. */
final class MemoryView implements View {
  private final MemoryState state;
  private final MemoryBackend backend;
  private volatile boolean closed;

  MemoryView(MemoryState state, MemoryBackend backend) {
    this.state = state;
    this.backend = backend;
  }

  @Override
  public long sequence() {
    return state.sequence();
  }

  @Override
  public @Nullable Entry lookup(EntryKey key) throws StoreClosedException {
    return read(() -> state.lookup(key));
  }

  @Override
  public List<Entry> scan(ScanRange range, @Nullable EntryKey after, int limit)
      throws StoreClosedException {
    return read(() -> state.scan(range, after, limit));
  }

  @Override
  public boolean readChunk(long contentId, ChunkBuffer target) throws StoreClosedException {
    return read(() -> state.readChunk(contentId, target));
  }

  @Override
  public boolean readLocated(Content.Located content, ChunkBuffer target)
      throws StoreClosedException {
    return read(() -> state.readLocated(content, target));
  }

  @Override
  public @Nullable Dictionary dictionary(long id) throws StoreClosedException {
    return read(() -> state.dictionary(id));
  }

  @Override
  public SortedMap<String, String> properties() throws StoreClosedException {
    return read(state::properties);
  }

  @Override
  public void close() {
    closed = true;
  }

  private <T extends @Nullable Object> T read(Supplier<T> reading) throws StoreClosedException {
    if (closed) {
      throw new StoreClosedException("view is closed: sequence=" + state.sequence());
    }
    return backend.read(reading);
  }
}
