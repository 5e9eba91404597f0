package dev.coffer.vfs.internal;

import dev.coffer.vfs.Layout;
import dev.coffer.vfs.NotAStoreException;
import dev.coffer.vfs.StoreBackendException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreExistsException;
import dev.coffer.vfs.StoreLockedException;
import dev.coffer.vfs.StoreNotFoundException;
import dev.coffer.vfs.StoreOptions;
import dev.coffer.vfs.VirtualFileStore;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.BackendOptions;
import dev.coffer.vfs.spi.BackendOptions.Creation;
import dev.coffer.vfs.spi.BackendProvider;
import dev.coffer.vfs.spi.EntryReader;
import dev.coffer.vfs.spi.StoreLock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** Finds the backend for a file, from its content or by name, and opens the store over it. */
public final class StoreOpener {
  private StoreOpener() {}

  /** Opens an existing store. */
  public static VirtualFileStore open(Path file, StoreOptions options) throws IOException {
    Path real = realPath(file);
    if (!Files.exists(real)) {
      throw new StoreNotFoundException("no store is there: file=" + file);
    }
    return open(real, recognize(real, options), Creation.NEVER, options);
  }

  /** Creates a store. */
  public static VirtualFileStore create(Path file, StoreOptions options) throws IOException {
    Path real = realPath(file);
    if (Files.exists(real, LinkOption.NOFOLLOW_LINKS)) {
      throw new StoreExistsException("something is there already: file=" + file);
    }
    return open(real, byName(options.backend()), Creation.ALWAYS, options);
  }

  /** Opens a store, or creates it if there is none. */
  public static VirtualFileStore openOrCreate(Path file, StoreOptions options) throws IOException {
    Path real = realPath(file);
    if (Files.exists(real)) {
      return open(real, recognize(real, options), Creation.NEVER, options);
    }
    if (Files.isSymbolicLink(real)) {
      throw new StoreNotFoundException("store is a link to nothing: file=" + file);
    }
    return open(real, byName(options.backend()), Creation.IF_MISSING, options);
  }

  /** A store in memory. */
  public static VirtualFileStore inMemory(StoreOptions options) throws IOException {
    if (options.layout() != Layout.FILE) {
      throw new StoreBackendException(
          "a store in memory has no layout: layout=" + options.layout());
    }
    return over(new MemoryBackend(), options, "memory");
  }

  /** Writes what a reader sees into a sealed store. */
  static void seal(EntryReader source, Path file) throws StoreException {
    byName(StoreOptions.DEFAULT.backend()).seal(source, file);
  }

  private static VirtualFileStore open(
      Path real, BackendProvider provider, Creation creation, StoreOptions options)
      throws StoreException {
    if (creation != Creation.NEVER && !provider.makes(options.layout())) {
      throw new StoreBackendException(
          "backend does not make stores of this layout: backend="
              + provider.name()
              + " layout="
              + options.layout());
    }
    BackendOptions opening = new BackendOptions(creation, options.layout(), options.readOnly());
    Backend backend = provider.open(real, opening);
    return over(backend, options, real.toString());
  }

  private static VirtualFileStore over(Backend backend, StoreOptions options, String file)
      throws StoreException {
    boolean opened = false;
    try {
      StoreCodecs codecs = new StoreCodecs(options.level());
      if (!backend.isReadOnly()) {
        codecs.get(); // What cannot be packed is better refused now than at the first write.
      }
      Store store = new Store(backend, options, codecs, file, Clock.systemUTC());
      opened = true;
      return store;
    } finally {
      if (!opened) {
        backend.close();
      }
    }
  }

  /**
   * The file itself where it exists, or its name in the real folder it is to be made in; so that
   * one store has one name, whatever links lead to it.
   */
  private static Path realPath(Path file) throws StoreException {
    try {
      if (Files.exists(file)) {
        return file.toRealPath();
      }
      Path absolute = file.toAbsolutePath().normalize();
      Path parent = absolute.getParent();
      if (parent == null || !Files.isDirectory(parent)) {
        throw new StoreNotFoundException("folder of the store does not exist: file=" + file);
      }
      return parent.toRealPath().resolve(absolute.getFileName());
    } catch (StoreException e) {
      throw e;
    } catch (IOException e) {
      throw new StoreBackendException("cannot find the store's file: file=" + file, e);
    }
  }

  private static BackendProvider recognize(Path real, StoreOptions options) throws StoreException {
    boolean folder = Files.isDirectory(real);
    if (!folder && !Files.isRegularFile(real)) {
      throw new NotAStoreException("a store is a regular file or a folder: file=" + real);
    }
    String holder = StoreLock.heldHereBy(real);
    if (holder != null) {
      if (!options.readOnly()) {
        throw new StoreLockedException("store is open for writing: by=this process file=" + real);
      }
      // Even to look into the file would drop the locks a database in this process has on it.
      return byName(holder);
    }
    ByteBuffer head = folder ? ByteBuffer.allocate(0) : head(real);
    for (BackendProvider provider : providers()) {
      if (folder ? provider.recognizesFolder(real) : provider.recognizes(head.asReadOnlyBuffer())) {
        return provider;
      }
    }
    throw new NotAStoreException(
        (folder ? "folder" : "file")
            + " is no store of an installed backend: file="
            + real
            + " installed="
            + names());
  }

  private static ByteBuffer head(Path real) throws StoreException {
    ByteBuffer head = ByteBuffer.allocate(BackendProvider.HEAD_LENGTH);
    try (SeekableByteChannel channel = Files.newByteChannel(real)) {
      while (head.hasRemaining() && channel.read(head) >= 0) {
        // A short read is no end of file.
      }
    } catch (IOException e) {
      throw new StoreBackendException("cannot read the store's file: file=" + real, e);
    }
    return head.flip();
  }

  private static BackendProvider byName(String name) throws StoreException {
    for (BackendProvider provider : providers()) {
      if (provider.name().equals(name)) {
        return provider;
      }
    }
    throw new StoreBackendException(
        "no such backend is installed: backend=" + name + " installed=" + names());
  }

  private static List<String> names() {
    List<String> names = new ArrayList<>();
    providers().forEach(provider -> names.add(provider.name()));
    return names;
  }

  /** Found beside this class, so that it works where the thread's context loader sees nothing. */
  private static Iterable<BackendProvider> providers() {
    return ServiceLoader.load(BackendProvider.class, BackendProvider.class.getClassLoader());
  }
}
