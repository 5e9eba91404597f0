package dev.coffer.backends.log;

import dev.coffer.vfs.Layout;
import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreExistsException;
import dev.coffer.vfs.StoreNotFoundException;
import dev.coffer.vfs.spi.BackendOptions;
import dev.coffer.vfs.spi.BackendOptions.Creation;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Opens and creates folder stores. */
final class FolderOpener {
  /** How often a reader starts over because a segment vanished under it. */
  private static final int ATTEMPTS = 50;

  private final Storage storage;
  private final Path folder;
  private final FolderFiles files;
  private final BackendOptions options;
  private final Tuning tuning;

  FolderOpener(Storage storage, Path folder, BackendOptions options, Tuning tuning) {
    this.storage = storage;
    this.folder = folder;
    this.files = new FolderFiles(storage, folder);
    this.options = options;
    this.tuning = tuning;
  }

  /** Whether a path is a folder store's, or will be one's. */
  static boolean isFor(Storage storage, Path real, BackendOptions options) throws StoreException {
    try {
      if (storage.isDirectory(real)) {
        return FolderFiles.isStore(storage.list(real));
      }
    } catch (IOException e) {
      throw Failures.reading(real, e);
    }
    return options.layout() == Layout.FOLDER && !storage.exists(real);
  }

  LogBackend open() throws StoreException {
    boolean exists = storage.exists(folder);
    if (exists && options.creation() == Creation.ALWAYS) {
      throw new StoreExistsException("store exists already: file=" + folder);
    }
    if (!exists && (options.creation() == Creation.NEVER || options.readOnly())) {
      throw new StoreNotFoundException("store does not exist: file=" + folder);
    }
    if (options.readOnly()) {
      return openFolder(null);
    }
    Storage.Lock writer = exists ? storage.lock(folder) : create();
    boolean opened = false;
    try {
      LogBackend backend = openFolder(writer);
      opened = true;
      return backend;
    } finally {
      if (!opened) {
        writer.close();
      }
    }
  }

  private Storage.Lock create() throws StoreException {
    long storeId = new SecureRandom().nextLong() | 1;
    Storage.Lock writer =
        FolderCreation.create(storage, folder, ManifestLayout.first(storeId, Instant.now()));
    if (writer != null) {
      return writer;
    }
    if (options.creation() == Creation.ALWAYS) {
      throw new StoreExistsException("store exists already: file=" + folder);
    }
    return storage.lock(folder);
  }

  private LogBackend openFolder(Storage.@Nullable Lock writer) throws StoreException {
    for (int attempt = 1; ; attempt++) {
      Manifest manifest = Manifest.read(files);
      List<Segment> opened = new ArrayList<>();
      List<Problem> damage = new ArrayList<>(manifest.problems());
      List<Problem> notes = new ArrayList<>();
      boolean done = false;
      try {
        for (SegmentInfo info : manifest.layout().segments()) {
          opened.add(openSegment(manifest.layout(), info, writer != null, damage, notes));
        }
        LogBackend backend = assemble(writer, manifest.layout(), opened, damage, notes);
        done = true;
        return backend;
      } catch (NoSuchFileException e) {
        if (writer != null || attempt == ATTEMPTS) {
          throw Failures.reading(folder, e);
        }
        // A writer has dropped the segment since the manifest was read.
      } catch (IOException e) {
        throw Failures.reading(folder, e);
      } finally {
        if (!done) {
          opened.forEach(Segment::release);
        }
      }
    }
  }

  private Segment openSegment(
      ManifestLayout layout,
      SegmentInfo info,
      boolean forWriting,
      List<Problem> damage,
      List<Problem> notes)
      throws IOException {
    int number = info.number();
    boolean active = info.equals(layout.active());
    Storage.OpenFile file = files.openSegment(number, active && forWriting);
    boolean done = false;
    try {
      byte[] head = new byte[FileHeader.LENGTH];
      head = Arrays.copyOf(head, file.read(0, head, 0, head.length));
      FileHeader header = layout.headerOf(number);
      if (!isHeader(head, header)) {
        damage.add(note(number, 0, "file header is damaged, or another segment's"));
      } else if (!FileHeader.isWhole(head)) {
        notes.add(note(number, 0, "one copy of the file header is damaged"));
      }
      long length = file.size();
      if (info.finished() && length < info.length()) {
        damage.add(note(number, length, "file is too short: expected=" + info.length()));
      }
      Segment segment =
          new Segment(
              files.segment(number), file, header, info.finished() ? info.length() : length);
      done = true;
      return segment;
    } finally {
      if (!done) {
        file.close();
      }
    }
  }

  private static boolean isHeader(byte[] head, FileHeader expected) throws StoreException {
    try {
      return FileHeader.decode(head).equals(expected);
    } catch (StoreCorruptException | dev.coffer.vfs.NotAStoreException e) {
      return false;
    }
  }

  private static Problem note(int segment, long offset, String message) {
    return new Problem(null, offset, message + " segment=" + segment);
  }

  private LogBackend assemble(
      Storage.@Nullable Lock writer,
      ManifestLayout layout,
      List<Segment> opened,
      List<Problem> damage,
      List<Problem> notes)
      throws StoreException, IOException {
    Segment active = opened.get(opened.size() - 1);
    IndexFiles index = new IndexFiles(storage, folder.resolve("index"), layout.header().storeId());
    List<Problem> problems = new ArrayList<>(damage);
    problems.addAll(notes);
    Reserve reserve = new Reserve(storage, folder.resolve("reserve"), tuning.reserveBytes());
    return new Assembly(
            storage,
            writer,
            SegmentSet.of(opened),
            active.written(),
            index,
            tuning,
            reserve,
            problems)
        .open(damage.isEmpty(), new FolderWriter(files, layout, reserve));
  }
}
