package dev.coffer.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file so deep that its absolute path is too long for the system. */
final class Deep {
  private Deep() {}

  static void make(Path folder, int levels, int nameLength, String file) throws IOException {
    Path staging = Files.createTempDirectory(folder.getParent(), "deep");
    Files.createDirectory(staging.resolve("inner"));
    try (Folder inner = Folder.open(staging.resolve("inner"));
        SeekableByteChannel channel = inner.create(file, 0644)) {
      channel.write(ByteBuffer.wrap("deep".getBytes(StandardCharsets.UTF_8)));
    }
    // Wrapped from the inside out, each step moves a folder by a short path.
    for (int level = levels; level > 0; level--) {
      Path outer = Files.createDirectory(staging.resolve("outer"));
      Files.move(staging.resolve("inner"), outer.resolve(name(level, nameLength)));
      Files.move(outer, staging.resolve("inner"));
    }
    Files.move(
        staging.resolve("inner").resolve(name(1, nameLength)), folder.resolve(name(1, nameLength)));
    Files.delete(staging.resolve("inner"));
    Files.delete(staging);
  }

  static String read(Path folder, int levels, int nameLength, String file) throws IOException {
    try (Folder root = Folder.open(folder);
        FolderStack stack = new FolderStack(root)) {
      StringBuilder path = new StringBuilder();
      for (int level = 1; level <= levels; level++) {
        path.append('/').append(name(level, nameLength));
      }
      ByteBuffer content = ByteBuffer.allocate(100);
      try (SeekableByteChannel channel = stack.open(path.toString()).read(file)) {
        channel.read(content);
      }
      return new String(content.array(), 0, content.position(), StandardCharsets.UTF_8);
    }
  }

  /** Deletes it, which not even the test framework can. */
  static void delete(Path folder, int levels, int nameLength, String file) throws IOException {
    Path staging = Files.createTempDirectory(folder.getParent(), "deep");
    Path top = Files.move(folder.resolve(name(1, nameLength)), staging.resolve("0"));
    for (int level = 2; level <= levels; level++) {
      Path inner =
          Files.move(top.resolve(name(level, nameLength)), staging.resolve("level" + level));
      Files.delete(top);
      top = inner;
    }
    Files.delete(top.resolve(file));
    Files.delete(top);
    Files.delete(staging);
  }

  private static String name(int level, int length) {
    String number = Integer.toString(level);
    return number + "d".repeat(length - number.length());
  }
}
