package dev.coffer.cli;

import dev.coffer.vfs.spi.EntryKey;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One tree or file to pack.
 *
 * @param base where it is looked for: the current folder, that of {@code -C}, or the root
 * @param path its canonical path in the store, and below the base
 */
record PackSource(Path base, String path) {

  /**
   * Makes sources of arguments, as {@code tar} would: a leading slash, and whatever leads up to the
   * last {@code ..}, is dropped with a note, and what lies below another argument is packed with
   * that.
   *
   * @throws IllegalArgumentException if different arguments have the same place in a store
   */
  static List<PackSource> of(Path base, List<Path> arguments, Console console) {
    List<PackSource> sources = new ArrayList<>();
    Set<String> noted = new HashSet<>();
    for (Path argument : arguments) {
      Path leading = leading(argument);
      String shown = leading.toString();
      if (!shown.isEmpty() && noted.add(shown)) {
        console.note(
            "removing the leading " + shown + (shown.endsWith("/") ? "" : "/") + " from names");
      }
      Path rest = shown.isEmpty() ? argument : leading.relativize(argument);
      sources.add(new PackSource(base.resolve(leading), storePath(rest)));
    }
    sources.sort(Comparator.comparing(source -> EntryKey.of(source.path)));
    return withoutNested(sources);
  }

  /** What has no place in a store: the root, and all up to the last {@code ..}. */
  private static Path leading(Path argument) {
    int count = argument.getNameCount();
    while (count > 0 && !argument.getName(count - 1).toString().equals("..")) {
      count--;
    }
    Path root = argument.getRoot();
    Path up = count == 0 ? Path.of("") : argument.subpath(0, count);
    return root == null ? up : root.resolve(up);
  }

  private static String storePath(Path argument) {
    StringBuilder path = new StringBuilder();
    for (Path element : argument) {
      String name = element.toString();
      if (!name.isEmpty() && !name.equals(".")) {
        path.append('/').append(name);
      }
    }
    return path.isEmpty() ? "/" : path.toString();
  }

  private static List<PackSource> withoutNested(List<PackSource> sources) {
    List<PackSource> outer = new ArrayList<>();
    for (PackSource source : sources) {
      PackSource above = null;
      for (PackSource other : outer) {
        above = StorePaths.isAtOrBelow(source.path, other.path) ? other : above;
      }
      if (above == null) {
        outer.add(source);
      } else if (!above.base.equals(source.base)) {
        throw new IllegalArgumentException(
            "two different paths to pack have the same name: " + source.path);
      }
    }
    return outer;
  }

  /** Where a path below this source's base is on disk. */
  Path onDisk(String storePath) {
    return base.resolve(storePath.substring(1));
  }
}
