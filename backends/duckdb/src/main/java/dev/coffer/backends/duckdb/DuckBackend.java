package dev.coffer.backends.duckdb;

import dev.coffer.vfs.Durability;
import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreReadOnlyException;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.BackendStats;
import dev.coffer.vfs.spi.CallGate;
import dev.coffer.vfs.spi.Capabilities;
import dev.coffer.vfs.spi.Change;
import dev.coffer.vfs.spi.Commit;
import dev.coffer.vfs.spi.CompactStep;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.PackedChunk;
import dev.coffer.vfs.spi.Pin;
import dev.coffer.vfs.spi.PinRegistry;
import dev.coffer.vfs.spi.StoreLock;
import dev.coffer.vfs.spi.View;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A store in one DuckDB database. One connection writes, under a lock; others read the newest
 * commit, or the snapshot of a view. Dead content is deleted by later transactions of its own.
 */
final class DuckBackend extends QueryReader implements Backend {
  private static final Capabilities CAPABILITIES =
      new Capabilities(Durability.SYNC, false, false, false, false);

  /** What one staging transaction takes. */
  private static final int SLICE_BYTES = 8 << 20;

  /** A file is rewritten when it is twice as long as its rows and this. */
  private static final long EMPTY_FILE_BYTES = 1 << 20;

  private final StoreFiles files;
  private final @Nullable StoreLock lock;
  private final DuckConnections connections;
  private final CallGate gate;
  private final PinRegistry pins = new PinRegistry();
  private final ReentrantLock writing = new ReentrantLock();
  private final EntryCache cache = new EntryCache();
  private final Set<DuckView> views = new HashSet<>();

  private final Transactions transactions;

  private DuckBackend(
      StoreFiles files, @Nullable StoreLock lock, DuckConnections connections, Meta meta) {
    this.files = files;
    this.lock = lock;
    this.connections = connections;
    this.transactions = new Transactions(files, connections, pins, meta);
    this.gate = new CallGate(files.file().toString());
  }

  /** Opens a file, or makes it. Takes over the lock, which is null for reading only. */
  static DuckBackend open(StoreFiles files, @Nullable StoreLock lock, boolean create)
      throws StoreException {
    DuckConnections connections = DuckConnections.open(files, lock == null, create);
    boolean opened = false;
    try {
      Meta meta = connections.read(null, Meta::read);
      DuckBackend backend = new DuckBackend(files, lock, connections, meta);
      if (lock != null) {
        lock.covers(files.file());
        files.deleteSide();
        backend.transactions.sweepAll();
      }
      opened = true;
      return backend;
    } finally {
      if (!opened) {
        connections.closeAfterFailure();
      }
    }
  }

  @Override
  public String name() {
    return DuckBackendProvider.NAME;
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public boolean isReadOnly() {
    return lock == null;
  }

  @Override
  public List<Problem> recoveryReport() {
    return List.of(); // DuckDB replays its log by itself, to the last commit.
  }

  @Override
  public long sequence() {
    return transactions.meta().sequence;
  }

  @Override
  <T> T read(@Nullable String path, DuckConnections.Query<T> query) throws StoreException {
    gate.enter();
    try {
      return connections.read(path, query);
    } finally {
      gate.leave();
    }
  }

  @Override
  public @Nullable Entry lookup(EntryKey key) throws StoreException {
    gate.enter();
    try {
      Entry known = cache.get(key);
      if (known != null || cache.isAbsent(key)) {
        return known;
      }
      long moment = cache.moment();
      Entry found =
          connections
              .read(key.path(), session -> Optional.ofNullable(Queries.lookup(session, key)))
              .orElse(null);
      if (found != null) {
        cache.put(found, moment);
      } else if (!isReadOnly() && !cache.hasFilter()) {
        filterKeys();
      }
      return found;
    } finally {
      gate.leave();
    }
  }

  /** Builds the filter of keys, unless a commit is under way: then another time. */
  private void filterKeys() throws StoreException {
    if (writing.tryLock()) {
      try {
        cache.use(
            connections.read(null, session -> Queries.keys(session, transactions.meta().entries)));
      } finally {
        writing.unlock();
      }
    }
  }

  /** Lets a writing call in, alone. To be followed by {@link #endWrite}, unless it throws. */
  private void beginWrite() throws StoreException {
    gate.enter();
    boolean entered = false;
    writing.lock();
    try {
      requireWritable();
      entered = true;
    } finally {
      if (!entered) {
        endWrite();
      }
    }
  }

  private void endWrite() {
    writing.unlock();
    gate.leave();
  }

  private void requireWritable() throws StoreException {
    if (isReadOnly()) {
      throw new StoreReadOnlyException("store is open read-only: store=" + files.file());
    }
    transactions.requireSound();
  }

  @Override
  public long[] stage(List<PackedChunk> chunks) throws StoreException {
    long[] ids = new long[chunks.size()];
    for (int from = 0, to; from < ids.length; from = to) {
      long bytes = 0;
      for (to = from; to < ids.length && (to == from || bytes < SLICE_BYTES); to++) {
        bytes += chunks.get(to).length();
      }
      List<PackedChunk> slice = chunks.subList(from, to);
      beginWrite();
      try {
        transactions.requireRoom(bytes);
        long[] staged = transactions.run(writer -> writer.stage(slice));
        System.arraycopy(staged, 0, ids, from, staged.length);
        transactions.tidy();
      } finally {
        endWrite();
      }
    }
    if (ids.length == 0) {
      beginWrite(); // For what it may throw.
      endWrite();
    }
    return ids;
  }

  @Override
  public void commit(Commit commit, Durability durability) throws StoreException {
    beginWrite();
    try {
      transactions.requireRoom(bytesOf(commit));
      try {
        transactions.run(
            writer -> {
              writer.apply(commit);
              cache.beginCommit(commit.changes());
              return commit;
            });
      } finally {
        cache.endCommit();
      }
      transactions.tidy();
    } finally {
      endWrite();
    }
  }

  private static long bytesOf(Commit commit) {
    long bytes = 0;
    for (Change change : commit.changes()) {
      Entry after = change.after();
      bytes += after != null && after.content() instanceof Content.Packed p ? p.packedLength() : 0;
    }
    return bytes;
  }

  @Override
  public void force() throws StoreException {
    gate.enter();
    try {
      if (!isReadOnly()) {
        requireWritable(); // DuckDB has forced every commit that returned.
      }
    } finally {
      gate.leave();
    }
  }

  @Override
  public View openView() throws StoreException {
    gate.enter();
    try {
      synchronized (views) {
        DuckView view = newView();
        views.add(view);
        return view;
      }
    } catch (SQLException e) {
      throw DuckErrors.translate(e, files.file(), null);
    } finally {
      gate.leave();
    }
  }

  private DuckView newView() throws SQLException, StoreException {
    Session session = connections.newSession();
    boolean opened = false;
    try {
      session.execute(DuckSql.BEGIN);
      long seen = Meta.read(session).sequence; // The snapshot is that of the first query.
      opened = true;
      return new DuckView(session, seen, gate, files.file(), this::forget);
    } finally {
      if (!opened) {
        session.close();
      }
    }
  }

  private void forget(DuckView view) {
    synchronized (views) {
      views.remove(view);
    }
  }

  @Override
  public @Nullable Pin pin(Content content) throws StoreException {
    gate.enter();
    try {
      if (content instanceof Content.Located) {
        throw new IllegalArgumentException("content is of another backend: content=" + content);
      }
      long id = EntryRow.idOf(content);
      if (id == 0) {
        return () -> {}; // It is in the entry, at hand.
      }
      return pins.pin(
          id, () -> connections.read(null, session -> Queries.contentExists(session, id)));
    } finally {
      gate.leave();
    }
  }

  @Override
  public void verify(Consumer<Problem> problems) throws StoreException {
    verify(problems, Verification::all);
  }

  @Override
  public void verifyEntries(Consumer<Problem> problems) throws StoreException {
    verify(problems, Verification::entries);
  }

  private interface Check {
    void run(Verification verification) throws SQLException, StoreException;
  }

  private void verify(Consumer<Problem> problems, Check check) throws StoreException {
    gate.enter();
    try (Session session = connections.newSession()) {
      session.execute(DuckSql.BEGIN);
      check.run(new Verification(session, files.file(), problems));
      session.execute(DuckSql.ROLLBACK);
    } catch (SQLException e) {
      throw DuckErrors.translate(e, files.file(), null);
    } finally {
      gate.leave();
    }
  }

  @Override
  public CompactStep compact(long budgetBytes) throws StoreException {
    beginWrite();
    try {
      long before = files.bytes();
      transactions.sweepSuspects();
      transactions.checkpoint();
      long moved = 0;
      synchronized (views) {
        long stored = transactions.meta().storedBytes;
        if (views.isEmpty() && files.bytes() > 2 * stored + EMPTY_FILE_BYTES) {
          transactions.requireRoom(stored);
          rewrite();
          moved = stored;
        }
      }
      return new CompactStep(true, moved, Math.max(0, before - files.bytes()));
    } finally {
      endWrite();
    }
  }

  private void rewrite() throws StoreException {
    try {
      connections.rewrite();
      if (lock != null) {
        lock.covers(files.file());
      }
    } catch (SQLException e) {
      if (!connections.isAttached() || !DuckErrors.isHarmless(e)) {
        throw transactions.fail(e);
      }
      throw DuckErrors.translate(e, files.file(), null);
    } catch (StoreException e) {
      if (!connections.isAttached()) {
        transactions.latch(e);
      }
      throw e;
    }
  }

  @Override
  public BackendStats stats() throws StoreException {
    gate.enter();
    try {
      return new BackendStats(transactions.meta().entries, -1, files.bytes());
    } finally {
      gate.leave();
    }
  }

  @Override
  public void close() throws StoreException {
    if (!gate.close()) {
      return;
    }
    StoreException first = null;
    List<DuckView> open;
    synchronized (views) {
      open = new ArrayList<>(views);
    }
    try {
      for (DuckView view : open) {
        view.close();
      }
      pins.end();
      if (!isReadOnly() && transactions.isSound()) {
        transactions.sweepAll();
        transactions.checkpoint();
      }
    } catch (StoreException e) {
      first = e;
    }
    try {
      connections.close();
    } catch (StoreException e) {
      first = first == null ? e : first;
    } finally {
      if (lock != null) {
        lock.close();
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
