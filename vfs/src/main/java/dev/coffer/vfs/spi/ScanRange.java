package dev.coffer.vfs.spi;

/**
 * A contiguous range of keys.
 *
 * @param scope which keys around {@code directory}
 * @param directory a canonical path; the range may be empty if it names no directory
 */
public record ScanRange(Scope scope, String directory) {

  /** Which keys a range covers. */
  public enum Scope {
    /** The entries directly inside the directory. */
    CHILDREN,
    /** Everything below the directory, without itself. */
    SUBTREE,
    /** Every entry, the root included if it is stored. */
    ALL
  }

  /** Every entry. */
  public static final ScanRange ALL = new ScanRange(Scope.ALL, "/");

  public static ScanRange children(String directory) {
    return new ScanRange(Scope.CHILDREN, directory);
  }

  public static ScanRange subtree(String directory) {
    return new ScanRange(Scope.SUBTREE, directory);
  }

  /** Whether a key lies in this range. */
  public boolean contains(EntryKey key) {
    return switch (scope) {
      case ALL -> true;
      case CHILDREN -> !key.isRoot() && key.parent().equals(directory);
      case SUBTREE ->
          !key.isRoot()
              && (directory.length() == 1
                  || key.parent().equals(directory)
                  || (key.parent().startsWith(directory)
                      && key.parent().charAt(directory.length()) == '/'));
    };
  }
}
