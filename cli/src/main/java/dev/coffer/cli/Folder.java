package dev.coffer.cli;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An open folder on disk. Whatever is done by name is done relative to the open folder and without
 * following links, so it does not matter what happens to the path that led here; paths longer than
 * the system takes at once are no trouble either.
 *
 * <p>Shared by counting: it starts with one holder, and closes when the last lets go. Thread-safe.
 */
final class Folder implements Closeable {
  private final SecureDirectoryStream<Path> stream;
  private final Path path;
  private final AtomicInteger holders = new AtomicInteger(1);

  private Folder(DirectoryStream<Path> stream, Path path) throws IOException {
    if (!(stream instanceof SecureDirectoryStream<Path> secure)) {
      stream.close();
      throw new FileSystemException(path.toString(), null, "cannot work relative to open folders");
    }
    this.stream = secure;
    this.path = path;
  }

  /** Opens a folder by path, following links. */
  @SuppressWarnings("StreamResourceLeak") // The folder keeps and closes it.
  static Folder open(Path path) throws IOException {
    return new Folder(Files.newDirectoryStream(path), path);
  }

  /** Opens a folder in this one. */
  Folder open(String name) throws IOException {
    Path element = element(name);
    return new Folder(
        stream.newDirectoryStream(element, LinkOption.NOFOLLOW_LINKS), path.resolve(element));
  }

  /** The path that led here, for messages and for what can only be done by path. */
  Path path() {
    return path;
  }

  Path element(String name) {
    return path.getFileSystem().getPath(name);
  }

  /** The last elements of the paths of all children, in no order. May be called once. */
  List<Path> children() throws IOException {
    List<Path> names = new ArrayList<>();
    try {
      for (Path child : stream) {
        names.add(Objects.requireNonNull(child.getFileName()));
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return names;
  }

  /** What this folder itself is. */
  FileMeta stat() throws IOException {
    return FileMeta.of(stream.getFileAttributeView(PosixFileAttributeView.class).readAttributes());
  }

  FileMeta stat(String name) throws IOException {
    return FileMeta.of(view(name).readAttributes());
  }

  /** What a name stands for, or null if for nothing. */
  @Nullable FileMeta find(String name) throws IOException {
    try {
      return stat(name);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private PosixFileAttributeView view(String name) {
    return stream.getFileAttributeView(
        element(name), PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
  }

  SeekableByteChannel read(String name) throws IOException {
    return stream.newByteChannel(
        element(name), Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
  }

  /** Makes a new file for writing; the process's mask takes bits from the mode. */
  SeekableByteChannel create(String name, int mode) throws IOException {
    return stream.newByteChannel(
        element(name),
        Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW, LinkOption.NOFOLLOW_LINKS),
        PosixFilePermissions.asFileAttribute(Modes.permissions(mode)));
  }

  /** The target of a link, as it is. */
  Path readLink(String name) throws IOException {
    return Files.readSymbolicLink(path.resolve(element(name)));
  }

  /** Deletes a file or link. */
  void delete(String name) throws IOException {
    stream.deleteFile(element(name));
  }

  /** Moves a name here to a name in another folder, replacing a file or link there. */
  void move(String name, Folder target, String newName) throws IOException {
    stream.move(element(name), target.stream, element(newName));
  }

  void setMode(int mode) throws IOException {
    stream
        .getFileAttributeView(PosixFileAttributeView.class)
        .setPermissions(Modes.permissions(mode));
  }

  /**
   * Sets this folder's own time of modification; to microseconds only, on JDKs that cannot do
   * better for a folder whose path is too long for the system.
   */
  void setModified(Instant time) throws IOException {
    BasicFileAttributeView own = stream.getFileAttributeView(BasicFileAttributeView.class);
    ModifiedTime.set(own, time);
    if (own.readAttributes().lastModifiedTime().toInstant().equals(time)) {
      return;
    }
    // Some JDKs cut times set through open folders to microseconds, but not those set by path.
    Object key = own.readAttributes().fileKey();
    BasicFileAttributeView named =
        Files.getFileAttributeView(path, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    if (key != null && key.equals(keyByPath(named))) {
      ModifiedTime.set(named, time);
    }
  }

  private static @Nullable Object keyByPath(BasicFileAttributeView view) {
    try {
      return view.readAttributes().fileKey();
    } catch (IOException e) {
      return null;
    }
  }

  Folder hold() {
    holders.incrementAndGet();
    return this;
  }

  /** Lets go of it. */
  @Override
  public void close() throws IOException {
    if (holders.decrementAndGet() == 0) {
      stream.close();
    }
  }
}
