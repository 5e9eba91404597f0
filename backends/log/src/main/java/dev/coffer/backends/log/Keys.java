package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.ScanRange;
import java.util.Arrays;

/**
 * Keys as bytes ({@link EntryKey#bytes()}): plain unsigned comparison of these is the order of
 * keys, and what lies in or below a directory starts alike.
 */
final class Keys {
  /** The longest key: a path of 4,096 bytes and the separator. */
  static final int MAX_LENGTH = 4096 + 1;

  private static final int MAX_ELEMENT = 255;
  private static final int MAX_DEPTH = 256;

  private Keys() {}

  /** A key's bytes, not to be written to. */
  static byte[] encode(EntryKey key) {
    return key.bytes();
  }

  /** The key in a range of bytes that {@link #check} has passed. */
  static EntryKey decode(byte[] bytes, int offset, int length) {
    return EntryKey.fromBytes(bytes, offset, length);
  }

  /** What every key in a range starts with. */
  static byte[] prefix(ScanRange range) {
    byte[] directory = EntryKey.parentBytes(range.directory());
    return switch (range.scope()) {
      case ALL -> new byte[0];
      case SUBTREE -> directory;
      case CHILDREN -> Arrays.copyOf(directory, directory.length + 1);
    };
  }

  /** Refuses whatever could not be the key of a path that a store may hold. */
  static void check(byte[] bytes, int offset, int length) throws StoreCorruptException {
    boolean root = length == 1 && bytes[offset] == 0;
    if (!root) {
      checkElements(bytes, offset, length);
    }
  }

  /**
   * Checks a key that starts as one does that was checked: most come after one in the same
   * directory, and only what is new of the name is looked at.
   */
  static void checkAfter(byte[] bytes, int shared, int length) throws StoreCorruptException {
    int name = shared;
    while (name > 0 && bytes[name - 1] != 0) {
      name--;
    }
    boolean sameParent = name == 1 || (name > 1 && bytes[name - 2] == 0);
    if (!sameParent || shared >= length) {
      check(bytes, 0, length);
      return;
    }
    boolean ascii = bytes[shared - 1] >= 0;
    for (int i = shared; i < length; i++) {
      byte next = bytes[i];
      if (next == 0 || next == '/') {
        throw wrong("a zero byte or a slash in its name", i);
      }
      ascii &= next > 0;
    }
    checkElement(bytes, name, length - name);
    checkWhole(bytes, 0, length, ascii);
  }

  private static void checkElements(byte[] bytes, int offset, int length)
      throws StoreCorruptException {
    int start = offset;
    int elements = 0;
    boolean name = false;
    boolean ascii = true;
    int end = offset + length;
    for (int i = offset; i <= end; i++) {
      if (i < end && bytes[i] != 0) {
        ascii &= bytes[i] > 0;
        if (bytes[i] == '/') {
          throw wrong("a slash", i - offset);
        }
      } else if (i == start && !name && i < end) {
        name = true; // The separator: an empty element, or one at the very start.
        start = i + 1;
      } else {
        checkElement(bytes, start, i - start);
        elements++;
        if (i < end && name) {
          throw wrong("a zero byte in its name", i - offset);
        }
        start = i + 1;
      }
    }
    if (!name || elements > MAX_DEPTH) {
      throw wrong("a wrong depth", elements);
    }
    checkWhole(bytes, offset, length, ascii);
  }

  private static void checkWhole(byte[] bytes, int offset, int length, boolean ascii)
      throws StoreCorruptException {
    if (length > MAX_LENGTH) {
      throw wrong("a wrong length", length);
    }
    if (!ascii) {
      new BytesIn(bytes, offset, length).utf8(length);
    }
  }

  private static void checkElement(byte[] bytes, int start, int length)
      throws StoreCorruptException {
    boolean dots =
        (length == 1 && bytes[start] == '.')
            || (length == 2 && bytes[start] == '.' && bytes[start + 1] == '.');
    if (length < 1 || length > MAX_ELEMENT || dots) {
      throw wrong("an impossible element", length);
    }
  }

  private static StoreCorruptException wrong(String what, int where) {
    return BytesIn.malformed("has a key with " + what + ": at=" + where);
  }
}
