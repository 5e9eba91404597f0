package dev.coffer.vfs;

/** A directory to be deleted or replaced has children. */
public final class DirectoryNotEmptyException extends PathException {
  private static final long serialVersionUID = 1L;

  public DirectoryNotEmptyException(String message, String path) {
    super(message, path);
  }
}
