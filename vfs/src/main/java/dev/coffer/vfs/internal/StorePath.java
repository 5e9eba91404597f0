package dev.coffer.vfs.internal;

import dev.coffer.vfs.InvalidPathException;
import dev.coffer.vfs.spi.EntryKey;
import org.jspecify.annotations.Nullable;

/** What is a path in a store, and what is not. */
public final class StorePath {
  /** The longest element, in UTF-8 bytes. */
  static final int MAX_ELEMENT_LENGTH = 255;

  /** The longest path, in UTF-8 bytes, without the leading slash. */
  static final int MAX_PATH_LENGTH = 4096;

  /** The deepest path, in elements. */
  static final int MAX_DEPTH = 256;

  private StorePath() {}

  /**
   * The canonical form of a path: absolute, and no store has it otherwise.
   *
   * @throws InvalidPathException if no store holds such a path
   */
  public static String canonical(String path) throws InvalidPathException {
    String absolute = path.startsWith("/") ? path : "/" + path;
    if (absolute.length() == 1) {
      if (path.isEmpty()) {
        throw invalid("path is empty", path);
      }
      return absolute;
    }
    String fault = fault(absolute);
    if (fault != null) {
      throw invalid(fault, path);
    }
    return absolute;
  }

  /** The key of a path, after the checks of {@link #canonical}. */
  static EntryKey key(String path) throws InvalidPathException {
    return EntryKey.of(canonical(path));
  }

  /** Whether a stored key is one that {@link #canonical} would let in. */
  static boolean isValid(EntryKey key) {
    if (key.isRoot()) {
      return key.parent().isEmpty();
    }
    return key.name().indexOf('/') < 0 && fault(key.path()) == null;
  }

  static InvalidPathException invalid(String fault, String path) {
    return new InvalidPathException(fault + ": path=" + path, path);
  }

  private static @Nullable String fault(String absolute) {
    int total = 0;
    int depth = 0;
    int start = 1;
    while (start <= absolute.length()) {
      int end = start;
      while (end < absolute.length() && isPlain(absolute.charAt(end))) {
        end++;
      }
      int length = end - start;
      if (end < absolute.length() && absolute.charAt(end) != '/') {
        end = absolute.indexOf('/', end);
        end = end < 0 ? absolute.length() : end;
        length = utf8Length(absolute, start, end);
      }
      if (length <= 2) {
        if (length == 0) {
          return "path has an empty element";
        }
        if (length < 0) {
          return "path has a NUL or an unpaired surrogate";
        }
        if (isDots(absolute, start, end)) {
          return "path has an element that is . or ..";
        }
      }
      if (length > MAX_ELEMENT_LENGTH) {
        return "path element is too long: bytes=" + length + " max=" + MAX_ELEMENT_LENGTH;
      }
      total += length;
      depth++;
      start = end + 1;
    }
    total += depth - 1;
    if (total > MAX_PATH_LENGTH) {
      return "path is too long: bytes=" + total + " max=" + MAX_PATH_LENGTH;
    }
    if (depth > MAX_DEPTH) {
      return "path is too deep: elements=" + depth + " max=" + MAX_DEPTH;
    }
    return null;
  }

  /** Whether a character is one byte of a name, as nearly all are. */
  private static boolean isPlain(char c) {
    return c != '/' && c != 0 && c < 0x80;
  }

  private static boolean isDots(String path, int start, int end) {
    return path.charAt(start) == '.'
        && (end - start == 1 || (end - start == 2 && path.charAt(start + 1) == '.'));
  }

  /** The length in UTF-8 of a part of a string, or -1 if it has a NUL or an unpaired surrogate. */
  private static int utf8Length(String path, int start, int end) {
    int bytes = 0;
    for (int i = start; i < end; i++) {
      char c = path.charAt(i);
      if (c == 0) {
        return -1;
      } else if (c < 0x80) {
        bytes++;
      } else if (c < 0x800) {
        bytes += 2;
      } else if (!Character.isSurrogate(c)) {
        bytes += 3;
      } else if (Character.isHighSurrogate(c)
          && i + 1 < end
          && Character.isLowSurrogate(path.charAt(i + 1))) {
        bytes += 4;
        i++;
      } else {
        return -1;
      }
    }
    return bytes;
  }
}
