package dev.coffer.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Makes trees on disk, and tells what is in them. */
final class Trees {
  private Trees() {}

  static Path file(Path folder, String name, String content) throws IOException {
    return file(folder, name, content.getBytes(StandardCharsets.UTF_8));
  }

  static Path file(Path folder, String name, byte[] content) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.write(file, content);
  }

  static void set(Path path, String permissions, Instant modified) throws IOException {
    if (permissions != null) {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }
    Files.getFileAttributeView(path, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .setTimes(FileTime.from(modified), null, null);
  }

  static byte[] random(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /** Makes one of everything that a tree may have, with names that break careless tools. */
  static Path odd(Path folder) throws IOException {
    Files.createDirectories(folder);
    Instant time = Instant.parse("2001-02-03T04:05:06.123456789Z");
    String[] names = {
      "plain.txt",
      "with space",
      " leading and trailing ",
      "quote'\"`$(id)",
      "new\nline",
      "tab\tand\u001b[31mescape",
      "--leading-dashes",
      "-C",
      "@at",
      "back\\slash",
      "NFC-\u00e9",
      "NFD-e\u0301",
      "case",
      "CASE",
      "emoji-\ud83d\ude80",
      "star*?[x]",
      "a:b",
      "CON",
      "dot.",
      "...",
      "\u00fc".repeat(127) + "x",
      "x".repeat(255),
    };
    int i = 0;
    for (String name : names) {
      Path file = file(folder, name, "content of " + name);
      set(file, null, time.plusNanos(i++));
    }
    for (int mode = 0; mode < 01000; mode += 037) {
      Path file = file(folder, "modes/" + Integer.toOctalString(mode), "m");
      set(file, null, time);
      Files.setPosixFilePermissions(file, Modes.permissions(mode | 0400));
    }
    Files.createDirectories(folder.resolve("empty/inside"));
    set(folder.resolve("empty/inside"), "rwx------", time.plusNanos(7));
    set(folder.resolve("empty"), "r-xr-x---", time.plusNanos(8));
    file(folder, "nothing", "");
    file(folder, "sub/large", random(1, 3_000_000));
    file(folder, "sub/zeros", new byte[2_000_000]);
    file(folder, "sub-a/x", "between sub and sub/ in a careless order");
    link(folder.resolve("link"), "plain.txt", time);
    link(folder.resolve("dangling"), "no/such\nthing", time);
    link(folder.resolve("sub/up"), "../with space", time);
    link(folder.resolve("outward"), "/etc/passwd", time);
    set(folder.resolve("sub"), "rwxr-x--x", time.plusNanos(9));
    set(folder.resolve("modes"), "rwxrwxrwx", Instant.parse("1969-12-31T23:59:59.5Z"));
    return folder;
  }

  private static void link(Path link, String target, Instant time) throws IOException {
    Files.createSymbolicLink(link, Path.of(target));
    // JDK 17 sets times of links in microseconds only.
    set(link, null, time.truncatedTo(ChronoUnit.MICROS));
  }

  /** Everything below a folder by relative path, with all that has to survive. */
  static Map<String, String> describe(Path folder) throws IOException {
    Map<String, String> all = new TreeMap<>();
    try (Stream<Path> walk = Files.walk(folder)) {
      for (Path path : (Iterable<Path>) walk::iterator) {
        if (!path.equals(folder)) {
          all.put(folder.relativize(path).toString(), describeOne(path));
        }
      }
    }
    return all;
  }

  private static String describeOne(Path path) throws IOException {
    PosixFileAttributes attributes =
        Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    String common =
        PosixFilePermissions.toString(attributes.permissions())
            + " "
            + attributes.lastModifiedTime().toInstant();
    if (attributes.isSymbolicLink()) {
      return "link " + common + " -> " + Files.readSymbolicLink(path);
    }
    if (attributes.isDirectory()) {
      return "folder " + common;
    }
    byte[] content = Files.readAllBytes(path);
    return "file " + common + " " + content.length + " " + Arrays.hashCode(content);
  }
}
