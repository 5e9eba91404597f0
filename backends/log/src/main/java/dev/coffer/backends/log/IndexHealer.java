package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;

/** Makes an index anew from the log, after a run was found damaged. */
final class IndexHealer {
  private final Live live;

  IndexHealer(Live live) {
    this.live = live;
  }

  /** Replaces all runs by what the log says; called while nobody commits. */
  void heal() throws StoreException {
    live.lock.lock();
    try {
      Snapshot snapshot = live.snapshot();
      Replay.Result replayed = replay(snapshot);
      live.references().contents().table().rebase(replayed.references().contents().table());
      live.references().shared().rebase(replayed.references().shared());
      live.publishLayers(replayed.snapshot().index());
    } finally {
      live.lock.unlock();
    }
  }

  /** A snapshot of the same entries, without runs. */
  static Snapshot healed(Snapshot snapshot) throws StoreException {
    Snapshot replayed = replay(snapshot).snapshot();
    return snapshot.withIndex(replayed.index()).withContents(replayed.contents());
  }

  private static Replay.Result replay(Snapshot snapshot) throws StoreException {
    Segment active = snapshot.segments().active();
    if (active.isWritable()) {
      active.appender().lock.lock();
      try {
        active.appender().write();
      } finally {
        active.appender().lock.unlock();
      }
    }
    return Replay.run(snapshot.segments(), snapshot.end().offset(), null);
  }
}
