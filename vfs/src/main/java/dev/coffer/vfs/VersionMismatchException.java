package dev.coffer.vfs;

/** The entry is no longer the version the caller named. */
public final class VersionMismatchException extends PathException {
  private static final long serialVersionUID = 1L;

  public VersionMismatchException(String message, String path) {
    super(message, path);
  }
}
