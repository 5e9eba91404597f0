package dev.coffer.vfs;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * The changes that can be made to a store: at once, each for itself ({@link VirtualFileStore}), or
 * several together ({@link WriteBatch}).
 *
 * <p>Paths are {@code /}-separated; a leading slash may be left out. Empty elements, {@code .},
 * {@code ..}, NUL, unpaired surrogates, elements over 255 bytes, paths over 4,096 bytes (without a
 * leading slash) or 256 levels throw {@link InvalidPathException}. Names are case-sensitive and not
 * normalised. No operation follows symbolic links.
 *
 * <p>Parents of whatever is written are made as needed. Every operation happens completely or not
 * at all.
 */
public interface FileOperations {

  /** Writes a whole file, replacing a file or link at the path. */
  default void write(String path, byte[] content, WriteOption... options) throws IOException {
    write(path, content, null, options);
  }

  /**
   * Writes a whole file with attributes; null gives those of a new file, or keeps those of the file
   * replaced, apart from {@link Attributes#modified}, {@link Attributes#accessed} and {@link
   * Attributes#changed}, which become now.
   *
   * @throws NotAFileException if the path is a directory
   * @throws NotADirectoryException if a parent is not one
   * @throws EntryExistsException with {@link WriteOption#CREATE_NEW}, if something is there
   * @throws NoSuchEntryException with {@link WriteOption#MUST_EXIST}, if nothing is there
   */
  void write(String path, byte[] content, @Nullable Attributes attributes, WriteOption... options)
      throws IOException;

  /**
   * Writes a whole file from a stream, read to its end but not closed, in bounded memory. If the
   * stream throws, that exception goes on and nothing is written.
   */
  void write(
      String path, InputStream content, @Nullable Attributes attributes, WriteOption... options)
      throws IOException;

  /**
   * Makes a symbolic link, replacing a file or link at the path; the target, 1 to 4,096 bytes of
   * UTF-8 without NUL, is kept as it is.
   *
   * @throws InvalidPathException also for a target that no link has
   */
  void createSymbolicLink(
      String path, String target, @Nullable Attributes attributes, WriteOption... options)
      throws IOException;

  /** Makes a directory and its parents; an existing one is left as it is. */
  void createDirectories(String path) throws IOException;

  /**
   * Deletes a file, a link or an empty directory.
   *
   * @throws NoSuchEntryException if nothing is there
   * @throws DirectoryNotEmptyException if the directory has children
   */
  void delete(String path) throws IOException;

  /**
   * Deletes whatever is at a path and below it, at once. The root itself stays.
   *
   * @throws NoSuchEntryException if nothing is there
   */
  void deleteRecursively(String path) throws IOException;

  /**
   * Moves a file, a link or a directory with all below it, at once, without touching content.
   *
   * @throws NoSuchEntryException if nothing is at {@code from}
   * @throws EntryExistsException if something is at {@code to}, unless {@link WriteOption#REPLACE}
   * @throws DirectoryNotEmptyException if a directory to be replaced has children
   * @throws InvalidPathException if {@code to} lies below {@code from}
   */
  void move(String from, String to, WriteOption... options) throws IOException;

  /**
   * Copies a file, a link or a directory with all below it, at once; content is shared or copied as
   * it is packed. Throws as {@link #move} does.
   */
  void copy(String from, String to, WriteOption... options) throws IOException;

  /**
   * Replaces the attributes of a path. {@link Attributes#changed} is taken as given.
   *
   * @throws NoSuchEntryException if nothing is there, unless it is the root
   */
  void setAttributes(String path, Attributes attributes) throws IOException;
}
