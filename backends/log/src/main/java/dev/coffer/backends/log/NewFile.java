package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreExistsException;
import dev.coffer.vfs.StoreNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Objects;

/**
 * A store being made beside its place, to be moved there when it is whole. Nobody can know of it
 * before, so no lock is taken. For one thread.
 */
final class NewFile implements AutoCloseable {
  private final Storage storage;
  private final Path path;
  private final Path temporary;
  private final Storage.OpenFile file;
  private final long storeId;
  private final IndexFiles indexFiles;

  private NewFile(Storage storage, Path path, long storeId) throws IOException {
    this.storage = storage;
    this.path = path;
    this.storeId = storeId;
    this.temporary = temporary(path);
    this.file = storage.create(temporary);
    this.indexFiles = new IndexFiles(storage, IndexFiles.beside(temporary), storeId);
  }

  /** A file that becomes the store at {@code path}, where nothing may be. */
  static NewFile beside(Storage storage, Path path) throws StoreException {
    return beside(storage, path, new SecureRandom().nextLong() | 1);
  }

  /** A file that becomes the store at {@code path} and has this id. */
  static NewFile beside(Storage storage, Path path, long storeId) throws StoreException {
    Path real = absent(storage, path);
    try {
      return new NewFile(storage, real, storeId);
    } catch (IOException e) {
      throw Failures.writing(real, 0, e);
    }
  }

  /** A name of its own: two that make the same store must not write into one file, or folder. */
  static Path temporary(Path path) {
    String unique = HexFormat.of().toHexDigits(new SecureRandom().nextInt());
    return path.resolveSibling("." + path.getFileName() + "." + unique + ".new");
  }

  /** The real path of something to be made, where nothing may be. */
  static Path absent(Storage storage, Path path) throws StoreException {
    Path real;
    try {
      real = storage.realPath(path);
    } catch (NoSuchFileException e) {
      throw new StoreNotFoundException("folder of store does not exist: file=" + path);
    } catch (IOException e) {
      throw Failures.reading(path, e);
    }
    requireAbsent(storage, real);
    return real;
  }

  static void requireAbsent(Storage storage, Path path) throws StoreExistsException {
    if (storage.exists(path)) {
      throw new StoreExistsException("something is there already: file=" + path);
    }
  }

  /** Where it is to be, for messages. */
  Path path() {
    return path;
  }

  Storage.OpenFile file() {
    return file;
  }

  long storeId() {
    return storeId;
  }

  /** Where parts of its index that are too long for memory may be meanwhile. */
  IndexFiles indexFiles() {
    return indexFiles;
  }

  /** Makes it durable and gives it its name. */
  void publish() throws StoreException {
    try {
      file.force(true);
      requireAbsent(storage, path);
      storage.rename(temporary, path);
      storage.forceDirectory(Objects.requireNonNull(path.getParent()));
    } catch (IOException e) {
      throw Failures.writing(path, 0, e);
    }
  }

  /** Lets go of it, and deletes what was not published. */
  @Override
  public void close() {
    try {
      indexFiles.close();
      file.close();
      indexFiles.keepOnly(null);
      storage.delete(temporary);
    } catch (IOException e) {
      // What is left is of no use to anybody, and harms nobody.
    }
  }
}
