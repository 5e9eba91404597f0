package dev.coffer.vfs;

/** The store, stream or view was used after it was closed. */
public final class StoreClosedException extends StoreException {
  private static final long serialVersionUID = 1L;

  public StoreClosedException(String message) {
    super(message, null);
  }

  public StoreClosedException(String message, Throwable cause) {
    super(message, cause);
  }
}
