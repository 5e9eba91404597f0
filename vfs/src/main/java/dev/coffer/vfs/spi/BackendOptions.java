package dev.coffer.vfs.spi;

import dev.coffer.vfs.Layout;

/**
 * How a backend is to be opened.
 *
 * @param creation what to do about a missing or existing store
 * @param layout how to lay a new store out, one that {@link BackendProvider#makes}; an existing
 *     store is what it is
 * @param readOnly whether nothing may be written, no lock taken and no file made or changed
 */
public record BackendOptions(Creation creation, Layout layout, boolean readOnly) {

  /** For a store in one file, or one that exists. */
  public BackendOptions(Creation creation, boolean readOnly) {
    this(creation, Layout.FILE, readOnly);
  }

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
