package dev.coffer.bench.peers;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.coffer.vfs.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.CopyFlags;
import org.lmdbjava.Cursor;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.GetOp;
import org.lmdbjava.SeekOp;
import org.lmdbjava.Txn;

/**
 * LMDB through lmdbjava. Each thread keeps one read transaction, which is renewed only when
 * something was committed since: a little better than an application that begins one a read.
 */
final class LmdbEngine implements Engine {
  private static final int MAX_KEY = 511;
  private static final long SPARE_BYTES = 1L << 30;

  private final Path directory;
  private final EngineOptions options;
  private final AtomicLong commits = new AtomicLong();
  private final ByteBuffer writeKey = ByteBuffer.allocateDirect(MAX_KEY);
  private final Collection<Reader> readers = new ConcurrentLinkedQueue<>();
  private final ThreadLocal<Reader> reader = ThreadLocal.withInitial(this::newReader);
  private ByteBuffer writeValue = ByteBuffer.allocateDirect(4096);
  private Env<ByteBuffer> env;
  private Dbi<ByteBuffer> db;

  LmdbEngine(Path directory, EngineOptions options) throws IOException {
    this.directory = Files.createDirectories(directory.resolve("lmdb"));
    this.options = options;
    this.env = openEnvironment();
    this.db = openTable();
  }

  private Env<ByteBuffer> openEnvironment() {
    Env.Builder<ByteBuffer> builder =
        Env.create()
            .setMapSize(options.plainBytes() * 4 + SPARE_BYTES)
            .setMaxDbs(1)
            .setMaxReaders(126);
    if (options.readOnly()) {
      return builder.open(directory.toFile(), EnvFlags.MDB_RDONLY_ENV, EnvFlags.MDB_NOTLS);
    }
    return options.durability() == Durability.SYNC
        ? builder.open(directory.toFile(), EnvFlags.MDB_NOTLS)
        : builder.open(directory.toFile(), EnvFlags.MDB_NOTLS, EnvFlags.MDB_NOSYNC);
  }

  private Dbi<ByteBuffer> openTable() {
    return options.create() ? env.openDbi("kv", DbiFlags.MDB_CREATE) : env.openDbi("kv");
  }

  /** A thread's transaction. */
  private static final class Reader {
    final Txn<ByteBuffer> txn;
    final ByteBuffer key = ByteBuffer.allocateDirect(MAX_KEY);
    long seen;

    Reader(Txn<ByteBuffer> txn, long seen) {
      this.txn = txn;
      this.seen = seen;
    }
  }

  private Reader newReader() {
    long seen = commits.get();
    Reader made = new Reader(env.txnRead(), seen);
    readers.add(made);
    return made;
  }

  private Reader current() {
    Reader mine = reader.get();
    long now = commits.get();
    if (mine.seen != now) {
      mine.txn.reset();
      mine.txn.renew();
      mine.seen = now;
    }
    return mine;
  }

  private static ByteBuffer fill(ByteBuffer buffer, String key) {
    return buffer.clear().put(key.getBytes(ISO_8859_1)).flip();
  }

  private static byte[] copy(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  @Override
  public synchronized void write(String[] keys, byte[][] values) {
    try (Txn<ByteBuffer> txn = env.txnWrite()) {
      for (int i = 0; i < keys.length; i++) {
        if (writeValue.capacity() < values[i].length) {
          writeValue = ByteBuffer.allocateDirect(values[i].length);
        }
        db.put(txn, fill(writeKey, keys[i]), writeValue.clear().put(values[i]).flip());
      }
      txn.commit();
    }
    commits.incrementAndGet();
  }

  @Override
  public byte @Nullable [] get(String key) {
    Reader mine = current();
    ByteBuffer value = db.get(mine.txn, fill(mine.key, key));
    return value == null ? null : copy(value);
  }

  @Override
  public int scan(@Nullable String from, int limit, BiConsumer<String, byte[]> rows) {
    Reader mine = current();
    int count = 0;
    try (Cursor<ByteBuffer> cursor = db.openCursor(mine.txn)) {
      boolean found =
          from == null
              ? cursor.seek(SeekOp.MDB_FIRST)
              : cursor.get(fill(mine.key, from), GetOp.MDB_SET_RANGE);
      while (found && count < limit) {
        rows.accept(new String(copy(cursor.key()), ISO_8859_1), copy(cursor.val()));
        count++;
        found = cursor.next();
      }
    }
    return count;
  }

  @Override
  public synchronized void delete(String[] keys) {
    try (Txn<ByteBuffer> txn = env.txnWrite()) {
      for (String key : keys) {
        db.delete(txn, fill(writeKey, key));
      }
      txn.commit();
    }
    commits.incrementAndGet();
  }

  @Override
  public long count() {
    return db.stat(current().txn).entries;
  }

  /** LMDB shrinks by being copied, as its documentation says; the copy takes the place. */
  @Override
  public synchronized void compact() throws IOException {
    Path copy = Files.createDirectories(directory.resolveSibling("lmdb-compact"));
    env.copy(copy.toFile(), CopyFlags.MDB_CP_COMPACT);
    closeReaders();
    env.close();
    Files.move(
        copy.resolve("data.mdb"),
        directory.resolve("data.mdb"),
        StandardCopyOption.REPLACE_EXISTING);
    Files.delete(copy);
    env = openEnvironment();
    db = env.openDbi("kv");
  }

  private void closeReaders() {
    readers.forEach(open -> open.txn.close());
    readers.clear();
    reader.remove();
  }

  @Override
  public synchronized void close() {
    closeReaders();
    if (!options.readOnly()) {
      env.sync(true);
    }
    env.close();
  }
}
