package dev.coffer.vfs;

/** What a path names. */
public enum EntryKind {
  FILE,
  DIRECTORY,
  SYMBOLIC_LINK
}
