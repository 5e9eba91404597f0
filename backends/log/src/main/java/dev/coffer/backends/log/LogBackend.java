package dev.coffer.backends.log;

import dev.coffer.codecs.Dictionary;
import dev.coffer.vfs.Durability;
import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreReadOnlyException;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.BackendStats;
import dev.coffer.vfs.spi.CallGate;
import dev.coffer.vfs.spi.Capabilities;
import dev.coffer.vfs.spi.ChunkBuffer;
import dev.coffer.vfs.spi.Commit;
import dev.coffer.vfs.spi.CompactStep;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.PackedChunk;
import dev.coffer.vfs.spi.Pin;
import dev.coffer.vfs.spi.ScanRange;
import dev.coffer.vfs.spi.View;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A store, open. Readers take the newest {@link Snapshot} and no lock. */
final class LogBackend implements Backend {
  private final Storage storage;
  private final Storage.@Nullable Lock lock;
  private final boolean writable;
  private final List<Problem> recoveryReport;
  private final CallGate gate;
  private final ReentrantLock writeLock = new ReentrantLock();
  private final Set<LogView> views = ConcurrentHashMap.newKeySet();
  private final Live live;
  private final IndexKeeper keeper;
  private final Healing healing;
  private final IndexFiles files;
  private final @Nullable Roller roller;
  private final Compactor compactor;
  private final BufferWindow window;
  private final Reserve reserve;
  private final CommitWriter writer;

  private boolean closed;

  LogBackend(
      Storage storage,
      Storage.@Nullable Lock lock,
      Live live,
      IndexKeeper keeper,
      IndexFiles files,
      Tuning tuning,
      Reserve reserve,
      boolean writable,
      @Nullable FolderWriter folder,
      List<Problem> recoveryReport) {
    this.storage = storage;
    this.lock = lock;
    this.live = live;
    this.keeper = keeper;
    this.healing = new Healing(live, keeper, writeLock);
    this.files = files;
    if (folder == null) {
      this.roller = null;
      this.compactor =
          new FileCompactor(storage, lock, live, keeper, files, tuning, writeLock, healing);
    } else {
      this.roller = new Roller(live, folder, tuning, keeper.features());
      this.compactor =
          new FolderCompactor(storage, live, roller, keeper, writeLock, tuning, healing);
    }
    this.writable = writable;
    this.recoveryReport = List.copyOf(recoveryReport);
    this.gate = new CallGate(live.active().path.toString());
    this.window = new BufferWindow(live);
    this.reserve = reserve;
    this.writer = new CommitWriter(live, keeper, reserve, window, tuning);
  }

  @Override
  public String name() {
    return LogProvider.NAME;
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(Durability.BUFFERED, true, true, true, true);
  }

  @Override
  public boolean isReadOnly() {
    return !writable;
  }

  @Override
  public List<Problem> recoveryReport() {
    return recoveryReport;
  }

  private void requireWritable() throws StoreReadOnlyException {
    if (!writable) {
      throw new StoreReadOnlyException(
          "store is open for reading only: file=" + live.active().path);
    }
  }

  @Override
  public long sequence() {
    return live.snapshot().sequence();
  }

  @Override
  public @Nullable Entry lookup(EntryKey key) throws StoreException {
    gate.enter();
    try {
      return live.snapshot().lookup(key);
    } catch (IndexDamage e) {
      healing.heal();
      return live.snapshot().lookup(key);
    } finally {
      gate.leave();
    }
  }

  @Override
  public List<Entry> scan(ScanRange range, @Nullable EntryKey after, int limit)
      throws StoreException {
    gate.enter();
    try {
      return reading(snapshot -> snapshot.scan(range, after, limit));
    } finally {
      gate.leave();
    }
  }

  @Override
  public boolean readChunk(long contentId, ChunkBuffer target) throws StoreException {
    gate.enter();
    try {
      while (true) {
        SegmentSet before = live.snapshot().segments();
        if (reading(snapshot -> snapshot.readChunk(contentId, target))) {
          return true;
        }
        if (live.snapshot().segments() == before) {
          return false;
        } // Else it may have been moved meanwhile.
      }
    } finally {
      gate.leave();
    }
  }

  @Override
  public boolean readLocated(Content.Located content, ChunkBuffer target) throws StoreException {
    gate.enter();
    try {
      return Snapshot.readLocated(content, target);
    } finally {
      gate.leave();
    }
  }

  @Override
  public @Nullable Dictionary dictionary(long id) throws StoreException {
    gate.enter();
    try {
      return live.snapshot().dictionary(id);
    } finally {
      gate.leave();
    }
  }

  @Override
  public SortedMap<String, String> properties() throws StoreException {
    gate.enter();
    try {
      return live.snapshot().properties();
    } finally {
      gate.leave();
    }
  }

  @Override
  public long[] stage(List<PackedChunk> chunks) throws StoreException {
    gate.enter();
    try {
      requireWritable();
      begin();
      rollForStaging();
      return healing.healing(() -> live.stage(chunks));
    } finally {
      gate.leave();
    }
  }

  /** Something will be written. */
  private void begin() throws StoreException {
    reserve.keep();
    keeper.begin(reserve);
  }

  /** Goes over to another segment if it is time and nobody commits; else there is time yet. */
  private void rollForStaging() throws StoreException {
    if (roller != null && roller.isFull() && writeLock.tryLock()) {
      try {
        roller.rollIfFull();
      } finally {
        writeLock.unlock();
      }
    }
  }

  @Override
  public void commit(Commit commit, Durability durability) throws StoreException {
    gate.enter();
    writeLock.lock();
    try {
      requireWritable();
      Snapshot before = live.snapshot();
      if (commit.sequence() != before.sequence() + 1) {
        throw new IllegalArgumentException(
            "commit is out of order: expected="
                + (before.sequence() + 1)
                + " found="
                + commit.sequence());
      }
      begin();
      if (roller != null) {
        roller.rollIfFull();
      }
      healing.healing(
          () -> {
            writer.write(commit, durability);
            compactor.committed();
            return true;
          });
    } finally {
      writeLock.unlock();
      gate.leave();
    }
    compactor.brake();
  }

  @Override
  public void force() throws StoreException {
    gate.enter();
    try {
      if (writable) {
        live.force();
      }
    } finally {
      gate.leave();
    }
  }

  @Override
  public View openView() throws StoreException {
    gate.enter();
    try {
      LogView view =
          new LogView(live.active().path.toString(), gate, live, live.hold(), views::remove);
      views.add(view);
      return view;
    } finally {
      gate.leave();
    }
  }

  @Override
  public @Nullable Pin pin(Content content) throws StoreException {
    gate.enter();
    try {
      if (content instanceof LogContent located) {
        Segment segment = located.segment;
        return segment != null && segment.hold() ? new LogPin(segment::release) : null;
      }
      long id = References.id(content);
      return id == 0 ? new LogPin(() -> {}) : pin(id);
    } finally {
      gate.leave();
    }
  }

  private @Nullable Pin pin(long id) throws StoreException {
    return healing.healing(() -> pinned(id)) ? new LogPin(() -> unpin(id)) : null;
  }

  private boolean pinned(long id) throws StoreException {
    live.lock.lock();
    try {
      References references = live.references();
      boolean alive = references.isAlive(id, references.contents().get(id));
      if (alive) {
        references.pin(id);
      }
      return alive;
    } finally {
      live.lock.unlock();
    }
  }

  private void unpin(long id) {
    live.lock.lock();
    try {
      live.references().unpin(id);
    } catch (StoreException | IndexDamage e) {
      // Then its content stays, which costs room and nothing else.
    } finally {
      live.lock.unlock();
    }
  }

  /** Something read from a snapshot. */
  @FunctionalInterface
  private interface Read<T> {
    T from(Snapshot snapshot) throws StoreException;
  }

  private <T> T reading(Read<T> read) throws StoreException {
    try {
      return read.from(live.snapshot());
    } catch (IndexDamage e) {
      return healing.healing(() -> read.from(live.snapshot()));
    }
  }

  @Override
  public void verify(Consumer<Problem> problems) throws StoreException {
    gate.enter();
    try {
      Verifier verifier = new Verifier(live, problems);
      verifier.seal();
      verifier.log(writeLock);
      verifier.index();
      verifier.dictionaries();
    } finally {
      gate.leave();
    }
  }

  @Override
  public void verifyEntries(Consumer<Problem> problems) throws StoreException {
    gate.enter();
    try {
      new Verifier(live, problems).entries();
    } finally {
      gate.leave();
    }
  }

  @Override
  public CompactStep compact(long budgetBytes) throws StoreException {
    gate.enter();
    try {
      requireWritable();
      return healing.healing(() -> compactor.step(budgetBytes));
    } finally {
      gate.leave();
    }
  }

  @Override
  public void backup(Path target) throws StoreException {
    gate.enter();
    try {
      if (roller == null) {
        new Backup(live).to(storage, target);
      } else {
        new FolderBackup(storage, live, roller, writable).to(target, writeLock);
      }
    } finally {
      gate.leave();
    }
  }

  @Override
  public BackendStats stats() throws StoreException {
    gate.enter();
    try {
      Snapshot snapshot = live.snapshot();
      return new BackendStats(
          snapshot.entryCount(), live.liveBytes(), snapshot.segments().length());
    } finally {
      gate.leave();
    }
  }

  @Override
  public void close() throws StoreException {
    gate.close();
    compactor.close();
    writeLock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      window.close();
      if (roller != null) {
        roller.close();
      }
      finish();
    } finally {
      writeLock.unlock();
    }
  }

  private void finish() throws StoreException {
    try {
      if (writable) {
        keeper.drain();
        new LogEnd(live, keeper, files, reserve).write(roller != null);
      }
    } finally {
      keeper.stop();
      views.forEach(LogView::close);
      live.snapshot().segments().release();
      files.close();
      if (lock != null) {
        lock.close();
      }
    }
  }
}
