package dev.coffer.vfs.spi;

/**
 * How a backend is to be opened.
 *
 * @param creation what to do about a missing or existing store
 * @param readOnly whether nothing may be written, no lock taken and no file made or changed
 */
public record BackendOptions(Creation creation, boolean readOnly) {

  /** What to do about a missing or existing store. */
  public enum Creation {
    /** It must exist. */
    NEVER,
    /** Make it if it is missing. */
    IF_MISSING,
    /** It must not exist. */
    ALWAYS
  }
}
