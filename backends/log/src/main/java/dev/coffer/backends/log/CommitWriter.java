package dev.coffer.backends.log;

import dev.coffer.vfs.Durability;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Change;
import dev.coffer.vfs.spi.Commit;
import dev.coffer.vfs.spi.Content;

/** Makes commits durable and visible; called under the lock of commits. */
final class CommitWriter {
  private static final int BUFFERED_BYTES = 4 * 1024 * 1024;

  private final Live live;
  private final IndexKeeper keeper;
  private final Reserve reserve;
  private final BufferWindow window;
  private final Tuning tuning;

  CommitWriter(Live live, IndexKeeper keeper, Reserve reserve, BufferWindow window, Tuning tuning) {
    this.live = live;
    this.keeper = keeper;
    this.reserve = reserve;
    this.window = window;
    this.tuning = tuning;
  }

  /** What was appended, and what will be visible once it is as durable as asked. */
  private record Appended(BatchWriter batch, Snapshot after) {}

  /** Appends a commit, forces it if asked, and publishes it. */
  void write(Commit commit, Durability durability) throws StoreException {
    Appended appended =
        makesRoom(commit)
            ? reserve.retrying(() -> append(commit, durability))
            : append(commit, durability);
    if (durability == Durability.SYNC) {
      live.force();
    }
    live.lock.lock();
    try {
      appended.batch.count(live.references());
      live.publish(appended.after);
    } finally {
      live.lock.unlock();
    }
    if (durability == Durability.BUFFERED) {
      window.open();
    }
    keeper.committed(appended.batch.heapBytes());
  }

  /** Whether a commit may use the room that is kept for such: it deletes, and brings no content. */
  private static boolean makesRoom(Commit commit) {
    boolean deletes = false;
    for (Change change : commit.changes()) {
      if (change.after() == null) {
        deletes = true;
      } else if (change.after().content() instanceof Content.Packed) {
        return false;
      }
    }
    return deletes && commit.dictionaries().isEmpty();
  }

  private Appended append(Commit commit, Durability durability) throws StoreException {
    BatchWriter batch = new BatchWriter(live.snapshot(), commit, tuning.blockChanges());
    live.lock.lock();
    try {
      return new Appended(batch, append(batch, live.active(), durability));
    } finally {
      live.lock.unlock();
    }
  }

  private Snapshot append(BatchWriter batch, Segment active, Durability durability)
      throws StoreException {
    Appender appender = active.appender();
    appender.requireSound();
    Appender.Mark mark = appender.mark();
    boolean done = false;
    try {
      Snapshot after = batch.append(active, live.nextContentId());
      Live.Frame frame =
          new Live.Frame(
              appender.tail() - RecordHeader.LENGTH - CommitLayout.LENGTH, appender.lastCrc());
      if (durability == Durability.SYNC) {
        appender.writeForced();
      } else if (durability == Durability.PROCESS || appender.buffered() >= BUFFERED_BYTES) {
        appender.write();
      }
      appender.endBatch();
      live.frame(frame);
      done = true;
      return after;
    } finally {
      if (!done) {
        appender.rollback(mark);
      }
    }
  }
}
