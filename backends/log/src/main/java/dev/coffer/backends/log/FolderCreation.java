package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes an empty folder store beside its place, in a hidden folder, and moves that there; so a
 * folder of that name is always a whole store. The writer's lock lies in the hidden folder and
 * moves with it. If making fails, what is left is taken up by the next attempt.
 */
final class FolderCreation {
  private FolderCreation() {}

  /** Where a folder store is made. */
  static Path draft(Path store) {
    return store.resolveSibling("." + store.getFileName() + ".draft");
  }

  /**
   * Makes a store and takes its lock; unless somebody else did meanwhile, which null says.
   *
   * @throws dev.coffer.vfs.StoreLockedException if somebody is at it
   */
  static Storage.@Nullable Lock create(Storage storage, Path store, ManifestLayout first)
      throws StoreException {
    Path draft = draft(store);
    Storage.Lock lock = null;
    boolean made = false;
    try {
      storage.createFolder(draft);
      lock = storage.lockDraft(store, draft);
      if (storage.exists(store)) {
        return null;
      }
      fill(storage, draft, first);
      storage.rename(draft, store);
      storage.forceDirectory(Objects.requireNonNull(store.getParent()));
      made = true;
      return lock;
    } catch (IOException e) {
      throw Failures.writing(store, FileHeader.LENGTH, e);
    } finally {
      if (!made && lock != null) {
        lock.close();
      }
    }
  }

  private static void fill(Storage storage, Path draft, ManifestLayout first)
      throws StoreException, IOException {
    FolderFiles files = new FolderFiles(storage, draft);
    FileHeader header = first.headerOf(first.active().number());
    try (Storage.OpenFile file = files.createSegment(header)) {
      LogOpener.writeEmpty(files.segment(header.segment()), file, header);
      file.force(true);
    }
    files.draftManifest(first);
    files.publishManifest(first.number());
  }
}
