package dev.coffer.vfs;

/** The file is no Coffer store, or one of a kind whose backend is not installed. */
public final class NotAStoreException extends StoreException {
  private static final long serialVersionUID = 1L;

  public NotAStoreException(String message) {
    super(message, null);
  }

  public NotAStoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
