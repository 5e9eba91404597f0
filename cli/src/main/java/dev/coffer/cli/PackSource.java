package dev.coffer.cli;

import dev.coffer.vfs.spi.EntryKey;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * One tree or file to pack.
 *
 * @param base where it is looked for: the current folder, that of {@code -C}, or the root
 * @param path its canonical path in the store, and below the base
 */
record PackSource(Path base, String path) {

  /**
   * Makes sources of arguments, as {@code tar} would: a leading slash is dropped with a note, and
   * what lies below another argument is packed with that.
   *
   * @throws IllegalArgumentException if an argument has no place in a store
   */
  static List<PackSource> of(Path base, List<Path> arguments, Console console) {
    List<PackSource> sources = new ArrayList<>();
    boolean noted = false;
    for (Path argument : arguments) {
      Path root = argument.getRoot();
      if (root != null && !noted) {
        console.note("removing the leading / from names");
        noted = true;
      }
      sources.add(new PackSource(root == null ? base : root, storePath(argument)));
    }
    sources.sort(Comparator.comparing(source -> EntryKey.of(source.path)));
    return withoutNested(sources);
  }

  private static String storePath(Path argument) {
    StringBuilder path = new StringBuilder();
    for (Path element : argument) {
      String name = element.toString();
      if (name.equals("..")) {
        throw new IllegalArgumentException("a path to pack has .. in it (use -C): " + argument);
      }
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
