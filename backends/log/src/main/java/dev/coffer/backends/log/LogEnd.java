package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreFullException;
import java.time.Instant;

/** Ends the log of a store that is closed, so that opening it finds everything at once. */
final class LogEnd {
  private final Live live;
  private final IndexKeeper keeper;
  private final IndexFiles files;
  private final Reserve reserve;

  LogEnd(Live live, IndexKeeper keeper, IndexFiles files, Reserve reserve) {
    this.live = live;
    this.keeper = keeper;
    this.files = files;
    this.reserve = reserve;
  }

  /**
   * Writes index and trailer. A trailer says that all before it is forced, so that must be so
   * before it can be on disk.
   *
   * @param beside whether the index stays beside the log
   */
  void write(boolean beside) throws StoreException {
    Appender appender = live.appender();
    appender.requireSound();
    if (appender.isUntouched()) {
      return;
    }
    live.lock.lock();
    try {
      live.references().buryOrphans();
    } catch (IndexDamage e) {
      // They are dead all the same once the store is opened again.
    } finally {
      live.lock.unlock();
    }
    force(appender);
    long rootOffset = beside ? writeBeside() : writeInto(appender);
    trim(appender);
    force(appender);
    live.lock.lock();
    try {
      appendTrailer(
          appender,
          live.snapshot(),
          live.frame().offset(),
          live.references().liveBytes(),
          live.nextContentId(),
          rootOffset);
    } finally {
      live.lock.unlock();
    }
    force(appender);
    if (!beside) {
      files.keepOnly(null);
    }
    reserve.keep();
  }

  private void force(Appender appender) throws StoreException {
    reserve.run(appender::force);
  }

  private void trim(Appender appender) throws StoreException {
    live.lock.lock();
    try {
      reserve.run(appender::write);
      if (appender.isFilledAhead()) {
        appender.trim();
      }
    } finally {
      live.lock.unlock();
    }
  }

  private long writeBeside() throws StoreException {
    try {
      keeper.closeBeside();
    } catch (IndexDamage | StoreFullException e) {
      // The older index, or none, only means that more is replayed.
    }
    return 0;
  }

  /**
   * Writes the index into the log; a store without room for it, or with a damaged one, has none.
   */
  private long writeInto(Appender appender) throws StoreException {
    live.lock.lock();
    try {
      long start = appender.tail();
      try {
        return keeper.close();
      } catch (IndexDamage | StoreFullException e) {
        appender.cutTo(start);
        return 0;
      }
    } finally {
      live.lock.unlock();
    }
  }

  static void appendTrailer(
      Appender appender,
      Snapshot snapshot,
      long frameOffset,
      long liveBytes,
      long nextContentId,
      long rootOffset) {
    TrailerLayout trailer =
        new TrailerLayout(
            frameOffset,
            snapshot.entryCount(),
            snapshot.listingHash(),
            liveBytes,
            nextContentId,
            rootOffset,
            Instant.now());
    appender.append(RecordKind.TRAILER, snapshot.sequence(), trailer.encode());
  }
}
