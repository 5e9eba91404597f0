package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreFailedException;
import dev.coffer.vfs.StoreFullException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/**
 * Changes which segments make up a folder store, from one manifest to the next: a crash leaves the
 * one set or the other. Thread-safe.
 */
final class FolderWriter {
  private final FolderFiles files;
  private final Reserve reserve;
  private volatile ManifestLayout manifest;

  FolderWriter(FolderFiles files, ManifestLayout manifest, Reserve reserve) {
    this.files = files;
    this.manifest = manifest;
    this.reserve = reserve;
  }

  ManifestLayout manifest() {
    return manifest;
  }

  FolderFiles files() {
    return files;
  }

  Reserve reserve() {
    return reserve;
  }

  Path segment(FileHeader header) {
    return files.segment(header.segment());
  }

  /** The header of the segment that {@link #roll} would make. */
  FileHeader nextHeader() {
    return manifest.headerOf(manifest.active().number() + 1);
  }

  /**
   * Makes the file of the next segment, which counts once {@link #roll} has named it.
   *
   * @throws IOException if it could not be made; then all is as it was
   */
  Storage.OpenFile prepare() throws IOException {
    return files.createSegment(nextHeader());
  }

  /** Deletes the file that {@link #prepare} made. */
  void discardPrepared() throws IOException {
    files.deleteSegment(nextHeader().segment());
  }

  /**
   * Finishes the active segment and puts the prepared one in its place.
   *
   * @param forcing forces both
   * @throws dev.coffer.vfs.StoreFullException if there is no room; then all is as it was
   * @throws StoreFailedException if it is unknown which set of segments is in force
   */
  synchronized void roll(SegmentInfo finished, Forcing forcing) throws StoreException {
    change(manifest.rolled(finished), forcing);
  }

  /** Makes durable what a manifest is about to promise; may take place while it is drafted. */
  interface Forcing {
    void start();

    void await() throws StoreException;
  }

  /** For what is durable already. */
  static final Forcing NOTHING =
      new Forcing() {
        @Override
        public void start() {}

        @Override
        public void await() {}
      };

  /** Takes finished segments, of which nothing is needed any more, out of the store. */
  synchronized void drop(Set<Integer> segments) throws StoreException {
    change(manifest.without(segments), NOTHING);
  }

  private boolean draft(ManifestLayout next) throws StoreException {
    try {
      files.draftManifest(next);
      return true;
    } catch (IOException e) {
      if (Failures.isFull(e)) {
        throw Failures.writing(files.folder(), FileHeader.LENGTH, e);
      }
      throw new StoreFailedException("cannot draft manifest: folder=" + files.folder(), e);
    }
  }

  private synchronized void change(ManifestLayout next, Forcing forcing) throws StoreException {
    try {
      forcing.start();
      reserve.retrying(() -> draft(next));
      forcing.await();
      files.publishManifest(next.number());
    } catch (StoreFullException e) {
      files.sweep(manifest, false);
      throw e;
    } catch (StoreException e) {
      throw e;
    } catch (IOException e) {
      throw new StoreFailedException("cannot change manifest: folder=" + files.folder(), e);
    }
    manifest = next;
    files.sweep(next, false);
  }
}
