package dev.coffer.cli;

import dev.coffer.vfs.FileEntry;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/** Permission bits: as letters, and as Java's set. */
final class Modes {
  /** From the highest bit, the owner's read, down. */
  private static final PosixFilePermission[] PERMISSIONS = PosixFilePermission.values();

  private Modes() {}

  /** As {@code ls -l} shows it, such as {@code drwxr-xr-x}. */
  static String letters(FileEntry entry) {
    char kind = entry.isDirectory() ? 'd' : entry.isSymbolicLink() ? 'l' : '-';
    int mode = entry.attributes().mode();
    StringBuilder letters = new StringBuilder(10).append(kind);
    for (int bit = 8; bit >= 0; bit--) {
      letters.append((mode >> bit & 1) == 0 ? '-' : "xwr".charAt(bit % 3));
    }
    special(letters, 3, mode & 04000, 's');
    special(letters, 6, mode & 02000, 's');
    special(letters, 9, mode & 01000, 't');
    return letters.toString();
  }

  /** In at least four octal digits. */
  static String octal(int mode) {
    String digits = Integer.toOctalString(mode);
    return "0".repeat(Math.max(0, 4 - digits.length())) + digits;
  }

  private static void special(StringBuilder letters, int at, int bit, char letter) {
    if (bit != 0) {
      letters.setCharAt(at, letters.charAt(at) == 'x' ? letter : Character.toUpperCase(letter));
    }
  }

  /** The lower nine bits as permissions; set-user-id and the like are dropped. */
  static Set<PosixFilePermission> permissions(int mode) {
    Set<PosixFilePermission> set = EnumSet.noneOf(PosixFilePermission.class);
    for (int i = 0; i < PERMISSIONS.length; i++) {
      if ((mode >> (8 - i) & 1) != 0) {
        set.add(PERMISSIONS[i]);
      }
    }
    return set;
  }

  static int mode(Set<PosixFilePermission> permissions) {
    int mode = 0;
    for (int i = 0; i < PERMISSIONS.length; i++) {
      if (permissions.contains(PERMISSIONS[i])) {
        mode |= 1 << (8 - i);
      }
    }
    return mode;
  }
}
