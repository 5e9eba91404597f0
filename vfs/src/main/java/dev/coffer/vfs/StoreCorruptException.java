package dev.coffer.vfs;

import org.jspecify.annotations.Nullable;

/**
 * Bytes of the store are not what was written. What else the store holds stays readable.
 *
 * <p>Names what is known: the {@link #path()} that is lost and the {@link #offset()} of the damage
 * in the store's file.
 */
public final class StoreCorruptException extends StoreException {
  private static final long serialVersionUID = 1L;

  private final @Nullable String path;
  private final long offset;

  /**
   * @param path the canonical path whose entry or content is damaged, or null if not known
   * @param offset where in the store's file, in bytes, or -1 if not known
   */
  public StoreCorruptException(
      String message, @Nullable String path, long offset, @Nullable Throwable cause) {
    super(message, cause);
    this.path = path;
    this.offset = offset;
  }

  public StoreCorruptException(String message) {
    this(message, null, -1, null);
  }

  /** The path that is lost, or null if not known. */
  public @Nullable String path() {
    return path;
  }

  /** Where the damage is, in bytes from the start of the store's file, or -1 if not known. */
  public long offset() {
    return offset;
  }
}
