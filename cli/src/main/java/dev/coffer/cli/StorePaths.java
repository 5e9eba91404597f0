package dev.coffer.cli;

import java.util.ArrayList;
import java.util.List;

/** Paths in a store, as people type and read them. */
final class StorePaths {
  private StorePaths() {}

  /**
   * Forgives what a shell's completion leaves behind: slashes at the end or doubled, and {@code .}
   * elements. Whether the rest is a path is for the store to say.
   */
  static String clean(String path) {
    StringBuilder clean = new StringBuilder(path.length() + 1);
    for (String element : path.split("/", -1)) {
      if (!element.isEmpty() && !element.equals(".")) {
        clean.append('/').append(element);
      }
    }
    return clean.isEmpty() ? "/" : clean.toString();
  }

  /** A canonical path without its first slash, as listings show it. */
  static String relative(String path) {
    return path.substring(1);
  }

  /** The parent of a canonical path other than the root. */
  static String parent(String path) {
    int slash = path.lastIndexOf('/');
    return slash == 0 ? "/" : path.substring(0, slash);
  }

  static String child(String folder, String name) {
    return folder.length() == 1 ? "/" + name : folder + "/" + name;
  }

  /** Whether a canonical path is the folder, or lies below it. */
  static boolean isAtOrBelow(String path, String folder) {
    return folder.length() == 1
        || path.equals(folder)
        || (path.startsWith(folder) && path.charAt(folder.length()) == '/');
  }

  /** The same canonical paths without repetitions and without those below others, in order. */
  static List<String> withoutNested(List<String> paths) {
    List<String> outer = new ArrayList<>();
    for (String path : paths) {
      if (outer.stream().noneMatch(other -> isAtOrBelow(path, other))) {
        outer.removeIf(other -> isAtOrBelow(other, path));
        outer.add(path);
      }
    }
    return outer;
  }
}
