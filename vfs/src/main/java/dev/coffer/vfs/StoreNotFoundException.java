package dev.coffer.vfs;

/** There is no store at the path. */
public final class StoreNotFoundException extends StoreException {
  private static final long serialVersionUID = 1L;

  public StoreNotFoundException(String message) {
    super(message, null);
  }

  public StoreNotFoundException(String message, Throwable cause) {
    super(message, cause);
  }
}
