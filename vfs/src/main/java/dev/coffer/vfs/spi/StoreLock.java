package dev.coffer.vfs.spi;

import dev.coffer.vfs.StoreBackendException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreLockedException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The one writer's lock on a store, taken on a side file that nothing else ever opens: a POSIX lock
 * is lost silently when any other channel on the same file closes in the same process, so a data
 * file itself cannot carry it. The side file is never deleted, or two writers could each lock their
 * own.
 *
 * <p>For the same reason a second attempt in this JVM must not even open the side file, so a table
 * that all class loaders share, in the system properties, is asked first. It also knows data files
 * by their file key, which tells a hard link from another store.
 *
 * <p>What this covers: a second writer in this JVM, by any name of the store, whatever class loader
 * it comes from; and one in another process that uses the same name, or a symbolic link to it. Not
 * covered is another process that opens a hard link to the data file, whose side file is another:
 * against that a backend has to lock the data file too, as the log engine does.
 *
 * <p>Thread-safe; close is idempotent.
 */
public final class StoreLock implements AutoCloseable {
  private static final String TABLE_PREFIX = "dev.coffer.locked:";
  private static final String FOLDER_SIDE_FILE = "lock";

  private final Path store;
  private final String backend;
  private final List<String> claims = new ArrayList<>();
  private @Nullable FileChannel channel;

  private StoreLock(Path store, String backend) {
    this.store = store;
    this.backend = backend;
  }

  /**
   * The side file of a store: {@code lock} in its folder, or beside its file the file's name,
   * hidden, with {@code .lock} appended.
   */
  public static Path sideFile(Path store) {
    return Files.isDirectory(store)
        ? store.resolve(FOLDER_SIDE_FILE)
        : store.resolveSibling("." + store.getFileName() + ".lock");
  }

  /**
   * Locks a store for writing.
   *
   * @param store the real path of the store's file or folder, or of one about to be made
   * @param backend the name of the provider that holds the lock
   * @throws StoreLockedException if it is locked already, by whomever
   */
  public static StoreLock acquire(Path store, String backend) throws StoreException {
    return acquire(store, store, backend);
  }

  /**
   * Locks a folder store about to be made, by the side file in an existing folder that will be
   * renamed to it: who made the folder first also has the store.
   *
   * @throws StoreLockedException if the folder or the store is locked already, by whomever
   */
  public static StoreLock acquireDraft(Path store, Path draft, String backend)
      throws StoreException {
    return acquire(store, draft, backend);
  }

  private static StoreLock acquire(Path store, Path present, String backend) throws StoreException {
    StoreLock lock = new StoreLock(store, backend);
    boolean locked = false;
    try {
      lock.claim("path:" + store.toAbsolutePath());
      lock.covers(present);
      lock.lock(sideFile(present));
      locked = true;
      return lock;
    } finally {
      if (!locked) {
        lock.close();
      }
    }
  }

  /**
   * The name of the provider by which this JVM has the store open for writing, or null. Opens no
   * file, so it loses nobody's lock.
   */
  public static @Nullable String heldHereBy(Path store) {
    String holder = System.getProperty(TABLE_PREFIX + "path:" + store.toAbsolutePath());
    if (holder != null) {
      return holder;
    }
    String key = fileKey(store);
    return key == null ? null : System.getProperty(TABLE_PREFIX + key);
  }

  /**
   * Extends the lock, within this JVM, to a data file under any other name it has. To be called
   * again once a new file has been made or has taken the store's place.
   *
   * @throws StoreLockedException if another store of this JVM holds that file
   */
  public synchronized void covers(Path dataFile) throws StoreException {
    String key = fileKey(dataFile);
    if (key != null && !claims.contains(key)) {
      claim(key);
    }
  }

  private synchronized void claim(String key) throws StoreLockedException {
    if (System.getProperties().putIfAbsent(TABLE_PREFIX + key, backend) != null) {
      throw new StoreLockedException("store is open for writing: by=this process store=" + store);
    }
    claims.add(key);
  }

  private synchronized void lock(Path side) throws StoreException {
    try {
      channel = FileChannel.open(side, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw new StoreLockedException(
            "store is open for writing: by=another process store=" + store);
      }
    } catch (OverlappingFileLockException e) {
      throw new StoreLockedException(
          "store is open for writing: by=this process store=" + store, e);
    } catch (StoreException e) {
      throw e;
    } catch (IOException e) {
      throw new StoreBackendException(
          "cannot lock store: lockFile=" + side + " cause=" + e.getMessage(), e);
    }
  }

  private static @Nullable String fileKey(Path file) {
    try {
      Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
      return key == null ? null : "key:" + key;
    } catch (IOException e) {
      return null; // Not there (yet), or without attributes: the path's own claim must do.
    }
  }

  @Override
  public synchronized void close() {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        // Nothing was written through it, and the lock ends with the descriptor either way.
      }
      channel = null;
    }
    claims.forEach(key -> System.getProperties().remove(TABLE_PREFIX + key));
    claims.clear();
  }
}
