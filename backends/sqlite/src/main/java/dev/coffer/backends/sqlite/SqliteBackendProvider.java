package dev.coffer.backends.sqlite;

import dev.coffer.vfs.NotAStoreException;
import dev.coffer.vfs.StoreBackendException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreExistsException;
import dev.coffer.vfs.StoreLockedException;
import dev.coffer.vfs.StoreNotFoundException;
import dev.coffer.vfs.StoreReadOnlyException;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.BackendOptions;
import dev.coffer.vfs.spi.BackendOptions.Creation;
import dev.coffer.vfs.spi.BackendProvider;
import dev.coffer.vfs.spi.StoreLock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;

/** Opens stores that are SQLite databases; named {@code sqlite}. */
public final class SqliteBackendProvider implements BackendProvider {
  /** The name of this backend. */
  public static final String NAME = "sqlite";

  /** For {@link java.util.ServiceLoader}. */
  public SqliteBackendProvider() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean recognizes(ByteBuffer head) {
    return StoreFiles.isDatabase(head) || StoreFiles.isMarkedOurs(head);
  }

  @Override
  public Backend open(Path file, BackendOptions options) throws StoreException {
    if (file.getFileSystem() != FileSystems.getDefault()) {
      throw new StoreBackendException(
          "SQLite reads files of the default file system only: store=" + file);
    }
    boolean exists = Files.exists(file);
    requireExistence(file, exists, options);
    Path real = real(file, exists);
    if (exists && !Files.isRegularFile(real)) {
      throw new NotAStoreException("SQLite store is no file: store=" + real);
    }
    return options.readOnly() ? openReadOnly(real) : openForWriting(real, options.creation());
  }

  private static void requireExistence(Path file, boolean exists, BackendOptions options)
      throws StoreException {
    if (exists) {
      if (options.creation() == Creation.ALWAYS) {
        throw new StoreExistsException("store exists: store=" + file);
      }
    } else if (options.readOnly() || options.creation() == Creation.NEVER) {
      throw new StoreNotFoundException("store is missing: store=" + file);
    }
  }

  private static Path real(Path file, boolean exists) throws StoreException {
    try {
      if (exists) {
        return file.toRealPath();
      }
      Path absolute = file.toAbsolutePath();
      return absolute.resolveSibling("").toRealPath().resolve(absolute.getFileName());
    } catch (IOException e) {
      throw new StoreNotFoundException("store's folder is missing: store=" + file, e);
    }
  }

  private static Backend openForWriting(Path file, Creation creation) throws StoreException {
    StoreLock lock = StoreLock.acquire(file, NAME);
    boolean opened = false;
    try {
      // Seen again under the lock: another process may have made or removed it meanwhile.
      boolean exists = Files.exists(file);
      if (exists && creation == Creation.ALWAYS) {
        throw new StoreExistsException("store exists: store=" + file);
      }
      if (!exists) {
        if (creation == Creation.NEVER) {
          throw new StoreNotFoundException("store is missing: store=" + file);
        }
        StoreFiles.create(file);
      }
      lock.covers(file);
      StoreFiles.checkHeader(file);
      StoreFiles.checkBeside(file);
      Backend backend = SqliteBackend.openForWriting(file, lock);
      opened = true;
      return backend;
    } finally {
      if (!opened) {
        lock.close();
      }
    }
  }

  /**
   * Opens a file that nobody writes. While a log lies beside it somebody may, and the newest
   * commits are in the log, which cannot be read without writing.
   */
  private static Backend openReadOnly(Path file) throws StoreException {
    if (StoreLock.heldHereBy(file) != null) {
      throw new StoreLockedException("store is open for writing: by=this process store=" + file);
    }
    StoreFiles.checkHeader(file);
    StoreFiles.checkBeside(file);
    Path log = StoreFiles.beside(file, "-wal");
    if (Files.exists(log)) {
      throw new StoreReadOnlyException(
          "store is open for writing elsewhere, or needs recovery by opening it for writing: log="
              + log
              + " store="
              + file);
    }
    return SqliteBackend.openReadOnly(file);
  }
}
