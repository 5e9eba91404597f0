package dev.coffer.bench.peers;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.coffer.vfs.Durability;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompactRangeOptions.BottommostLevelCompaction;
import org.rocksdb.CompactionPriority;
import org.rocksdb.CompressionType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.RocksObject;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** RocksDB with the options its wiki gives for "setup options and basic tuning". */
final class RocksEngine implements Engine {
  private static final long CACHE_BYTES = 64L * 1024 * 1024;
  private static final int FILTER_BITS = 10;

  private final List<RocksObject> natives = new ArrayList<>();
  private final WriteOptions writing;
  private final ReadOptions reading;
  private final RocksDB db;

  RocksEngine(Path directory, EngineOptions options) throws RocksDBException {
    RocksDB.loadLibrary();
    BlockBasedTableConfig table =
        new BlockBasedTableConfig()
            .setBlockCache(own(new LRUCache(CACHE_BYTES)))
            .setFilterPolicy(own(new BloomFilter(FILTER_BITS)))
            .setBlockSize(16 * 1024)
            .setCacheIndexAndFilterBlocks(true)
            .setPinL0FilterAndIndexBlocksInCache(true)
            .setFormatVersion(5);
    Options how =
        own(new Options())
            .setCreateIfMissing(options.create())
            .setLevelCompactionDynamicLevelBytes(true)
            .setMaxBackgroundJobs(4)
            .setBytesPerSync(1024 * 1024)
            .setCompactionPriority(CompactionPriority.MinOverlappingRatio)
            .setCompressionType(CompressionType.LZ4_COMPRESSION)
            .setTableFormatConfig(table);
    this.writing = own(new WriteOptions()).setSync(options.durability() == Durability.SYNC);
    this.reading = own(new ReadOptions());
    String path = directory.resolve("rocksdb").toString();
    this.db = options.readOnly() ? RocksDB.openReadOnly(how, path) : RocksDB.open(how, path);
  }

  private <T extends RocksObject> T own(T resource) {
    natives.add(resource);
    return resource;
  }

  private static byte[] bytes(String key) {
    return key.getBytes(ISO_8859_1);
  }

  @Override
  public void write(String[] keys, byte[][] values) throws RocksDBException {
    if (keys.length == 1) {
      db.put(writing, bytes(keys[0]), values[0]);
      return;
    }
    try (WriteBatch batch = new WriteBatch()) {
      for (int i = 0; i < keys.length; i++) {
        batch.put(bytes(keys[i]), values[i]);
      }
      db.write(writing, batch);
    }
  }

  @Override
  public byte @Nullable [] get(String key) throws RocksDBException {
    return db.get(reading, bytes(key));
  }

  @Override
  public int scan(@Nullable String from, int limit, BiConsumer<String, byte[]> rows) {
    int count = 0;
    try (RocksIterator iterator = db.newIterator(reading)) {
      if (from == null) {
        iterator.seekToFirst();
      } else {
        iterator.seek(bytes(from));
      }
      while (count < limit && iterator.isValid()) {
        rows.accept(new String(iterator.key(), ISO_8859_1), iterator.value());
        count++;
        iterator.next();
      }
    }
    return count;
  }

  @Override
  public void delete(String[] keys) throws RocksDBException {
    try (WriteBatch batch = new WriteBatch()) {
      for (String key : keys) {
        batch.delete(bytes(key));
      }
      db.write(writing, batch);
    }
  }

  @Override
  public long count() {
    long count = 0;
    try (RocksIterator iterator = db.newIterator(reading)) {
      for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
        count++;
      }
    }
    return count;
  }

  @Override
  public void compact() throws RocksDBException {
    try (CompactRangeOptions all =
        new CompactRangeOptions()
            .setBottommostLevelCompaction(BottommostLevelCompaction.kForceOptimized)) {
      db.compactRange(db.getDefaultColumnFamily(), null, null, all);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      db.closeE();
    } catch (RocksDBException e) {
      throw new IOException("cannot close RocksDB", e);
    }
    Collections.reverse(natives);
    natives.forEach(RocksObject::close);
  }
}
