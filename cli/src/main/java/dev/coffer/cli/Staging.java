package dev.coffer.cli;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A private folder inside the target of an extraction. Everything is made in here, where no link
 * from elsewhere can lead astray, gets its time and permissions, and is then renamed into its
 * place: whole or not at all, and over a link rather than through it. Thread-safe.
 */
final class Staging implements Closeable {
  private static final int PRIVATE_MODE = 0700;
  private static final int OWNER_READ = 0400;

  private final Path path;
  private final Folder folder;
  private final int umask;
  private final AtomicLong next = new AtomicLong();
  private final Thread cleaner = new Thread(this::deleteAll, "coffer-clean");

  private Staging(Path path, Folder folder, int umask) {
    this.path = path;
    this.folder = folder;
    this.umask = umask;
  }

  static Staging in(Path target) throws IOException {
    Path path = Files.createTempDirectory(target, ".coffer-");
    Folder folder = Folder.open(path);
    Staging probe = new Staging(path, folder, 0);
    String name = probe.newName();
    folder.create(name, 0777).close();
    Staging staging = new Staging(path, folder, 0777 & ~folder.stat(name).mode());
    folder.delete(name);
    Runtime.getRuntime().addShutdownHook(staging.cleaner);
    return staging;
  }

  /** Which names the file system here can tell apart. */
  TargetNames names() throws IOException {
    boolean ignoresCase = sameName("coffer-a", "COFFER-A");
    boolean ignoresForm = sameName("coffer-\u00e9", "coffer-e\u0301");
    boolean windows = path.getFileSystem().getSeparator().equals("\\");
    return new TargetNames(path.getFileSystem(), windows, ignoresCase, ignoresForm);
  }

  private boolean sameName(String one, String other) throws IOException {
    folder.create(one, PRIVATE_MODE).close();
    boolean same = folder.find(other) != null;
    folder.delete(one);
    return same;
  }

  /** Makes a file and moves it into place, over a file or link that may be there. */
  void placeFile(Folder parent, String name, InputStream content, FileMeta meta)
      throws IOException {
    requireNoFolder(parent, name);
    String temporary = newName();
    try {
      write(temporary, content, meta);
      folder.move(temporary, parent, name);
    } catch (IOException | RuntimeException | Error e) {
      Files.deleteIfExists(path.resolve(temporary));
      throw e;
    }
  }

  private void write(String name, InputStream content, FileMeta meta) throws IOException {
    boolean direct = (meta.mode() & umask) == 0 && (meta.mode() & OWNER_READ) != 0;
    try (SeekableByteChannel channel = folder.create(name, direct ? meta.mode() : 0600);
        OutputStream out = Channels.newOutputStream(channel)) {
      content.transferTo(out);
    }
    Path file = path.resolve(name);
    setModified(file, meta.modified());
    if (!direct) {
      Files.setPosixFilePermissions(file, Modes.permissions(meta.mode()));
    }
  }

  /**
   * Makes a link and moves it into place, over a file or link that may be there.
   *
   * @return the target it has: Java cannot make one with doubled slashes or one at the end
   */
  String placeLink(Folder parent, String name, String target, Instant modified) throws IOException {
    requireNoFolder(parent, name);
    String temporary = newName();
    Path link = path.resolve(temporary);
    Path made = path.getFileSystem().getPath(target);
    Files.createSymbolicLink(link, made);
    try {
      setModified(link, modified);
      folder.move(temporary, parent, name);
      return made.toString();
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(link);
      throw e;
    }
  }

  /**
   * Makes a folder, which only its owner may use for now, unless there is one; replaces a link.
   *
   * @return whether it was made
   */
  boolean placeFolder(Folder parent, String name) throws IOException {
    FileMeta there = parent.find(name);
    if (there != null && there.kind() == FileMeta.Kind.FOLDER) {
      return false;
    }
    if (there != null) {
      if (there.kind() != FileMeta.Kind.LINK) {
        throw new FileSystemException(name, null, "a file is where a folder has to be");
      }
      parent.delete(name);
    }
    String temporary = newName();
    Path made = path.resolve(temporary);
    Files.createDirectory(
        made, PosixFilePermissions.asFileAttribute(Modes.permissions(PRIVATE_MODE)));
    try {
      folder.move(temporary, parent, name);
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(made);
      throw e;
    }
    return true;
  }

  private static void requireNoFolder(Folder parent, String name) throws IOException {
    FileMeta there = parent.find(name);
    if (there != null && there.kind() == FileMeta.Kind.FOLDER) {
      throw new FileSystemException(name, null, "a folder is already there");
    }
  }

  private static void setModified(Path file, Instant time) throws IOException {
    ModifiedTime.set(
        Files.getFileAttributeView(file, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS),
        time);
  }

  private String newName() {
    return "n" + next.incrementAndGet();
  }

  private void deleteAll() {
    try (DirectoryStream<Path> left = Files.newDirectoryStream(path)) {
      for (Path file : left) {
        Files.deleteIfExists(path.resolve(Objects.requireNonNull(file.getFileName())));
      }
      Files.deleteIfExists(path);
    } catch (IOException e) {
      // What is left is a hidden folder of temporary names; nothing else is harmed.
      return;
    }
  }

  @Override
  public void close() throws IOException {
    folder.close();
    deleteAll();
    try {
      Runtime.getRuntime().removeShutdownHook(cleaner);
    } catch (IllegalStateException e) {
      // Already shutting down; the hook finds nothing left.
      return;
    }
  }
}
