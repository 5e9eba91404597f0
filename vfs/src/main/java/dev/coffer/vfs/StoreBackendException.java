package dev.coffer.vfs;

/** The backend could not do its work: an I/O error, or the message of a database under it. */
public final class StoreBackendException extends StoreException {
  private static final long serialVersionUID = 1L;

  public StoreBackendException(String message) {
    super(message, null);
  }

  public StoreBackendException(String message, Throwable cause) {
    super(message, cause);
  }
}
