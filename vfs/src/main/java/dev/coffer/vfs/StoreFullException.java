package dev.coffer.vfs;

/** The device has no room; the operation did not happen. */
public final class StoreFullException extends StoreException {
  private static final long serialVersionUID = 1L;

  public StoreFullException(String message) {
    super(message, null);
  }

  public StoreFullException(String message, Throwable cause) {
    super(message, cause);
  }
}
