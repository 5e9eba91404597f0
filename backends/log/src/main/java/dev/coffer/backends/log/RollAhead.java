package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Does in the background most of what going over to another segment needs: forces the old one, and
 * makes the file of the new one; so that nobody waits for that then. Called under the lock of
 * commits.
 */
final class RollAhead {
  /** So much may be left to force while commits wait. */
  private static final long SHORT = 512 * 1024;

  private final FolderWriter folder;
  private @Nullable Segment old;
  private @Nullable FutureTask<@Nullable Void> task;

  /** The file of the next segment; written by the task, read once that is done. */
  private volatile Storage.@Nullable OpenFile young;

  RollAhead(FolderWriter folder) {
    this.folder = folder;
  }

  /** Whether little is left to do before the active segment can be finished; else sees to it. */
  boolean isReady(Segment active, long end) {
    Appender appender = active.appender();
    FutureTask<?> running = task;
    if (running != null && !running.isDone()) {
      return false;
    }
    if (active == old && end - appender.forced() <= SHORT) {
      return true;
    }
    old = active;
    FutureTask<@Nullable Void> next = new FutureTask<>(() -> prepare(appender));
    task = next;
    Roller.start(next, "coffer-log-force");
    return false;
  }

  private @Nullable Void prepare(Appender appender) throws StoreException, IOException {
    appender.force();
    if (young == null) {
      Storage.OpenFile file = folder.prepare();
      young = file;
      file.force(true);
    }
    return null;
  }

  /** The file of the next segment, which is the caller's now; null if it is not made yet. */
  Storage.@Nullable OpenFile take() {
    awaitTask();
    Storage.OpenFile file = young;
    young = null;
    return file;
  }

  /** Whoever writes next is told of a failure: the store has latched, or there is no room. */
  private void awaitTask() {
    FutureTask<?> running = task;
    boolean interrupted = false;
    while (running != null) {
      try {
        var unused = running.get();
        running = null;
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (ExecutionException e) {
        running = null;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Deletes a file that was made and not needed. */
  void close() {
    Storage.OpenFile file = take();
    if (file == null) {
      return;
    }
    try {
      file.close();
      folder.discardPrepared();
    } catch (IOException e) {
      // The next opening deletes it.
    }
  }
}
