package dev.coffer.bench.peers;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's zip file system. It writes its file when it is closed, all of it anew, so that batches
 * are neither atomic nor durable; closing forces.
 */
final class ZipEngine implements Engine {
  private final Path file;
  private final boolean readOnly;
  private final FileSystem zip;

  ZipEngine(Path directory, EngineOptions options) throws IOException {
    this.file = directory.resolve("peer.zip");
    this.readOnly = options.readOnly();
    this.zip = FileSystems.newFileSystem(file, Map.of("create", options.create()));
  }

  @Override
  public void write(String[] keys, byte[][] values) throws IOException {
    for (int i = 0; i < keys.length; i++) {
      Path path = zip.getPath(keys[i]);
      Path folder = path.getParent();
      if (!Files.exists(folder)) {
        Files.createDirectories(folder);
      }
      Files.write(path, values[i]);
    }
  }

  @Override
  public byte @Nullable [] get(String key) throws IOException {
    try {
      return Files.readAllBytes(zip.getPath(key));
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  @Override
  public int scan(@Nullable String from, int limit, BiConsumer<String, byte[]> rows) {
    throw new UnsupportedOperationException("zipfs has no order");
  }

  @Override
  public void delete(String[] keys) throws IOException {
    for (String key : keys) {
      Files.delete(zip.getPath(key));
    }
  }

  @Override
  public long count() throws IOException {
    try (Stream<Path> files = Files.walk(zip.getPath("/"))) {
      return files.filter(Files::isRegularFile).count();
    }
  }

  /** Closing writes what is there and nothing else. */
  @Override
  public void compact() {}

  @Override
  public void close() throws IOException {
    zip.close();
    if (!readOnly) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
    }
  }
}
