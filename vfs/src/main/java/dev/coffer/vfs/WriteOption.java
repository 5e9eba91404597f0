package dev.coffer.vfs;

/** How a write treats what is already at its path. */
public enum WriteOption {
  /** The path must be new, or {@link EntryExistsException}. */
  CREATE_NEW,
  /** The path must exist, or {@link NoSuchEntryException}. */
  MUST_EXIST,
  /** A move or copy may replace a file, a link or an empty directory at its target. */
  REPLACE
}
