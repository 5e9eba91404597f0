package dev.coffer.vfs;

import dev.coffer.vfs.internal.StoreOpener;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One open container of files addressed by path.
 *
 * <p>Thread-safe. A reader sees the old file or the new one, never a mixture, and an open stream
 * keeps reading the version it opened. Every read is checked: damage is a {@link
 * StoreCorruptException} that names the path. The opener closes the store; {@link #close()} forces
 * everything first.
 *
 * <p>All declared failures are {@link StoreException}s. Paths, links and changes are as {@link
 * FileOperations} says; each single change is a commit of its own with the store's default
 * durability.
 */
public interface VirtualFileStore extends FileOperations, Closeable {

  /**
   * Opens an existing store, whatever its backend.
   *
   * @throws StoreNotFoundException if there is none
   * @throws NotAStoreException if the file is something else
   */
  static VirtualFileStore open(Path file) throws IOException {
    return open(file, StoreOptions.DEFAULT);
  }

  /**
   * Opens an existing store with options. A read-only store beside a writer shows the moment it was
   * opened.
   */
  static VirtualFileStore open(Path file, StoreOptions options) throws IOException {
    return StoreOpener.open(file, options);
  }

  /**
   * Creates a store.
   *
   * @throws StoreExistsException if something is at the path
   */
  static VirtualFileStore create(Path file) throws IOException {
    return create(file, StoreOptions.DEFAULT);
  }

  /** Creates a store with options. */
  static VirtualFileStore create(Path file, StoreOptions options) throws IOException {
    return StoreOpener.create(file, options);
  }

  /** Opens the store, or creates it if there is none. */
  static VirtualFileStore openOrCreate(Path file, StoreOptions options) throws IOException {
    return StoreOpener.openOrCreate(file, options);
  }

  /** A store in memory only, gone when closed. */
  static VirtualFileStore inMemory(StoreOptions options) throws IOException {
    return StoreOpener.inMemory(options);
  }

  /**
   * Reads a whole file. In a store that opened damaged (see {@link #recoveryReport}) a file may be
   * missing because its entry is lost.
   *
   * @throws NoSuchEntryException if nothing is there
   * @throws NotAFileException if it is a directory or a link
   * @throws IllegalArgumentException if it is longer than an array can be
   */
  byte[] read(String path) throws IOException;

  /**
   * Reads up to {@code length} bytes of a file from {@code position} on; fewer at its end, none
   * past it. Unpacks only the chunks it touches.
   */
  byte[] readRange(String path, long position, int length) throws IOException;

  /** Opens a file for reading, in bounded memory. The caller closes the stream. */
  InputStream newInputStream(String path) throws IOException;

  /**
   * Opens a file for writing, in bounded memory. Nothing is visible until {@code close()}, which
   * commits; after an exception from {@code write}, close commits nothing and throws. To give up a
   * half-written file use {@link #write(String, InputStream, Attributes, WriteOption...)} with a
   * stream that throws.
   */
  OutputStream newOutputStream(String path, WriteOption... options) throws IOException;

  /**
   * What is at a path.
   *
   * @throws NoSuchEntryException if nothing is there; the root always is
   */
  FileEntry stat(String path) throws IOException;

  /** What is at a path, or null. */
  @Nullable FileEntry find(String path) throws IOException;

  /** Whether anything is at a path. */
  boolean exists(String path) throws IOException;

  /**
   * The children of a directory in name order (unsigned UTF-8), all of one moment.
   *
   * @throws NotADirectoryException if it is not one
   */
  List<FileEntry> list(String path) throws IOException;

  /**
   * Everything at and below a path, all of one moment: the path itself, then what is below it, each
   * directory before what it holds, in key order. Lazy and in bounded memory; close the stream. An
   * {@link IOException} on the way is thrown as {@link java.io.UncheckedIOException}.
   */
  Stream<FileEntry> walk(String path) throws IOException;

  /**
   * Reads whole files at and below a directory in key order (by parent path, then by name, both as
   * unsigned UTF-8): up to {@code limit} of those behind a path. Each is one version, newest when
   * it was read; together they are not of one moment. Directories and links are passed over; there
   * are no files below what is no directory.
   *
   * @param after where to go on behind; need not exist (any more); null for the first file
   * @param files called for each file in this thread; keeps the bytes if it likes
   * @return how many files were read; fewer than {@code limit} means the end
   * @throws IllegalArgumentException if a file is longer than an array can be
   */
  int readFiles(
      String directory, @Nullable String after, int limit, BiConsumer<FileEntry, byte[]> files)
      throws IOException;

  /** Starts a batch that packs each file alone. The caller closes it. */
  WriteBatch newBatch() throws IOException;

  /** Starts a batch. The caller closes it. */
  WriteBatch newBatch(Packing packing) throws IOException;

  /** All store properties, by name. */
  SortedMap<String, String> properties() throws IOException;

  /** Makes everything committed so far survive power loss. */
  void force() throws IOException;

  StoreStats stats() throws IOException;

  /** Whether writes are refused: opened read-only, sealed, or damaged. */
  boolean isReadOnly();

  /** What opening found damaged or had to cut off; empty for a store that was closed cleanly. */
  List<Problem> recoveryReport();

  /**
   * Reads and checks everything: structure, entries, and all content. Does not stop at the first
   * problem; {@code problems} hears each as it is found.
   */
  VerifyReport verify(Consumer<Problem> problems) throws IOException;

  /**
   * What listings may lack without saying so. A log store answers at once with what opening found,
   * since its listings show damage by themselves; SQLite and DuckDB scan all entries, as rows of a
   * database can go without a trace.
   */
  List<Problem> findLostEntries() throws IOException;

  /** Gives back the room of dead content, all of it. */
  void compact() throws IOException;

  /**
   * Writes all this store holds at this moment into a new sealed store: one file, read-only for
   * ever, which any number of processes may open, from a read-only medium too. Content is copied as
   * it is packed. The file is there, whole and durable, or not at all.
   *
   * @throws StoreExistsException if something is at the path
   * @throws StoreCorruptException if something is damaged; what is sound can be copied by hand
   */
  void sealTo(Path file) throws IOException;

  /**
   * Makes a copy of this store at this moment, while it is written to: a store of the same kind,
   * there whole and durable, or not at all.
   *
   * @throws StoreBackendException if stores of this backend or layout cannot be copied while open
   * @throws StoreExistsException if something is at the path
   */
  void backupTo(Path target) throws IOException;

  /** Waits for calls in flight, forces everything, closes. Idempotent. */
  @Override
  void close() throws IOException;
}
