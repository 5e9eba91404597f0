package dev.coffer.vfs;

/** A write to a store that was opened read-only, is sealed, or is damaged. */
public final class StoreReadOnlyException extends StoreException {
  private static final long serialVersionUID = 1L;

  public StoreReadOnlyException(String message) {
    super(message, null);
  }

  public StoreReadOnlyException(String message, Throwable cause) {
    super(message, cause);
  }
}
