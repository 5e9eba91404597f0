package dev.coffer.backends.log;

import dev.coffer.vfs.NotAStoreException;
import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreBackendException;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreExistsException;
import dev.coffer.vfs.StoreLockedException;
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
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Opens, creates and recovers single-file stores. */
final class LogOpener {
  private final Storage storage;
  private final Path file;
  private final BackendOptions options;

  private final Tuning tuning;

  private LogOpener(Storage storage, Path file, BackendOptions options, Tuning tuning) {
    this.storage = storage;
    this.file = file;
    this.options = options;
    this.tuning = tuning;
  }

  static LogBackend open(Storage storage, Path file, BackendOptions options, Tuning tuning)
      throws StoreException {
    Path real;
    try {
      real = storage.realPath(file);
    } catch (NoSuchFileException e) {
      throw new StoreNotFoundException("folder of store does not exist: file=" + file);
    } catch (IOException e) {
      throw Failures.reading(file, e);
    }
    if (FolderOpener.isFor(storage, real, options)) {
      return new FolderOpener(storage, real, options, tuning).open();
    }
    return new LogOpener(storage, real, options, tuning).open();
  }

  /** Where a new file is made before it takes the place of a store. */
  static Path temporary(Path file) {
    return file.resolveSibling("." + file.getFileName() + ".new");
  }

  private LogBackend open() throws StoreException {
    boolean exists = requireCreation();
    boolean sealed = exists && requireStore().sealed();
    if (options.readOnly() || sealed) {
      return openFile(null);
    }
    Storage.Lock writer = storage.lock(file);
    boolean opened = false;
    try {
      storage.delete(temporary(file));
      if (!requireCreation()) {
        create();
        writer.covers(file);
      }
      LogBackend backend = openFile(writer);
      opened = true;
      return backend;
    } catch (StoreException e) {
      throw e;
    } catch (IOException e) {
      throw new StoreBackendException("cannot open store: file=" + file, e);
    } finally {
      if (!opened) {
        writer.close();
      }
    }
  }

  /** Whether the store exists; refuses what the options do not allow. */
  private boolean requireCreation() throws StoreException {
    boolean exists = storage.exists(file);
    if (exists && options.creation() == Creation.ALWAYS) {
      throw new StoreExistsException("store exists already: file=" + file);
    }
    if (!exists && (options.creation() == Creation.NEVER || options.readOnly())) {
      throw new StoreNotFoundException("store does not exist: file=" + file);
    }
    return exists;
  }

  /** Refuses a foreign file before a lock is left beside it. */
  private FileHeader requireStore() throws StoreException {
    if (storage.isDirectory(file)) {
      throw new NotAStoreException("file is a folder: file=" + file);
    }
    try (Storage.OpenFile open = storage.open(file, false)) {
      FileHeader header = FileHeader.decode(head(open));
      if (header.features().isFolder()) {
        throw new NotAStoreException("file is part of a folder store: file=" + file);
      }
      return header;
    } catch (StoreException e) {
      throw e;
    } catch (IOException e) {
      throw Failures.reading(file, e);
    }
  }

  private static byte[] head(Storage.OpenFile open) throws IOException {
    byte[] head = new byte[FileHeader.LENGTH];
    return Arrays.copyOf(head, open.read(0, head, 0, head.length));
  }

  /** Makes an empty store beside its place and moves it there, so that it is never half there. */
  private void create() throws StoreException {
    long storeId = new SecureRandom().nextLong() | 1;
    FileHeader header = new FileHeader(Features.NONE, storeId, false, 0, Instant.now());
    Path temporary = temporary(file);
    try {
      try (Storage.OpenFile open = storage.create(temporary)) {
        byte[] head = header.encode();
        open.write(0, head, 0, head.length);
        writeEmpty(temporary, open, header);
        open.force(true);
      }
      storage.rename(temporary, file);
      storage.forceDirectory(parent());
    } catch (IOException e) {
      throw Failures.writing(file, FileHeader.LENGTH, e);
    }
  }

  /** Writes what follows the header in the only file of a store that holds nothing. */
  static void writeEmpty(Path path, Storage.OpenFile open, FileHeader header)
      throws StoreException {
    RecordHeader.Home home = new RecordHeader.Home(header.storeId(), header.segment());
    Appender appender =
        new Appender(new ReentrantLock(), path, open, home, 1, FileHeader.LENGTH, false);
    beginEpoch(appender, 1, 0);
    byte[] trailer = new TrailerLayout(0, 0, 0, 0, 1, 0, Instant.now()).encode();
    appender.append(RecordKind.TRAILER, 0, trailer);
    appender.write();
  }

  private Path parent() throws StoreException {
    Path parent = file.getParent();
    if (parent == null) {
      throw new NotAStoreException("file is a root folder: file=" + file);
    }
    return parent;
  }

  static void beginEpoch(Appender appender, int epoch, long sequence) {
    appender.append(
        RecordKind.EPOCH,
        epoch,
        new EpochLayout(Instant.now(), Features.WRITTEN, sequence).encode());
    appender.endBatch();
  }

  private LogBackend openFile(Storage.@Nullable Lock writer) throws StoreException {
    Storage.OpenFile open = null;
    boolean opened = false;
    try {
      open = storage.open(file, writer != null);
      if (writer != null && !open.tryLock()) {
        throw new StoreLockedException(
            "store is open for writing by another name: by=another process store=" + file);
      }
      byte[] head = head(open);
      FileHeader header = FileHeader.decode(head);
      List<Problem> problems = new ArrayList<>();
      long length = length(open, header, problems);
      Segment segment = new Segment(file, open, header, length);
      if (!FileHeader.isWhole(head)) {
        problems.add(new Problem(null, 0, "one copy of the file header is damaged"));
      }
      IndexFiles files = new IndexFiles(storage, IndexFiles.beside(file), header.storeId());
      Reserve reserve = new Reserve(storage, Reserve.beside(file), tuning.reserveBytes());
      SegmentSet segments = SegmentSet.of(List.of(segment));
      LogBackend backend =
          new Assembly(storage, writer, segments, length, files, tuning, reserve, problems)
              .open(true, null);
      opened = true;
      return backend;
    } catch (StoreException e) {
      throw e;
    } catch (IOException e) {
      throw Failures.reading(file, e);
    } finally {
      if (!opened && open != null) {
        closeQuietly(open);
      }
    }
  }

  /** How much of a file counts: of one that is sealed, as much as was sealed. */
  private long length(Storage.OpenFile open, FileHeader header, List<Problem> problems)
      throws StoreException, IOException {
    long length = open.size();
    if (!header.sealed()) {
      return length;
    }
    if (length < header.length()) {
      throw new StoreCorruptException(
          "sealed store is truncated: expected="
              + header.length()
              + " found="
              + length
              + " file="
              + file,
          null,
          length,
          null);
    }
    if (length > header.length()) {
      problems.add(
          new Problem(
              null,
              header.length(),
              "file goes on behind its end: excessBytes=" + (length - header.length())));
    }
    return header.length();
  }

  private static void closeQuietly(Storage.OpenFile open) {
    try {
      open.close();
    } catch (IOException e) {
      // The failure that led here is thrown already.
    }
  }
}
