package dev.coffer.vfs.internal;

import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.EntryKind;
import dev.coffer.vfs.FileEntry;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import java.time.Instant;

/** Shows a backend's entries to the store's users. */
final class EntryMapper {
  private static final FileEntry UNSTORED_ROOT =
      new FileEntry(
          "/",
          EntryKind.DIRECTORY,
          0,
          0,
          0,
          0,
          Attributes.of(Attributes.DIRECTORY_MODE, Instant.EPOCH),
          null);

  private EntryMapper() {}

  /** The root directory of a store that keeps no entry for it. */
  static FileEntry unstoredRoot() {
    return UNSTORED_ROOT;
  }

  /**
   * The public form of an entry.
   *
   * @throws StoreCorruptException if no store lets such a path in: the file is damaged or hostile
   */
  static FileEntry toFileEntry(Entry entry) throws StoreCorruptException {
    String path = entry.key().path();
    if (!StorePath.isValid(entry.key())) {
      throw new StoreCorruptException(
          "store holds a path that no store may: path=" + path, path, -1, null);
    }
    return map(entry);
  }

  /** The public form of the entry found under a key that is known to be a path's. */
  static FileEntry toFileEntry(Entry entry, EntryKey key) throws StoreCorruptException {
    return entry.key().equals(key) ? map(entry) : toFileEntry(entry);
  }

  /** The public form of an entry whose key is known to be a path's. */
  static FileEntry map(Entry entry) {
    return new FileEntry(
        entry.key().path(),
        entry.kind(),
        entry.length(),
        packedLength(entry),
        entry.content().codecId(),
        entry.version(),
        entry.attributes(),
        entry.linkTarget());
  }

  private static long packedLength(Entry entry) {
    if (entry.content() instanceof Content.Chunk chunk && chunk.plainLength() > entry.length()) {
      return (entry.length() * chunk.packedBytes() + chunk.plainLength() - 1) / chunk.plainLength();
    }
    return entry.content().packedLength();
  }
}
