package dev.coffer.cli;

import dev.coffer.vfs.Attributes;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What {@code pack} keeps of a file on disk.
 *
 * @param kind what it is
 * @param length its length in bytes
 * @param mode its permission bits, 0 to 0777
 * @param modified its time of modification
 * @param key what tells it from every other file, if the system knows
 */
record FileMeta(Kind kind, long length, int mode, Instant modified, @Nullable Object key) {

  /** What a name on disk stands for. */
  enum Kind {
    FILE,
    FOLDER,
    LINK,
    OTHER
  }

  static FileMeta of(BasicFileAttributes attributes) {
    Kind kind =
        attributes.isRegularFile()
            ? Kind.FILE
            : attributes.isDirectory()
                ? Kind.FOLDER
                : attributes.isSymbolicLink() ? Kind.LINK : Kind.OTHER;
    int mode =
        attributes instanceof PosixFileAttributes posix
            ? Modes.mode(posix.permissions())
            : kind == Kind.FOLDER ? Attributes.DIRECTORY_MODE : Attributes.FILE_MODE;
    return new FileMeta(
        kind,
        attributes.size(),
        mode,
        attributes.lastModifiedTime().toInstant(),
        attributes.fileKey());
  }

  /** Of a file that content is to be read from; a pipe or device will do, a folder will not. */
  static FileMeta ofFile(Path file) throws IOException {
    FileMeta meta = of(Files.readAttributes(file, PosixFileAttributes.class));
    if (meta.kind == Kind.FOLDER) {
      throw new FileSystemException(file.toString(), null, "is a folder");
    }
    return meta;
  }

  /**
   * As a store keeps them. All times are that of modification: the others change from one copy of a
   * tree to the next, and would make equal trees unequal stores.
   */
  Attributes attributes() {
    return Attributes.of(mode, modified);
  }
}
