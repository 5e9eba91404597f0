package dev.coffer.vfs;

/** Content was packed by a codec that is not installed here. */
public final class UnknownCodecException extends StoreException {
  private static final long serialVersionUID = 1L;

  private final int codecId;

  public UnknownCodecException(String message, int codecId) {
    super(message, null);
    this.codecId = codecId;
  }

  /** The id kept with the content. */
  public int codecId() {
    return codecId;
  }
}
