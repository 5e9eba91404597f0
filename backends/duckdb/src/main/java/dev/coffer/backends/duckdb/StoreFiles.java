package dev.coffer.backends.duckdb;

import dev.coffer.vfs.StoreBackendException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** The files around a store: its own, DuckDB's logs beside it, and one under construction. */
final class StoreFiles {
  private static final String LOG = ".wal";
  private static final List<String> LOG_STAGES = List.of("", ".checkpoint", ".recovery");

  private final Path file;

  StoreFiles(Path file) {
    this.file = file;
  }

  Path file() {
    return file;
  }

  /** Where a new database is made before it takes the store's name. */
  Path side() {
    return file.resolveSibling("." + file.getFileName() + ".new");
  }

  /** Everything an instance may open, as DuckDB will name it. */
  List<String> reachable() {
    List<String> names = new ArrayList<>();
    for (Path path : List.of(file, side())) {
      names.add(path.toString());
      logs(path).forEach(log -> names.add(log.toString()));
    }
    return names;
  }

  /** The length of the store's file alone, in bytes; looks, and opens nothing. */
  long length() throws StoreBackendException {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new StoreBackendException("cannot look at the store's file: store=" + file, e);
    }
  }

  /** Whether a log is left, so that opening would have to recover. */
  boolean hasLog() {
    return logs(file).stream().anyMatch(Files::exists);
  }

  /**
   * The names a database's log may have. DuckDB takes what follows a question mark for parameters
   * and puts the log's suffix before it.
   */
  private static List<Path> logs(Path path) {
    String name = path.toString();
    int question = name.indexOf('?');
    List<Path> logs = new ArrayList<>();
    for (String stage : LOG_STAGES) {
      logs.add(Path.of(name + LOG + stage));
      if (question >= 0) {
        String head = name.substring(0, question);
        String tail = name.substring(question);
        logs.add(Path.of(head + LOG + stage + tail));
        logs.add(Path.of(head + LOG + tail + stage));
      }
    }
    return logs;
  }

  /** Deletes what an interrupted creation or compaction left. */
  void deleteSide() throws StoreBackendException {
    try {
      Files.deleteIfExists(side());
      for (Path log : logs(side())) {
        Files.deleteIfExists(log);
      }
    } catch (IOException e) {
      throw new StoreBackendException("cannot delete an unfinished file: file=" + side(), e);
    }
  }

  /** Forces the finished side file and puts it in the store's place, at once. */
  void promoteSide() throws StoreBackendException {
    try {
      force(side());
      Files.move(side(), file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      Path folder = file.getParent();
      if (folder != null) {
        force(folder);
      }
    } catch (IOException e) {
      throw new StoreBackendException("cannot put a new file in place: store=" + file, e);
    }
  }

  /** An interrupt closes the channel, not the file: then the force is made again. */
  private static void force(Path path) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
          channel.force(true);
          return;
        } catch (ClosedByInterruptException e) {
          interrupted |= Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Bytes of the store's file and its logs; looks, and opens nothing. */
  long bytes() throws StoreBackendException {
    try {
      long total = Files.size(file);
      for (Path log : logs(file)) {
        total += sizeOrZero(log);
      }
      return total;
    } catch (IOException e) {
      throw new StoreBackendException("cannot look at the store's file: store=" + file, e);
    }
  }

  long logBytes() {
    return sizeOrZero(logs(file).get(0))
        + (logs(file).size() > 3 ? sizeOrZero(logs(file).get(1)) : 0);
  }

  private static long sizeOrZero(Path path) {
    try {
      return Files.exists(path) ? Files.size(path) : 0;
    } catch (IOException e) {
      return 0; // It was deleted between the two calls, as logs are.
    }
  }

  /** Free bytes where the store is; the most there can be if that is not known. */
  long usableBytes() {
    try {
      return Files.getFileStore(file).getUsableSpace();
    } catch (IOException e) {
      return Long.MAX_VALUE;
    }
  }
}
