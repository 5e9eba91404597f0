package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.locks.Lock;

/**
 * Makes another folder store of what a folder store holds at one moment, while it is written.
 * Finished segments, which nobody ever changes, are linked, or copied where that cannot be done;
 * what little the active one holds is copied. Each store drops its own names of them only.
 */
final class FolderBackup {
  private final Storage storage;
  private final Live live;
  private final Roller roller;
  private final boolean writable;

  FolderBackup(Storage storage, Live live, Roller roller, boolean writable) {
    this.storage = storage;
    this.live = live;
    this.roller = roller;
    this.writable = writable;
  }

  /**
   * Makes the copy, whole or not at all.
   *
   * @param commits the lock that commits hold, taken for as long as going over to another segment
   *     takes
   */
  void to(Path target, Lock commits) throws StoreException {
    Path real = NewFile.absent(storage, target);
    Backup.Moment moment;
    ManifestLayout layout;
    commits.lock();
    try {
      if (writable && !live.appender().isUntouched()) {
        roller.roll(); // So that nearly all is in finished segments.
      }
      moment = Backup.Moment.of(live);
      layout = roller.manifest();
    } finally {
      commits.unlock();
    }
    try {
      make(real, moment, layout);
    } finally {
      moment.snapshot().segments().release();
    }
  }

  private void make(Path target, Backup.Moment moment, ManifestLayout layout)
      throws StoreException {
    Path draft = NewFile.temporary(target);
    boolean done = false;
    try {
      storage.createFolder(draft);
      FolderFiles files = new FolderFiles(storage, draft);
      for (SegmentInfo info : layout.segments()) {
        Segment segment = moment.snapshot().segments().get(info.number());
        if (info.finished()) {
          linkOrCopy(segment, files.segment(info.number()));
        }
      }
      Path active = files.segment(layout.active().number());
      try (Storage.OpenFile file = storage.create(active)) {
        moment.copy(active, file);
        file.force(true);
      }
      files.draftManifest(layout);
      files.publishManifest(layout.number());
      NewFile.requireAbsent(storage, target);
      storage.rename(draft, target);
      done = true;
      storage.forceDirectory(Objects.requireNonNull(target.getParent()));
    } catch (IOException e) {
      throw Failures.writing(target, moment.snapshot().segments().length(), e);
    } finally {
      if (!done) {
        discard(draft);
      }
    }
  }

  /** Another file system, or one without links, is no reason to fail; nor is a dropped segment. */
  private void linkOrCopy(Segment segment, Path to) throws StoreException, IOException {
    try {
      storage.link(segment.path, to);
    } catch (IOException e) {
      storage.delete(to);
      try (Storage.OpenFile file = storage.create(to)) {
        Backup.copy(segment, to, file, segment.written());
        file.force(true);
      }
    }
  }

  private void discard(Path draft) {
    try {
      for (Path file : storage.list(draft)) {
        storage.delete(file);
      }
      storage.delete(draft);
    } catch (IOException e) {
      // What is left is of no use to anybody, and harms nobody.
    }
  }
}
