package dev.coffer.vfs;

/**
 * An earlier write or force failed in a way that leaves it unknown what is on the device, so the
 * store refuses further writes; reads go on. Close it and open it again.
 */
public final class StoreFailedException extends StoreException {
  private static final long serialVersionUID = 1L;

  public StoreFailedException(String message) {
    super(message, null);
  }

  public StoreFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
