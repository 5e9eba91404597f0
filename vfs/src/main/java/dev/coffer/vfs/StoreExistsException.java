package dev.coffer.vfs;

/** A store was to be created where something already is. */
public final class StoreExistsException extends StoreException {
  private static final long serialVersionUID = 1L;

  public StoreExistsException(String message) {
    super(message, null);
  }

  public StoreExistsException(String message, Throwable cause) {
    super(message, cause);
  }
}
