package dev.coffer.vfs.spi;

import dev.coffer.vfs.Layout;
import dev.coffer.vfs.StoreBackendException;
import dev.coffer.vfs.StoreException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Opens stores of one backend; found with {@link java.util.ServiceLoader}. Implementations are
 * stateless and thread-safe.
 */
public interface BackendProvider {

  /** How many bytes {@link #recognizes} is given, if the file has them. */
  int HEAD_LENGTH = 4096;

  /** A short lower-case name, such as {@code log}. */
  String name();

  /**
   * Whether a file that starts with {@code head} (read-only, possibly empty) is of this backend's
   * kind of file: a store of it, or a foreign one that {@link #open} will refuse with the right
   * error. Does not open the file.
   */
  boolean recognizes(ByteBuffer head);

  /**
   * Whether a folder is a store of this backend, by the names in it; opens no file. One that cannot
   * be read is not.
   */
  default boolean recognizesFolder(Path folder) {
    return false;
  }

  /** Whether this backend can lay out new stores so. */
  default boolean makes(Layout layout) {
    return layout == Layout.FILE;
  }

  /**
   * Opens or creates a store.
   *
   * @throws dev.coffer.vfs.StoreNotFoundException if it is missing and not to be created
   * @throws dev.coffer.vfs.StoreExistsException if it exists and was to be new
   * @throws dev.coffer.vfs.NotAStoreException if the file is another kind of file
   * @throws dev.coffer.vfs.StoreVersionException if its format is too new or too old
   * @throws dev.coffer.vfs.StoreLockedException if it is open for writing elsewhere
   * @throws dev.coffer.vfs.StoreCorruptException if it is too damaged to open
   * @throws dev.coffer.vfs.StoreReadOnlyException if it needs recovery and is to be opened
   *     read-only
   */
  Backend open(Path file, BackendOptions options) throws StoreException;

  /**
   * Writes all that a reader sees, of whatever backend it is, into a new sealed store: one file,
   * whole or absent, which is never changed. Packed content is copied as it is.
   *
   * @throws dev.coffer.vfs.StoreBackendException if this backend makes none
   * @throws dev.coffer.vfs.StoreExistsException if something is there
   * @throws dev.coffer.vfs.StoreCorruptException if something of the source is damaged
   */
  default void seal(EntryReader source, Path target) throws StoreException {
    throw new StoreBackendException("backend makes no sealed stores: backend=" + name());
  }
}
