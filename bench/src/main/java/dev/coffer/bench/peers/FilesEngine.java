package dev.coffer.bench.peers;

import dev.coffer.vfs.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A file a value, replaced by rename so that each is whole; with SYNC each file is forced before it
 * is renamed and its folder after the batch. A batch is not atomic.
 */
final class FilesEngine implements Engine {
  private final Path top;
  private final boolean forces;
  private final Set<Path> folders = ConcurrentHashMap.newKeySet();

  FilesEngine(Path directory, EngineOptions options) throws IOException {
    this.top = Files.createDirectories(directory.resolve("files"));
    this.forces = options.durability() == Durability.SYNC;
  }

  private Path path(String key) {
    return top.resolve(key.substring(1));
  }

  private Path folder(Path file) {
    Path folder = file.getParent();
    return folder == null ? top : folder;
  }

  @Override
  public void write(String[] keys, byte[][] values) throws IOException {
    Set<Path> touched = new LinkedHashSet<>();
    for (int i = 0; i < keys.length; i++) {
      Path file = path(keys[i]);
      Path folder = folder(file);
      if (folders.add(folder) && !Files.exists(folder)) {
        Files.createDirectories(folder);
        touched.add(top);
      }
      Path fresh = folder.resolve("new-" + Thread.currentThread().getId());
      try (FileChannel channel =
          FileChannel.open(fresh, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        ByteBuffer value = ByteBuffer.wrap(values[i]);
        while (value.hasRemaining()) {
          channel.write(value);
        }
        if (forces) {
          channel.force(false);
        }
      }
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
      touched.add(folder);
    }
    forceFolders(touched);
  }

  private void forceFolders(Set<Path> touched) throws IOException {
    for (Path folder : forces ? touched : Set.<Path>of()) {
      try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  @Override
  public byte @Nullable [] get(String key) throws IOException {
    try {
      return Files.readAllBytes(path(key));
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /** From the first key on only: a folder has no order that one could seek in. */
  @Override
  public int scan(@Nullable String from, int limit, BiConsumer<String, byte[]> rows)
      throws IOException {
    if (from != null) {
      throw new UnsupportedOperationException("files cannot be scanned from a key on");
    }
    int count = 0;
    for (Path folder : listed(top)) {
      for (Path file : listed(folder)) {
        if (count == limit) {
          return count;
        }
        rows.accept("/" + top.relativize(file), Files.readAllBytes(file));
        count++;
      }
    }
    return count;
  }

  private static List<Path> listed(Path folder) throws IOException {
    try (Stream<Path> children = Files.list(folder)) {
      return children.sorted().toList();
    }
  }

  @Override
  public void delete(String[] keys) throws IOException {
    Set<Path> touched = new LinkedHashSet<>();
    for (String key : keys) {
      Path file = path(key);
      Files.delete(file);
      touched.add(folder(file));
    }
    forceFolders(touched);
  }

  @Override
  public long count() throws IOException {
    try (Stream<Path> files = Files.walk(top)) {
      return files.filter(Files::isRegularFile).count();
    }
  }

  @Override
  public void compact() {}

  @Override
  public void close() {}
}
