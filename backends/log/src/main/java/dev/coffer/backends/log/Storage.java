package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The one seam through which every byte of a store passes, so that tests can make each step fail.
 *
 * <p>Interrupting a thread inside any of these neither closes a file nor changes a result; the flag
 * stays set. Thread-safe.
 */
interface Storage {

  /** The real path of a file, or of one about to be made in an existing folder. */
  Path realPath(Path file) throws IOException;

  /** Whether there is anything at a path. */
  boolean exists(Path file);

  /** Whether a path names a folder. */
  boolean isDirectory(Path file);

  /** Opens an existing file, for reading only or for both. */
  OpenFile open(Path file, boolean writable) throws IOException;

  /** Makes a new file, empty, open for reading and writing; whatever was there is gone. */
  OpenFile create(Path file) throws IOException;

  /** Gives a file or folder the name {@code to}, replacing a file that has it in one step. */
  void rename(Path from, Path to) throws IOException;

  /** Gives a file a second name; fails where that cannot be done. */
  void link(Path file, Path second) throws IOException;

  /** The paths of what is in a folder, in no order; nothing if there is no such folder. */
  List<Path> list(Path folder) throws IOException;

  /** Makes a folder in an existing one, unless it is there. */
  void createFolder(Path folder) throws IOException;

  /** Deletes a file, or an empty folder, if it is there. */
  void delete(Path file) throws IOException;

  /** Makes the names in a folder durable. */
  void forceDirectory(Path directory) throws IOException;

  /** How many bytes may still be written where a file is; for messages only. */
  long usableBytes(Path file);

  /** Takes the writer's lock of a store. */
  Lock lock(Path file) throws StoreException;

  /** Takes the writer's lock of a folder store that {@code draft} is about to be renamed to. */
  Lock lockDraft(Path store, Path draft) throws StoreException;

  /** One open file. */
  interface OpenFile extends AutoCloseable {

    long size() throws IOException;

    /** Reads until {@code length} bytes are there or the file ends; answers how many were read. */
    int read(long position, byte[] target, int offset, int length) throws IOException;

    /** Writes all of a range, extending the file as needed. */
    void write(long position, byte[] source, int offset, int length) throws IOException;

    void truncate(long size) throws IOException;

    /** Makes everything written durable; with {@code metadata} also what data does not need. */
    void force(boolean metadata) throws IOException;

    /**
     * Locks the file, until it is closed, against other processes that lock it; so a second name of
     * it is no way to a second writer. False if somebody has it locked.
     */
    boolean tryLock() throws IOException;

    /** The file has another name from now on, by which it can be mapped. */
    void renamedTo(Path name);

    /** Maps a range that lies within the file for reading; null where that must not be done. */
    @Nullable ByteBuffer map(long position, long length) throws IOException;

    @Override
    void close() throws IOException;
  }

  /** The writer's lock. */
  interface Lock extends AutoCloseable {
    /** Extends the lock to a data file that has taken the store's place. */
    void covers(Path file) throws StoreException;

    @Override
    void close();
  }
}
