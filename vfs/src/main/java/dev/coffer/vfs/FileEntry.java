package dev.coffer.vfs;

import org.jspecify.annotations.Nullable;

/**
 * What a store knows of one path, at the moment it was asked. Immutable.
 *
 * @param path the canonical path
 * @param kind what the path names
 * @param length the plain length of a file in bytes; of a link's target in UTF-8 bytes; 0 for a
 *     directory
 * @param packedLength the bytes its content takes in the store, without overhead; of a cluster, the
 *     chunk of several small files, a member's share by plain length
 * @param codecId the id of the codec that packed it; 0 is raw
 * @param version the sequence of the commit that wrote this entry; grows with every change of it
 * @param attributes times, permissions and the like
 * @param linkTarget the target of a symbolic link as it was given; null for other kinds
 */
public record FileEntry(
    String path,
    EntryKind kind,
    long length,
    long packedLength,
    int codecId,
    long version,
    Attributes attributes,
    @Nullable String linkTarget) {

  public boolean isFile() {
    return kind == EntryKind.FILE;
  }

  public boolean isDirectory() {
    return kind == EntryKind.DIRECTORY;
  }

  public boolean isSymbolicLink() {
    return kind == EntryKind.SYMBOLIC_LINK;
  }

  /** The last element of the path; empty for the root. */
  public String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
