package dev.coffer.vfs.spi;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where an entry is kept: its parent's path and its name. Immutable.
 *
 * <p>Keys are ordered by parent, element by element, then by name; elements compare as unsigned
 * UTF-8. A directory's listing is therefore one contiguous range, and what lies below it is one
 * more: {@code /a-b} never lies inside {@code /a}. {@link #bytes()} is that order as bytes, and
 * every key carries them: backends look up and compare by them, layer after layer.
 */
public final class EntryKey implements Comparable<EntryKey> {

  /** The key of the root directory. */
  public static final EntryKey ROOT = new EntryKey("", "");

  private final String path;
  private final byte[] bytes;

  /** How many of the bytes are the parent's. */
  private final int parentLength;

  // Cut out of the path when first asked for; several threads may do so at once.
  private @Nullable String parent;
  private @Nullable String name;

  /**
   * The key of a name in a directory.
   *
   * @param parent the canonical path of the parent, {@code /} for the root's children, empty for
   *     the root itself
   * @param name the last element; empty for the root, and for what sorts before all children
   */
  public EntryKey(String parent, String name) {
    this.parent = parent;
    this.name = name;
    this.path = parent.length() <= 1 ? "/" + name : parent + "/" + name;
    byte[] before = parentBytes(parent);
    byte[] last = name.getBytes(StandardCharsets.UTF_8);
    this.parentLength = before.length;
    this.bytes = Arrays.copyOf(before, before.length + 1 + last.length);
    System.arraycopy(last, 0, bytes, before.length + 1, last.length);
  }

  private EntryKey(String path, byte[] bytes, int parentLength) {
    this.path = path;
    this.bytes = bytes;
    this.parentLength = parentLength;
  }

  /** The key of a canonical path, which is not checked here. */
  public static EntryKey of(String path) {
    if (path.length() == 1) {
      return ROOT;
    }
    // As long as the key: the leading slash makes room for the zero byte before the name.
    byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
    int slash = bytes.length - 1;
    while (bytes[slash] != '/') {
      slash--;
    }
    toKey(bytes, slash);
    return new EntryKey(path, bytes, slash);
  }

  /** Makes a path's bytes a key's: the slash before the name makes room for one behind it. */
  private static void toKey(byte[] bytes, int slash) {
    for (int i = 0; i < slash; i++) {
      byte next = bytes[i + 1];
      bytes[i] = next == '/' ? 0 : next;
    }
    bytes[slash] = 0;
  }

  /** The key of a child of the directory at a canonical path. */
  public static EntryKey child(String directory, String name) {
    return new EntryKey(directory, name);
  }

  /**
   * The key whose {@link #bytes()} are these.
   *
   * @param bytes an array that has those of a canonical path, not checked here
   */
  public static EntryKey fromBytes(byte[] bytes, int offset, int length) {
    if (length == 1) {
      return ROOT;
    }
    // One array serves for both: as the path for a moment, then as the key.
    byte[] own = Arrays.copyOfRange(bytes, offset, offset + length);
    int separator = length - 1;
    while (own[separator] != 0) {
      separator--;
    }
    for (int i = separator; i > 0; i--) {
      own[i] = own[i - 1] == 0 ? (byte) '/' : own[i - 1];
    }
    own[0] = '/';
    String path = new String(own, StandardCharsets.UTF_8);
    toKey(own, separator);
    return new EntryKey(path, own, separator);
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

  public boolean isRoot() {
    return bytes.length == parentLength + 1;
  }

  /** The canonical path. */
  public String path() {
    return path;
  }

  /** The canonical path of the parent; empty for the root. */
  public String parent() {
    String known = parent;
    if (known == null) {
      int slash = path.lastIndexOf('/');
      known = slash == 0 ? "/" : path.substring(0, slash);
      parent = known;
    }
    return known;
  }

  /** The last element; empty for the root. */
  public String name() {
    String known = name;
    if (known == null) {
      known = path.substring(path.lastIndexOf('/') + 1);
      name = known;
    }
    return known;
  }

  /**
   * The key as bytes whose unsigned order is the order of keys: {@link #parentBytes()}, a zero
   * byte, the name in UTF-8. The key's own array, so do not write to it.
   */
  public byte[] bytes() {
    return bytes;
  }

  /** The parent as bytes whose unsigned order is the order of parents; empty for {@code /}. */
  public byte[] parentBytes() {
    return Arrays.copyOf(bytes, parentLength);
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

  /** Whether both keys are in the same directory. */
  public boolean hasSameParent(EntryKey other) {
    return Arrays.equals(bytes, 0, parentLength, other.bytes, 0, other.parentLength);
  }

  @Override
  public int compareTo(EntryKey other) {
    int byBytes = Arrays.compareUnsigned(bytes, other.bytes);
    return byBytes != 0 || bytes.length > 1
        ? byBytes
        : Integer.compare(parent().length(), other.parent().length());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof EntryKey that
        && Arrays.equals(bytes, that.bytes)
        && (bytes.length > 1 || parent().equals(that.parent()));
  }

  @Override
  public int hashCode() {
    return path.hashCode(); // Kept by the string, which is often the caller's own.
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
    return path;
  }
}
