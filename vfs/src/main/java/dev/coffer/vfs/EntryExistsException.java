package dev.coffer.vfs;

/** Something is already at a path that was to be new. */
public final class EntryExistsException extends PathException {
  private static final long serialVersionUID = 1L;

  public EntryExistsException(String message, String path) {
    super(message, path);
  }
}
