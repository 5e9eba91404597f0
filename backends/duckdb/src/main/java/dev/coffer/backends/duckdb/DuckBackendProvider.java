package dev.coffer.backends.duckdb;

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
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Keeps stores in DuckDB databases. */
public final class DuckBackendProvider implements BackendProvider {
  static final String NAME = "duckdb";

  /** DuckDB's files start with a checksum, then this. */
  private static final byte[] MAGIC = "DUCK".getBytes(StandardCharsets.US_ASCII);

  private static final int MAGIC_OFFSET = Long.BYTES;

  /** For {@link java.util.ServiceLoader}. */
  public DuckBackendProvider() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean recognizes(ByteBuffer head) {
    if (head.remaining() < MAGIC_OFFSET + MAGIC.length) {
      return false;
    }
    return head.slice(head.position() + MAGIC_OFFSET, MAGIC.length).equals(ByteBuffer.wrap(MAGIC));
  }

  @Override
  public Backend open(Path file, BackendOptions options) throws StoreException {
    if (options.creation() == Creation.ALWAYS && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new StoreExistsException("store exists already: store=" + file);
    }
    boolean create = options.creation() != Creation.NEVER && !options.readOnly();
    if (!Files.exists(file) && !create) {
      throw new StoreNotFoundException("store does not exist: store=" + file);
    }
    Path real = realPath(file);
    return options.readOnly() ? openReadOnly(real) : openForWriting(real, create);
  }

  private static Path realPath(Path file) throws StoreException {
    try {
      if (Files.exists(file)) {
        return file.toRealPath();
      }
      Path absolute = file.toAbsolutePath().normalize();
      Path parent = absolute.getParent();
      if (parent == null || !Files.isDirectory(parent)) {
        throw new StoreNotFoundException("folder of the store does not exist: store=" + file);
      }
      return parent.toRealPath().resolve(absolute.getFileName());
    } catch (StoreException e) {
      throw e;
    } catch (IOException e) {
      throw new StoreBackendException("cannot resolve the store's path: store=" + file, e);
    }
  }

  private Backend openReadOnly(Path file) throws StoreException {
    if (StoreLock.heldHereBy(file) != null) {
      throw new StoreLockedException("store is open for writing: by=this process store=" + file);
    }
    requireDatabase(file);
    StoreFiles files = new StoreFiles(file);
    if (files.hasLog()) {
      throw new StoreReadOnlyException(
          "store needs recovery, which a read-only open may not do: store=" + file);
    }
    return DuckBackend.open(files, null, false);
  }

  private Backend openForWriting(Path file, boolean create) throws StoreException {
    if (Files.exists(file) && StoreLock.heldHereBy(file) == null) {
      requireDatabase(file); // Before anything is made beside a file that is none of ours.
    }
    StoreLock lock = StoreLock.acquire(file, NAME);
    boolean opened = false;
    try {
      boolean missing = !Files.exists(file);
      if (missing && !create) {
        throw new StoreNotFoundException("store does not exist: store=" + file);
      }
      Backend backend = DuckBackend.open(new StoreFiles(file), lock, missing);
      opened = true;
      return backend;
    } finally {
      if (!opened) {
        lock.close();
      }
    }
  }

  /** Looks at the head only; while this process has the file open it must not even be opened. */
  private void requireDatabase(Path file) throws StoreException {
    byte[] head = {};
    if (Files.isRegularFile(file)) {
      try (InputStream in = Files.newInputStream(file)) {
        head = in.readNBytes(MAGIC_OFFSET + MAGIC.length);
      } catch (IOException e) {
        throw new StoreBackendException("cannot read the store's file: store=" + file, e);
      }
    }
    if (!recognizes(ByteBuffer.wrap(head))) {
      throw new NotAStoreException("file is no DuckDB database: store=" + file);
    }
  }
}
