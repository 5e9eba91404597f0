package dev.coffer.vfs;

/** Another process, or this one, has the store open for writing. */
public final class StoreLockedException extends StoreException {
  private static final long serialVersionUID = 1L;

  public StoreLockedException(String message) {
    super(message, null);
  }

  public StoreLockedException(String message, Throwable cause) {
    super(message, cause);
  }
}
