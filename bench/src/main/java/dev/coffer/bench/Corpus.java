package dev.coffer.bench;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Gathers the text that values are slices of into one file. */
final class Corpus {
  private static final long MAX_BYTES = 64L * 1024 * 1024;

  private Corpus() {}

  /** Joins the files of a folder, in the order of their names, to {@code file}. */
  static Path gather(Path folder, Path file) throws IOException {
    List<Path> sources;
    try (Stream<Path> files = Files.walk(folder)) {
      sources = files.filter(Corpus::isText).sorted().toList();
    }
    long bytes = 0;
    try (OutputStream out = Files.newOutputStream(file)) {
      for (Path source : sources) {
        if (bytes < MAX_BYTES) {
          bytes += Files.copy(source, out);
        }
      }
    }
    if (bytes < 64 * 1024) {
      throw new IOException("corpus is too small: bytes=" + bytes + " folder=" + folder);
    }
    return file;
  }

  private static boolean isText(Path file) {
    String name = file.getFileName().toString();
    return Files.isRegularFile(file)
        && (name.endsWith(".java") || name.endsWith(".md") || name.endsWith(".txt"))
        && !file.toString().contains("/target/");
  }
}
