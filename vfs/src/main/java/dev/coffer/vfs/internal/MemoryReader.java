package dev.coffer.vfs.internal;

import dev.coffer.codecs.Dictionary;
import dev.coffer.vfs.StoreClosedException;
import dev.coffer.vfs.spi.ChunkBuffer;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.EntryReader;
import dev.coffer.vfs.spi.ScanRange;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads a state in memory, whenever the subclass says that it may be read. */
abstract class MemoryReader implements EntryReader {
  final MemoryState state;

  MemoryReader(MemoryState state) {
    this.state = state;
  }

  /** Runs a read, if what is read from is open. */
  abstract <T extends @Nullable Object> T read(Supplier<T> reading) throws StoreClosedException;

  @Override
  public final @Nullable Entry lookup(EntryKey key) throws StoreClosedException {
    return read(() -> state.lookup(key));
  }

  @Override
  public final List<Entry> scan(ScanRange range, @Nullable EntryKey after, int limit)
      throws StoreClosedException {
    return read(() -> state.scan(range, after, limit));
  }

  @Override
  public final boolean readChunk(long contentId, ChunkBuffer target) throws StoreClosedException {
    return read(() -> state.readChunk(contentId, target));
  }

  @Override
  public final boolean readLocated(Content.Located content, ChunkBuffer target)
      throws StoreClosedException {
    return read(() -> state.readLocated(content, target));
  }

  @Override
  public final @Nullable Dictionary dictionary(long id) throws StoreClosedException {
    return read(() -> state.dictionary(id));
  }

  @Override
  public final SortedMap<String, String> properties() throws StoreClosedException {
    return read(state::properties);
  }
}
