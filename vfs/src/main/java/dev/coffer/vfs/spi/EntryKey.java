package dev.coffer.vfs.spi;

import java.nio.charset.StandardCharsets;

/**
 * Where an entry is kept: its parent's path and its name.
 *
 * <p>Keys are ordered by parent, element by element, then by name; elements compare as unsigned
 * UTF-8. A directory's listing is therefore one contiguous range, and what lies below it is one
 * more: {@code /a-b} never lies inside {@code /a}. {@link #parentBytes()} is that order as bytes:
 * each element followed by a zero byte, which no name holds, so plain unsigned byte comparison of
 * (parent bytes, name bytes) agrees with {@link #compareTo}.
 *
 * @param parent the canonical path of the parent, {@code /} for the root's children, empty for the
 *     root itself
 * @param name the last element; empty for the root
 */
public record EntryKey(String parent, String name) implements Comparable<EntryKey> {

  /** The key of the root directory. */
  public static final EntryKey ROOT = new EntryKey("", "");

  /** The key of a canonical path, which is not checked here. */
  public static EntryKey of(String path) {
    int slash = path.lastIndexOf('/');
    if (path.length() == 1) {
      return ROOT;
    }
    return new EntryKey(slash == 0 ? "/" : path.substring(0, slash), path.substring(slash + 1));
  }

  /** The key of a child of the directory at a canonical path. */
  public static EntryKey child(String directory, String name) {
    return new EntryKey(directory, name);
  }

  public boolean isRoot() {
    return name.isEmpty();
  }

  /** The canonical path. */
  public String path() {
    if (isRoot()) {
      return "/";
    }
    return parent.length() == 1 ? "/" + name : parent + "/" + name;
  }

  /** The parent as bytes whose unsigned order is the order of keys; empty for {@code /}. */
  public byte[] parentBytes() {
    return parentBytes(parent);
  }

  /** A canonical path as a parent's bytes: each element in UTF-8, followed by a zero byte. */
  public static byte[] parentBytes(String path) {
    if (path.length() <= 1) {
      return new byte[0];
    }
    byte[] utf8 = path.getBytes(StandardCharsets.UTF_8);
    byte[] bytes = new byte[utf8.length];
    for (int i = 1; i < utf8.length; i++) {
      bytes[i - 1] = utf8[i] == '/' ? 0 : utf8[i];
    }
    return bytes;
  }

  /** The key kept as these parent bytes and this name. */
  public static EntryKey fromBytes(byte[] parentBytes, String name) {
    if (parentBytes.length == 0) {
      return name.isEmpty() ? ROOT : new EntryKey("/", name);
    }
    byte[] utf8 = new byte[parentBytes.length];
    utf8[0] = '/';
    for (int i = 0; i + 1 < parentBytes.length; i++) {
      utf8[i + 1] = parentBytes[i] == 0 ? (byte) '/' : parentBytes[i];
    }
    return new EntryKey(new String(utf8, StandardCharsets.UTF_8), name);
  }

  @Override
  public int compareTo(EntryKey other) {
    int byParent = comparePaths(parent, other.parent);
    return byParent != 0 ? byParent : comparePaths(name, other.name);
  }

  /** Compares two canonical paths element by element, as unsigned UTF-8. */
  public static int comparePaths(String a, String b) {
    if (a.equals(b)) {
      return 0; // Most parents compared are the same, and this is the platform's fastest loop.
    }
    int common = Math.min(a.length(), b.length());
    for (int i = 0; i < common; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        return Integer.compare(rank(x), rank(y));
      }
    }
    return Integer.compare(a.length(), b.length());
  }

  /**
   * Ranks UTF-16 units so that their order is the order of UTF-8 bytes: the separator first, then
   * as numbers, but surrogates (which stand for code points above U+FFFF) after everything else.
   */
  private static int rank(char c) {
    if (c == '/') {
      return -1;
    }
    return Character.isSurrogate(c) ? c + 0x10000 : c;
  }

  @Override
  public String toString() {
    return path();
  }
}
