package dev.coffer.bench.peers;

import dev.coffer.vfs.Durability;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.type.ByteArrayDataType;
import org.h2.mvstore.type.StringDataType;
import org.jspecify.annotations.Nullable;

/** H2's MVStore: one map, committed explicitly, its background thread off. */
final class MvStoreEngine implements Engine {
  private static final int CACHE_MIB = 64;
  private static final int COMPACT_MILLIS = 600_000;

  private final boolean forces;
  private final MVStore store;
  private final MVMap<String, byte[]> map;

  MvStoreEngine(Path directory, EngineOptions options) {
    this.forces = options.durability() == Durability.SYNC;
    MVStore.Builder builder =
        new MVStore.Builder()
            .fileName(directory.resolve("peer.mv").toString())
            .autoCommitDisabled()
            .cacheSize(CACHE_MIB);
    this.store = (options.readOnly() ? builder.readOnly() : builder).open();
    this.map =
        store.openMap(
            "kv",
            new MVMap.Builder<String, byte[]>()
                .keyType(StringDataType.INSTANCE)
                .valueType(ByteArrayDataType.INSTANCE));
  }

  private void commit() {
    store.commit();
    if (forces) {
      store.sync();
    }
  }

  @Override
  public synchronized void write(String[] keys, byte[][] values) {
    for (int i = 0; i < keys.length; i++) {
      map.put(keys[i], values[i]);
    }
    commit();
  }

  /** The map's own array would be the cache's. */
  @Override
  public byte @Nullable [] get(String key) {
    byte[] value = map.get(key);
    return value == null ? null : value.clone();
  }

  @Override
  public int scan(@Nullable String from, int limit, BiConsumer<String, byte[]> rows) {
    Cursor<String, byte[]> cursor = map.cursor(from);
    int count = 0;
    while (count < limit && cursor.hasNext()) {
      String key = cursor.next();
      rows.accept(key, cursor.getValue().clone());
      count++;
    }
    return count;
  }

  @Override
  public synchronized void delete(String[] keys) {
    for (String key : keys) {
      map.remove(key);
    }
    commit();
  }

  @Override
  public long count() {
    return map.sizeAsLong();
  }

  @Override
  public synchronized void compact() {
    store.compactFile(COMPACT_MILLIS);
  }

  @Override
  public synchronized void close() {
    store.close();
  }
}
