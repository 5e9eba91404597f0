package dev.coffer.backends.log;

import dev.coffer.codecs.Dictionary;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.CallGate;
import dev.coffer.vfs.spi.ChunkBuffer;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.ScanRange;
import dev.coffer.vfs.spi.View;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A snapshot that holds its files open. */
final class LogView implements View {
  private final CallGate gate;
  private final CallGate storeGate;
  private volatile Snapshot snapshot;
  private final Live live;
  private final Consumer<LogView> onClose;
  private boolean closed;

  /** Takes over one hold on the snapshot's segments; {@code file} is named in messages. */
  LogView(
      String file, CallGate storeGate, Live live, Snapshot snapshot, Consumer<LogView> onClose) {
    this.gate = new CallGate(file);
    this.storeGate = storeGate;
    this.live = live;
    this.snapshot = snapshot;
    this.onClose = onClose;
  }

  private void enter() throws StoreException {
    storeGate.enter();
    boolean inside = false;
    try {
      gate.enter();
      inside = true;
    } finally {
      if (!inside) {
        storeGate.leave();
      }
    }
  }

  private void leave() {
    gate.leave();
    storeGate.leave();
  }

  @Override
  public long sequence() {
    return snapshot.sequence();
  }

  @Override
  public @Nullable Entry lookup(EntryKey key) throws StoreException {
    enter();
    try {
      return snapshot.lookup(key);
    } catch (IndexDamage e) {
      return healed().lookup(key);
    } finally {
      leave();
    }
  }

  @Override
  public List<Entry> scan(ScanRange range, @Nullable EntryKey after, int limit)
      throws StoreException {
    enter();
    try {
      return reading(now -> now.scan(range, after, limit));
    } finally {
      leave();
    }
  }

  @Override
  public boolean readChunk(long contentId, ChunkBuffer target) throws StoreException {
    enter();
    try {
      return reading(now -> now.readChunk(contentId, target));
    } finally {
      leave();
    }
  }

  @Override
  public boolean readLocated(Content.Located content, ChunkBuffer target) throws StoreException {
    enter();
    try {
      return Snapshot.readLocated(content, target);
    } finally {
      leave();
    }
  }

  /**
   * Whether several entries name a place: of the newest commit, which may know fewer of them than
   * this view, so that it is good for saving room and nothing else.
   */
  boolean isShared(Location location) throws StoreException {
    enter();
    live.lock.lock();
    try {
      return live.references().isShared(location);
    } catch (IndexDamage e) {
      return false;
    } finally {
      live.lock.unlock();
      leave();
    }
  }

  @Override
  public @Nullable Dictionary dictionary(long id) throws StoreException {
    enter();
    try {
      return snapshot.dictionary(id);
    } finally {
      leave();
    }
  }

  @Override
  public SortedMap<String, String> properties() throws StoreException {
    enter();
    try {
      return snapshot.properties();
    } finally {
      leave();
    }
  }

  /** Something read from the snapshot. */
  @FunctionalInterface
  private interface Read<T> {
    T from(Snapshot snapshot) throws StoreException;
  }

  /** Reads; if an index run is damaged, makes this view's index anew from the log, once. */
  private <T> T reading(Read<T> read) throws StoreException {
    try {
      return read.from(snapshot);
    } catch (IndexDamage e) {
      return read.from(healed());
    }
  }

  private Snapshot healed() throws StoreException {
    Snapshot healed = IndexHealer.healed(snapshot);
    snapshot = healed;
    return healed;
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      gate.close();
      snapshot.segments().release();
      onClose.accept(this);
    }
  }
}
