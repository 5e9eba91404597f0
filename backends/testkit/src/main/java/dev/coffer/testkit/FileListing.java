package dev.coffer.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/** What lies in a folder of the host. */
final class FileListing {
  private FileListing() {}

  /** The names in a folder, but for the side files of locks, which stay behind on purpose. */
  static List<String> withoutLocks(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> !(name.startsWith(".") && name.endsWith(".lock")))
          .sorted()
          .toList();
    }
  }

  /** Everything below a folder with its size, time and checksum, to be compared later. */
  static SortedMap<String, String> fingerprint(Path folder) throws IOException {
    SortedMap<String, String> found = new TreeMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      files.forEach(file -> found.put(folder.relativize(file).toString(), describe(file)));
    }
    return found;
  }

  private static String describe(Path file) {
    try {
      String time = Files.getLastModifiedTime(file).toString();
      if (Files.isDirectory(file)) {
        return "directory modified=" + time;
      }
      byte[] bytes = Files.readAllBytes(file);
      CRC32C checksum = new CRC32C();
      checksum.update(bytes);
      return "length=" + bytes.length + " modified=" + time + " crc=" + checksum.getValue();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
