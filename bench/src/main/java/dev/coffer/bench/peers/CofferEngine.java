package dev.coffer.bench.peers;

import dev.coffer.vfs.Layout;
import dev.coffer.vfs.NoSuchEntryException;
import dev.coffer.vfs.StoreOptions;
import dev.coffer.vfs.VirtualFileStore;
import dev.coffer.vfs.WriteBatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Coffer through its public API, with default options on each backend. */
final class CofferEngine implements Engine {
  private final VirtualFileStore store;

  private CofferEngine(VirtualFileStore store) {
    this.store = store;
  }

  /** Opens one of our backends. */
  @FunctionalInterface
  interface Opener {
    Engine open(Path directory, EngineOptions options) throws IOException;
  }

  static Opener of(String backend, Layout layout) {
    return (directory, options) -> {
      Path file = directory.resolve("store.coffer");
      StoreOptions how =
          StoreOptions.DEFAULT
              .withBackend(backend)
              .withLayout(layout)
              .withDurability(options.durability())
              .withReadOnly(options.readOnly());
      return new CofferEngine(
          options.create() ? VirtualFileStore.create(file, how) : VirtualFileStore.open(file, how));
    };
  }

  static Engine inMemory(Path directory, EngineOptions options) throws IOException {
    return new CofferEngine(VirtualFileStore.inMemory(StoreOptions.DEFAULT));
  }

  @Override
  public void write(String[] keys, byte[][] values) throws IOException {
    if (keys.length == 1) {
      store.write(keys[0], values[0]);
      return;
    }
    try (WriteBatch batch = store.newBatch()) {
      for (int i = 0; i < keys.length; i++) {
        batch.write(keys[i], values[i]);
      }
      batch.commit();
    }
  }

  @Override
  public byte @Nullable [] get(String key) throws IOException {
    try {
      return store.read(key);
    } catch (NoSuchEntryException e) {
      return null;
    }
  }

  @Override
  public int scan(@Nullable String from, int limit, BiConsumer<String, byte[]> rows)
      throws IOException {
    return store.readFiles("/", from, limit, (entry, value) -> rows.accept(entry.path(), value));
  }

  @Override
  public void delete(String[] keys) throws IOException {
    if (keys.length == 1) {
      store.delete(keys[0]);
      return;
    }
    try (WriteBatch batch = store.newBatch()) {
      for (String key : keys) {
        batch.delete(key);
      }
      batch.commit();
    }
  }

  /** Folders included: Coffer keeps them as entries. */
  @Override
  public long count() throws IOException {
    return store.stats().entries();
  }

  @Override
  public void compact() throws IOException {
    store.compact();
  }

  @Override
  public long commits() throws IOException {
    return store.stats().sequence();
  }

  @Override
  public void close() throws IOException {
    store.close();
  }
}
