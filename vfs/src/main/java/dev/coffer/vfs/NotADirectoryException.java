package dev.coffer.vfs;

/** The path, or a parent of it, is not a directory. */
public final class NotADirectoryException extends PathException {
  private static final long serialVersionUID = 1L;

  public NotADirectoryException(String message, String path) {
    super(message, path);
  }
}
