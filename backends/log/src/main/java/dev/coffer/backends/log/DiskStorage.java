package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.StoreLock;
import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/** Files of the default file system. */
final class DiskStorage implements Storage {
  private static final boolean WINDOWS =
      System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("windows");

  private final UnsafeMappings unsafe;

  DiskStorage() {
    this(new StoreTypes());
  }

  /**
   * @param types tells the types of file systems
   */
  DiskStorage(UnsafeMappings.Types types) {
    this.unsafe = new UnsafeMappings(types);
  }

  @Override
  public Path realPath(Path file) throws IOException {
    if (Files.exists(file)) {
      return file.toRealPath();
    }
    Path absolute = file.toAbsolutePath().normalize();
    Path parent = absolute.getParent();
    Path name = absolute.getFileName();
    if (parent == null || name == null) {
      throw new NoSuchFileException(file.toString());
    }
    return parent.toRealPath().resolve(name);
  }

  @Override
  public boolean exists(Path file) {
    return Files.exists(file);
  }

  @Override
  public boolean isDirectory(Path file) {
    return Files.isDirectory(file);
  }

  @Override
  public OpenFile open(Path file, boolean writable) throws IOException {
    if (writable) {
      return open(file, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
    }
    Object key = DiskFile.keyOf(file);
    AsynchronousFileChannel waiting = LockedFiles.reuse(key, AsynchronousFileChannel.class);
    return waiting == null
        ? open(file, Set.of(StandardOpenOption.READ))
        : new DiskFile(file, waiting, key, unsafe);
  }

  @Override
  public OpenFile create(Path file) throws IOException {
    return open(
        file,
        Set.of(
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING));
  }

  private OpenFile open(Path file, Set<? extends OpenOption> options) throws IOException {
    AsynchronousFileChannel channel =
        AsynchronousFileChannel.open(file, options, SameThread.EXECUTOR);
    return new DiskFile(file, channel, DiskFile.keyOf(file), unsafe);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      throw new IOException("file system cannot replace a file in one step: file=" + to, e);
    }
  }

  @Override
  public void link(Path file, Path second) throws IOException {
    try {
      Files.createLink(second, file);
    } catch (UnsupportedOperationException e) {
      throw new IOException("file system has no hard links: file=" + second, e);
    }
  }

  @Override
  public List<Path> list(Path folder) throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      entries.forEach(found::add);
    } catch (NoSuchFileException | NotDirectoryException e) {
      return List.of();
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return found;
  }

  @Override
  public void createFolder(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectory(folder);
    }
  }

  @Override
  public void delete(Path file) throws IOException {
    Files.deleteIfExists(file);
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
    if (WINDOWS) {
      return; // A folder cannot be opened there; NTFS journals names in order.
    }
    try (AsynchronousFileChannel channel =
        AsynchronousFileChannel.open(
            directory, Set.of(StandardOpenOption.READ), SameThread.EXECUTOR)) {
      channel.force(true);
    }
  }

  @Override
  public long usableBytes(Path file) {
    try {
      return Files.getFileStore(file).getUsableSpace();
    } catch (IOException e) {
      return -1;
    }
  }

  @Override
  public Lock lock(Path file) throws StoreException {
    return lock(StoreLock.acquire(file, LogProvider.NAME));
  }

  @Override
  public Lock lockDraft(Path store, Path draft) throws StoreException {
    return lock(StoreLock.acquireDraft(store, draft, LogProvider.NAME));
  }

  private static Lock lock(StoreLock lock) {
    return new Lock() {
      @Override
      public void covers(Path dataFile) throws StoreException {
        lock.covers(dataFile);
      }

      @Override
      public void close() {
        lock.close();
      }
    };
  }

  /** As the JDK tells them. */
  private static final class StoreTypes implements UnsafeMappings.Types {
    @Override
    public String typeOf(Path file) throws IOException {
      return Files.getFileStore(file).type();
    }
  }

  /** Runs what it is given at once, so that asynchronous I/O is synchronous I/O. */
  private static final class SameThread extends AbstractExecutorService {
    static final ExecutorService EXECUTOR = new SameThread();

    @Override
    public void execute(Runnable command) {
      command.run();
    }

    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public boolean isTerminated() {
      return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return false;
    }
  }
}
