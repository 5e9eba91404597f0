package dev.coffer.vfs.spi;

import org.jspecify.annotations.Nullable;

/**
 * What one commit does to one key.
 *
 * @param key the key
 * @param before the entry a lookup returned before this commit, or null if there was none; so a
 *     backend need not look again
 * @param after the entry to keep from now on, or null to delete it. Its content is new ({@link
 *     Content.Packed}), staged, or taken over from an entry that exists before this commit, under
 *     this key or another.
 */
public record Change(EntryKey key, @Nullable Entry before, @Nullable Entry after) {
  public Change {
    if (before == null && after == null) {
      throw new IllegalArgumentException("a change changes nothing: key=" + key);
    }
  }
}
