package dev.coffer.backends.sqlite;

import dev.coffer.vfs.Durability;
import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreBackendException;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreFullException;
import dev.coffer.vfs.StoreReadOnlyException;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.BackendStats;
import dev.coffer.vfs.spi.CallGate;
import dev.coffer.vfs.spi.Capabilities;
import dev.coffer.vfs.spi.Commit;
import dev.coffer.vfs.spi.CompactStep;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.PackedChunk;
import dev.coffer.vfs.spi.Pin;
import dev.coffer.vfs.spi.PinRegistry;
import dev.coffer.vfs.spi.StoreLock;
import dev.coffer.vfs.spi.View;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One open SQLite store: reads on a pool of connections, writes on one. */
final class SqliteBackend extends SessionReader implements Backend {
  private static final Capabilities CAPABILITIES =
      new Capabilities(Durability.PROCESS, false, true, false, false);

  /** Staging lets others write after so many bytes. */
  private static final long STAGE_SLICE = 8L * 1024 * 1024;

  private static final long MIN_VACUUM_PAGES = 16;
  private static final Pin NO_PIN = () -> {};

  private final Path file;
  private final CallGate gate;
  private final ReadPool pool;
  private final PinRegistry pins = new PinRegistry();
  private final Set<SqliteView> views = ConcurrentHashMap.newKeySet();
  private final List<Problem> report = new ArrayList<>();
  private final @Nullable StoreLock lock;
  private final @Nullable Statements writing;
  private @Nullable SqliteWriter writer;
  private @Nullable Garbage garbage;
  private Meta opened = new Meta(new byte[0], 0);

  private SqliteBackend(Path file, @Nullable StoreLock lock, @Nullable Statements writing) {
    this.file = file;
    this.lock = lock;
    this.writing = writing;
    this.gate = new CallGate(file.toString());
    this.pool = new ReadPool(file, writing == null);
  }

  /** Opens a store whose lock the caller holds; the backend releases it if this succeeds. */
  static SqliteBackend openForWriting(Path file, StoreLock lock) throws StoreException {
    Statements statements = SqliteConnections.open(file, SqliteConnections.Mode.WRITE);
    SqliteBackend backend = new SqliteBackend(file, lock, statements);
    boolean done = false;
    try {
      backend.prepareWriting(statements);
      done = true;
      return backend;
    } catch (SQLException e) {
      throw SqliteErrors.translate(e, file, null);
    } finally {
      if (!done) {
        closeQuietly(statements);
      }
    }
  }

  /** A store whose own figures are damaged is opened all the same, to be read. */
  private void prepareWriting(Statements statements) throws SQLException, StoreException {
    statements.numbers(SqliteSql.USE_WAL, 1);
    try {
      SqliteWriter usable = new SqliteWriter(file, statements, pool);
      Garbage sweeper = new Garbage(usable, pins, file);
      writer = usable;
      garbage = sweeper;
      sweeper.sweep(report::add);
    } catch (StoreFullException e) {
      // What is in the way stays until there is room to say that it is gone.
    } catch (StoreCorruptException e) {
      writer = null;
      garbage = null;
      report.add(new Problem(e.path(), e.offset(), e.getMessage() + " opened=read-only"));
    }
  }

  static SqliteBackend openReadOnly(Path file) throws StoreException {
    SqliteBackend backend = new SqliteBackend(file, null, null);
    // A store that cannot be opened at all throws here, one whose own row is damaged below.
    backend.pool.giveBack(backend.pool.borrow(), true);
    boolean done = false;
    try {
      backend.opened = backend.read(ReadSession::meta);
      done = true;
    } catch (StoreCorruptException e) {
      backend.report.add(new Problem(e.path(), e.offset(), String.valueOf(e.getMessage())));
      done = true;
    } finally {
      if (!done) {
        backend.close();
      }
    }
    return backend;
  }

  private static void closeQuietly(Statements statements) {
    try {
      statements.close();
    } catch (SQLException e) {
      // Opening failed, and says why.
    }
  }

  @Override
  public String name() {
    return SqliteBackendProvider.NAME;
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public boolean isReadOnly() {
    return writer == null;
  }

  @Override
  public List<Problem> recoveryReport() {
    return List.copyOf(report);
  }

  @Override
  public long sequence() {
    return meta().sequence;
  }

  private Meta meta() {
    return writer == null ? opened : writer.meta();
  }

  @Override
  <T> T read(ReadCall<T> call) throws StoreException {
    gate.enter();
    try {
      ReadSession session = pool.borrowForQuery();
      boolean healthy = false;
      try {
        T result = call.apply(session);
        healthy = true;
        return result;
      } catch (StoreException | RuntimeException e) {
        healthy = true; // Of what was read, not of reading it.
        throw e;
      } finally {
        pool.giveBack(session, healthy);
      }
    } catch (SQLException e) {
      throw SqliteErrors.translate(e, file, null);
    } finally {
      gate.leave();
    }
  }

  private SqliteWriter writer() throws StoreException {
    if (writer == null) {
      throw new StoreReadOnlyException("store is open read-only: store=" + file);
    }
    writer.requireUsable();
    return writer;
  }

  @Override
  public long[] stage(List<PackedChunk> chunks) throws StoreException {
    gate.enter();
    try {
      SqliteWriter to = writer();
      long[] ids = new long[chunks.size()];
      int done = 0;
      while (done < ids.length) {
        int from = done;
        int end = sliceEnd(chunks, from);
        to.transact(
            false,
            transaction -> {
              for (int i = from; i < end; i++) {
                ids[i] = transaction.stage(chunks.get(i));
              }
            });
        done = end;
      }
      return ids;
    } finally {
      gate.leave();
    }
  }

  private static int sliceEnd(List<PackedChunk> chunks, int from) {
    long bytes = chunks.get(from).length();
    int end = from + 1;
    while (end < chunks.size() && bytes + chunks.get(end).length() <= STAGE_SLICE) {
      bytes += chunks.get(end).length();
      end++;
    }
    return end;
  }

  @Override
  public void commit(Commit commit, Durability durability) throws StoreException {
    gate.enter();
    try {
      SqliteWriter to = writer();
      to.lock();
      try {
        if (commit.sequence() != to.meta().sequence + 1) {
          throw new IllegalArgumentException(
              "commit does not follow the last: sequence="
                  + commit.sequence()
                  + " last="
                  + to.meta().sequence);
        }
        if (garbage != null) {
          garbage.collectIfDue();
        }
        Transaction done =
            to.transact(durability == Durability.SYNC, transaction -> transaction.apply(commit));
        if (garbage != null) {
          garbage.add(done.unreferenced());
        }
      } finally {
        to.unlock();
      }
    } finally {
      gate.leave();
    }
  }

  @Override
  public void force() throws StoreException {
    gate.enter();
    try {
      writer().force();
    } finally {
      gate.leave();
    }
  }

  @Override
  public View openView() throws StoreException {
    gate.enter();
    try {
      ReadSession session = pool.borrow();
      boolean done = false;
      try {
        session.beginSnapshot();
        long sequence = sequenceSeen(session);
        SqliteView view = new SqliteView(gate, session, sequence, this::ended);
        views.add(view);
        done = true;
        return view;
      } catch (SQLException e) {
        throw SqliteErrors.translate(e, file, null);
      } finally {
        if (!done) {
          pool.giveBack(session, false);
        }
      }
    } finally {
      gate.leave();
    }
  }

  /** Fixes what the session's snapshot sees; a store nobody can write needs no row for that. */
  private long sequenceSeen(ReadSession session) throws SQLException, StoreException {
    try {
      return session.meta().sequence;
    } catch (StoreCorruptException e) {
      if (writer == null) {
        return opened.sequence;
      }
      throw e;
    }
  }

  private void ended(SqliteView view, ReadSession session, boolean reusable) {
    views.remove(view);
    pool.giveBack(session, reusable);
  }

  @Override
  public @Nullable Pin pin(Content content) throws StoreException {
    long id = Transaction.idOf(content);
    if (id == 0) {
      return NO_PIN;
    }
    return pins.pin(id, () -> read(session -> session.contentExists(id)));
  }

  @Override
  public void verify(Consumer<Problem> problems) throws StoreException {
    report.forEach(problems);
    verify(problems, true);
  }

  @Override
  public void verifyEntries(Consumer<Problem> problems) throws StoreException {
    verify(problems, false);
  }

  private void verify(Consumer<Problem> problems, boolean others) throws StoreException {
    try {
      read(
          session -> {
            session.beginSnapshot();
            try {
              Verifier verifier = new Verifier(session, problems);
              verifier.entries();
              if (others) {
                verifier.others();
              }
              return true;
            } finally {
              session.endSnapshot();
            }
          });
    } catch (StoreCorruptException e) {
      problems.accept(new Problem(e.path(), e.offset(), String.valueOf(e.getMessage())));
    }
  }

  @Override
  public CompactStep compact(long budgetBytes) throws StoreException {
    gate.enter();
    try {
      SqliteWriter to = writer();
      to.lock();
      try {
        if (garbage != null) {
          garbage.collectAll(problem -> {});
        }
        long free = to.freePages();
        if (free == 0) {
          return new CompactStep(true, 0, 0);
        }
        long before = to.databaseBytes();
        long pages = Math.max(MIN_VACUUM_PAGES, budgetBytes / to.pageLength());
        to.vacuum(Math.min(pages, free));
        long freed = before - to.databaseBytes();
        boolean done = to.freePages() == 0 || freed == 0;
        return new CompactStep(done, Math.min(budgetBytes, freed), freed);
      } finally {
        to.unlock();
      }
    } finally {
      gate.leave();
    }
  }

  @Override
  public BackendStats stats() throws StoreException {
    gate.enter();
    try {
      Meta now = meta();
      return new BackendStats(now.entries, now.liveBytes, StoreFiles.totalBytes(file));
    } finally {
      gate.leave();
    }
  }

  @Override
  public void close() throws StoreException {
    if (!gate.close()) {
      return;
    }
    try {
      List.copyOf(views).forEach(SqliteView::close);
      pool.close();
      closeWriting();
    } finally {
      if (lock != null) {
        lock.close();
      }
    }
  }

  private void closeWriting() throws StoreException {
    if (writer == null) {
      if (writing != null) {
        closeQuietly(writing);
      }
      return;
    }
    StoreException error = null;
    if (garbage != null && !writer.isLatched()) {
      try {
        pins.end();
        garbage.collectAll(problem -> {});
      } catch (StoreException e) {
        error = e; // The next open sweeps; what was committed is still to be left clean.
      }
    }
    writer.close();
    if (error instanceof StoreBackendException) {
      throw error;
    }
  }
}
