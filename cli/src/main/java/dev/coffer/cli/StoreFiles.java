package dev.coffer.cli;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells the files of the store being written from those to be packed, should it lie among them.
 *
 * @param folderKey the file key of the folder the store is in
 * @param names the names the store's files have or may come to have
 */
record StoreFiles(@Nullable Object folderKey, Set<String> names) {

  /** What a folder store and the folder of its index hold. */
  private static final String STORE_FILES =
      "{manifest-*,segment-*,part-*,root,root.new,lock,reserve}";

  static StoreFiles of(Path file) throws IOException {
    Path real = file.toRealPath();
    Path folder = Objects.requireNonNull(real.getParent());
    String name = Objects.requireNonNull(real.getFileName()).toString();
    Object key = Files.readAttributes(folder, BasicFileAttributes.class).fileKey();
    return new StoreFiles(
        key,
        Set.of(
            name,
            "." + name + ".lock",
            "." + name + ".new",
            "." + name + ".draft",
            "." + name + ".index",
            "." + name + ".reserve",
            name + "-wal",
            name + "-shm",
            name + "-journal",
            name + ".wal",
            name + ".tmp"));
  }

  /**
   * Deletes a store that is closed. The lock's own file, where it is beside the store, stays:
   * another process may wait for it.
   *
   * @throws IOException if a file could not be deleted; those after it are left then
   */
  static void delete(Path file) throws IOException {
    Path real = Files.exists(file) ? file.toRealPath() : file;
    if (Files.isDirectory(real)) {
      deleteFolder(real);
      return;
    }
    for (String suffix : List.of("-wal", "-shm", "-journal", ".wal", "")) {
      Files.deleteIfExists(Path.of(real + suffix));
    }
  }

  /** Takes a folder store away at once, then its files; files that are not the store's stay. */
  private static void deleteFolder(Path folder) throws IOException {
    Path gone = folder.resolveSibling("." + folder.getFileName() + ".deleted");
    Files.move(folder, gone, StandardCopyOption.ATOMIC_MOVE);
    for (String part : List.of("index", "")) {
      Path holder = gone.resolve(part);
      if (Files.isDirectory(holder)) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(holder, STORE_FILES)) {
          for (Path each : files) {
            Files.delete(each);
          }
        }
        Files.delete(holder);
      }
    }
  }

  boolean contains(FileMeta folder, String name) {
    return names.contains(name) && folderKey != null && folderKey.equals(folder.key());
  }
}
