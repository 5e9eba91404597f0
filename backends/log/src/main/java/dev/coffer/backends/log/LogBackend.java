package dev.coffer.backends.log;

import dev.coffer.codecs.Dictionary;
import dev.coffer.vfs.Durability;
import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreReadOnlyException;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.BackendStats;
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
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A single-file store, open. Readers take the newest {@link Snapshot} and no lock. */
final class LogBackend implements Backend {
  private static final int BUFFERED_BYTES = 4 * 1024 * 1024;

  private final Storage storage;
  private final Storage.@Nullable Lock lock;
  private final boolean writable;
  private final List<Problem> recoveryReport;
  private final Gate gate = new Gate();
  private final ReentrantLock writeLock = new ReentrantLock();
  private final Set<LogView> views = ConcurrentHashMap.newKeySet();
  private final Live live;
  private final BufferWindow window;
  private long frameOffset;
  private boolean closed;

  LogBackend(
      Storage storage,
      Storage.@Nullable Lock lock,
      Replay.Result replayed,
      List<Problem> recoveryReport) {
    this.storage = storage;
    this.lock = lock;
    this.recoveryReport = List.copyOf(recoveryReport);
    this.live = new Live(replayed.snapshot(), replayed.references(), replayed.nextContentId());
    this.writable = replayed.snapshot().generation().isWritable();
    this.frameOffset = replayed.frameOffset();
    this.window = new BufferWindow(() -> live.snapshot().generation().appender().force());
  }

  @Override
  public String name() {
    return LogProvider.NAME;
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(Durability.BUFFERED, true, false);
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
          "store is open for reading only: file=" + live.snapshot().generation().path);
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
    } finally {
      gate.leave();
    }
  }

  @Override
  public List<Entry> scan(ScanRange range, @Nullable EntryKey after, int limit)
      throws StoreException {
    gate.enter();
    try {
      return live.snapshot().scan(range, after, limit);
    } finally {
      gate.leave();
    }
  }

  @Override
  public boolean readChunk(long contentId, ChunkBuffer target) throws StoreException {
    gate.enter();
    try {
      return live.snapshot().readChunk(contentId, target);
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
      return live.stage(chunks);
    } finally {
      gate.leave();
    }
  }

  @Override
  public void commit(Commit commit, Durability durability) throws StoreException {
    gate.enter();
    writeLock.lock();
    try {
      requireWritable();
      commitLocked(commit, durability);
    } finally {
      writeLock.unlock();
      gate.leave();
    }
  }

  private void commitLocked(Commit commit, Durability durability) throws StoreException {
    Snapshot before = live.snapshot();
    if (commit.sequence() != before.sequence() + 1) {
      throw new IllegalArgumentException(
          "commit is out of order: expected="
              + (before.sequence() + 1)
              + " found="
              + commit.sequence());
    }
    BatchWriter batch = new BatchWriter(before, commit);
    Generation generation = live.lockGeneration();
    Snapshot after;
    try {
      after = append(batch, generation.appender(), durability);
    } finally {
      generation.lock().unlock();
    }
    if (durability == Durability.SYNC) {
      generation.appender().force();
    }
    generation.lock().lock();
    try {
      batch.count(live.references());
      live.publish(after);
    } finally {
      generation.lock().unlock();
    }
    if (durability == Durability.BUFFERED) {
      window.open();
    }
  }

  private Snapshot append(BatchWriter batch, Appender appender, Durability durability)
      throws StoreException {
    appender.requireSound();
    Appender.Mark mark = appender.mark();
    boolean done = false;
    try {
      Snapshot after = batch.append(appender, live.nextContentId());
      long frame = appender.tail() - RecordHeader.LENGTH - CommitLayout.LENGTH;
      if (durability != Durability.BUFFERED || appender.buffered() >= BUFFERED_BYTES) {
        appender.write();
      }
      appender.endBatch();
      frameOffset = frame;
      done = true;
      return after;
    } finally {
      if (!done) {
        appender.rollback(mark);
      }
    }
  }

  @Override
  public void force() throws StoreException {
    gate.enter();
    try {
      if (writable) {
        live.snapshot().generation().appender().force();
      }
    } finally {
      gate.leave();
    }
  }

  @Override
  public View openView() throws StoreException {
    gate.enter();
    try {
      LogView view = new LogView(gate, live.hold(), views::remove);
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
        Generation generation = located.generation;
        return generation.hold() ? new LogPin(generation::release) : null;
      }
      long id = References.id(content);
      return id == 0 ? new LogPin(() -> {}) : pin(id);
    } finally {
      gate.leave();
    }
  }

  private @Nullable Pin pin(long id) {
    Generation generation = live.lockGeneration();
    try {
      ChunkInfo chunk = generation.chunks.get(id);
      if (chunk == null || chunk.dead) {
        return null;
      }
      chunk.pins++;
      return new LogPin(() -> unpin(id));
    } finally {
      generation.lock().unlock();
    }
  }

  private void unpin(long id) {
    Generation generation = live.lockGeneration();
    try {
      ChunkInfo chunk = generation.chunks.get(id);
      if (chunk != null && --chunk.pins == 0) {
        live.references().unpinned(chunk);
      }
    } finally {
      generation.lock().unlock();
    }
  }

  @Override
  public void verify(Consumer<Problem> problems) throws StoreException {
    gate.enter();
    try {
      Verifier verifier = new Verifier(live, problems);
      verifier.entries(writeLock);
      verifier.dictionaries();
    } finally {
      gate.leave();
    }
  }

  @Override
  public void verifyEntries(Consumer<Problem> problems) throws StoreException {
    gate.enter();
    try {
      if (!writable) {
        // Opening read and checked every record, and entries are served from memory since.
        recoveryReport.forEach(problems);
        return;
      }
      new Verifier(live, problems).entries(writeLock);
    } finally {
      gate.leave();
    }
  }

  @Override
  public CompactStep compact(long budgetBytes) throws StoreException {
    gate.enter();
    writeLock.lock();
    try {
      requireWritable();
      Compaction compaction = new Compaction(storage, lock, live);
      CompactStep step = compaction.run();
      if (step.movedBytes() > 0 || step.freedBytes() > 0) {
        frameOffset = compaction.frameOffset();
      }
      return step;
    } finally {
      writeLock.unlock();
      gate.leave();
    }
  }

  @Override
  public BackendStats stats() throws StoreException {
    gate.enter();
    try {
      Snapshot snapshot = live.snapshot();
      return new BackendStats(
          snapshot.index().size(), live.liveBytes(), snapshot.generation().end());
    } finally {
      gate.leave();
    }
  }

  @Override
  public void close() throws StoreException {
    gate.close();
    writeLock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      window.close();
      finish();
    } finally {
      writeLock.unlock();
    }
  }

  private void finish() throws StoreException {
    try {
      if (writable) {
        writeTrailer();
      }
    } finally {
      views.forEach(LogView::close);
      live.snapshot().generation().release();
      if (lock != null) {
        lock.close();
      }
    }
  }

  /** A trailer says that all before it is forced, so that must be so before it can be on disk. */
  private void writeTrailer() throws StoreException {
    Snapshot snapshot = live.snapshot();
    Appender appender = snapshot.generation().appender();
    appender.requireSound();
    if (appender.isUntouched()) {
      return;
    }
    appender.force();
    appender.lock.lock();
    try {
      appendTrailer(
          appender, snapshot, frameOffset, live.references().liveBytes(), live.nextContentId());
    } finally {
      appender.lock.unlock();
    }
    appender.force();
  }

  static void appendTrailer(
      Appender appender, Snapshot snapshot, long frameOffset, long liveBytes, long nextContentId) {
    TrailerLayout trailer =
        new TrailerLayout(
            frameOffset,
            snapshot.index().size(),
            snapshot.listingHash(),
            liveBytes,
            nextContentId,
            0,
            Instant.now());
    appender.append(RecordKind.TRAILER, snapshot.sequence(), trailer.encode());
  }
}
