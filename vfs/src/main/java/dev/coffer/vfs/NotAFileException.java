package dev.coffer.vfs;

/** The path is a directory or a symbolic link where a file was expected. */
public final class NotAFileException extends PathException {
  private static final long serialVersionUID = 1L;

  public NotAFileException(String message, String path) {
    super(message, path);
  }
}
