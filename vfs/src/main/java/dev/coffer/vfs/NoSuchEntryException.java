package dev.coffer.vfs;

/** Nothing is at the path. */
public final class NoSuchEntryException extends PathException {
  private static final long serialVersionUID = 1L;

  public NoSuchEntryException(String message, String path) {
    super(message, path);
  }
}
