package dev.coffer.vfs;

/** A path no store holds: an empty element, {@code .}, {@code ..}, NUL, or too long. */
public final class InvalidPathException extends PathException {
  private static final long serialVersionUID = 1L;

  public InvalidPathException(String message, String path) {
    super(message, path);
  }
}
