package dev.coffer.backends.log;

import dev.coffer.vfs.NotAStoreException;
import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What opening finds of a folder store's manifests.
 *
 * @param layout the newest manifest, or what stands for it; names only segments that are there
 * @param problems what is wrong; if anything is, the store may have lost commits without it showing
 *     anywhere else, and is not to be written
 */
record Manifest(ManifestLayout layout, List<Problem> problems) {

  /** How often a reader starts over because a writer has replaced what it was about to read. */
  private static final int ATTEMPTS = 50;

  /**
   * Reads the newest manifest. If that is damaged, an older one does not simply take its place: it
   * may lack the segments with the last commits. Then every segment that is there counts, since
   * they are numbered in the order of the log.
   *
   * @throws NotAStoreException if the folder has neither manifest nor segment
   */
  static Manifest read(FolderFiles files) throws StoreException {
    Manifest found = tryRead(files);
    for (int i = 1; i < ATTEMPTS && (found == null || !found.problems.isEmpty()); i++) {
      // Damage stays; what a writer did meanwhile does not.
      Manifest again = tryRead(files);
      if (found != null && again != null && found.layout.number() == again.layout.number()) {
        return again;
      }
      found = again;
    }
    if (found == null) {
      throw new StoreCorruptException("manifests come and go: folder=" + files.folder());
    }
    return found;
  }

  /** Reads the newest manifest; null if it is gone by then. */
  private static @Nullable Manifest tryRead(FolderFiles files) throws StoreException {
    List<Long> numbers = files.manifests();
    List<Problem> problems = new ArrayList<>();
    for (int i = numbers.size() - 1; i >= 0; i--) {
      long number = numbers.get(i);
      try {
        ManifestLayout layout = files.readManifest(number);
        if (layout == null) {
          return null;
        }
        return present(files, layout, problems);
      } catch (StoreCorruptException | NotAStoreException e) {
        problems.add(
            new Problem(
                null,
                -1,
                "manifest is damaged: file="
                    + files.manifest(number)
                    + " cause="
                    + e.getMessage()));
      }
    }
    if (problems.isEmpty()) {
      problems.add(new Problem(null, -1, "manifest is missing: folder=" + files.folder()));
    }
    return salvaged(files, null, problems);
  }

  private static Manifest present(FolderFiles files, ManifestLayout layout, List<Problem> problems)
      throws StoreException {
    if (!problems.isEmpty()) {
      return salvaged(files, layout, problems);
    }
    List<Integer> there = files.segments();
    List<SegmentInfo> present = new ArrayList<>();
    for (SegmentInfo segment : layout.segments()) {
      if (there.contains(segment.number())) {
        present.add(segment);
      } else {
        problems.add(
            new Problem(null, -1, "segment is missing: file=" + files.segment(segment.number())));
      }
    }
    if (present.isEmpty()) {
      throw new StoreCorruptException("store has no segments left: folder=" + files.folder());
    }
    return new Manifest(
        new ManifestLayout(layout.header(), layout.number(), present), List.copyOf(problems));
  }

  /** All segments there are, as an older manifest or their own headers know them. */
  private static Manifest salvaged(
      FolderFiles files, @Nullable ManifestLayout older, List<Problem> problems)
      throws StoreException {
    Map<Integer, SegmentInfo> known = new TreeMap<>();
    if (older != null) {
      older.segments().forEach(each -> known.put(each.number(), each));
    }
    List<SegmentInfo> present = new ArrayList<>();
    FileHeader header = older == null ? null : older.header();
    for (int number : files.segments()) {
      present.add(known.getOrDefault(number, SegmentInfo.fresh(number)));
      header = header == null ? files.header(number) : header;
    }
    if (header == null || present.isEmpty()) {
      throw present.isEmpty() && files.manifests().isEmpty()
          ? new NotAStoreException("folder is no store: folder=" + files.folder())
          : new StoreCorruptException(
              "store has no sound manifest and no sound segment: folder=" + files.folder());
    }
    long number = older == null ? 0 : older.number();
    return new Manifest(new ManifestLayout(header, number, present), List.copyOf(problems));
  }
}
