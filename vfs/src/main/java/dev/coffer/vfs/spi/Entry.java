package dev.coffer.vfs.spi;

import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.EntryKind;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a backend keeps under a key. Immutable.
 *
 * @param key where it is kept
 * @param kind what the path names
 * @param version the sequence of the commit that wrote this entry
 * @param length the plain length in bytes of a file; the length in UTF-8 of a link's target; 0 for
 *     a directory
 * @param attributes times, permissions and the like
 * @param linkTarget the target of a symbolic link, as it was given; null for other kinds
 * @param content where a file's bytes are; {@link Content#NONE} for other kinds and empty files
 */
public record Entry(
    EntryKey key,
    EntryKind kind,
    long version,
    long length,
    Attributes attributes,
    @Nullable String linkTarget,
    Content content) {

  public Entry {
    Objects.requireNonNull(key);
    Objects.requireNonNull(attributes);
    Objects.requireNonNull(content);
    if (length < 0) {
      throw new IllegalArgumentException("length is negative: length=" + length);
    }
    if ((kind == EntryKind.SYMBOLIC_LINK) != (linkTarget != null)) {
      throw new IllegalArgumentException(
          "a link, and only a link, has a target: kind=" + kind + " linkTarget=" + linkTarget);
    }
  }

  public Entry withVersion(long newVersion) {
    return new Entry(key, kind, newVersion, length, attributes, linkTarget, content);
  }

  public Entry withKey(EntryKey newKey) {
    return new Entry(newKey, kind, version, length, attributes, linkTarget, content);
  }

  public Entry withAttributes(Attributes newAttributes) {
    return new Entry(key, kind, version, length, newAttributes, linkTarget, content);
  }

  public Entry withContent(Content newContent) {
    return new Entry(key, kind, version, length, attributes, linkTarget, newContent);
  }
}
