package dev.coffer.vfs;

/** The store is of a format this version of Coffer does not read: too new, or too old. */
public final class StoreVersionException extends StoreException {
  private static final long serialVersionUID = 1L;

  private final boolean tooNew;

  private StoreVersionException(String message, boolean tooNew) {
    super(message, null);
    this.tooNew = tooNew;
  }

  /** For a store written by a later version, or using a feature unknown here. */
  public static StoreVersionException tooNew(String message) {
    return new StoreVersionException(message, true);
  }

  /** For a store of a format that is no longer read. */
  public static StoreVersionException tooOld(String message) {
    return new StoreVersionException(message, false);
  }

  /** Whether the store is too new, rather than too old. */
  public boolean isTooNew() {
    return tooNew;
  }
}
