package dev.coffer.vfs.internal;

import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.DirectoryNotEmptyException;
import dev.coffer.vfs.EntryExistsException;
import dev.coffer.vfs.EntryKind;
import dev.coffer.vfs.NoSuchEntryException;
import dev.coffer.vfs.NotADirectoryException;
import dev.coffer.vfs.NotAFileException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.VersionMismatchException;
import dev.coffer.vfs.WriteOption;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The semantics of changes to the tree; each precondition is checked, and thrown, here only. */
final class TreeOperations {
  private TreeOperations() {}

  static void createDirectories(Overlay overlay, EntryKey key) throws StoreException {
    if (key.isRoot()) {
      return;
    }
    Entry old = overlay.get(key);
    if (old == null) {
      makeParents(overlay, key);
      overlay.put(directory(key, overlay));
    } else if (old.kind() != EntryKind.DIRECTORY) {
      throw notADirectory(key);
    }
  }

  static void delete(Overlay overlay, EntryKey key) throws StoreException {
    Entry old = requireExists(overlay, key);
    if (old.kind() == EntryKind.DIRECTORY) {
      requireEmpty(overlay, key);
    }
    overlay.delete(key);
  }

  static void deleteRecursively(Overlay overlay, EntryKey key) throws StoreException {
    if (key.isRoot()) {
      deleteBelow(overlay, key);
      return;
    }
    if (requireExists(overlay, key).kind() == EntryKind.DIRECTORY) {
      deleteBelow(overlay, key);
    }
    overlay.delete(key);
  }

  static void move(Overlay overlay, EntryKey from, EntryKey to, Set<WriteOption> options)
      throws StoreException {
    relocate(overlay, from, to, options, true);
  }

  static void copy(Overlay overlay, EntryKey from, EntryKey to, Set<WriteOption> options)
      throws StoreException {
    relocate(overlay, from, to, options, false);
  }

  static void setAttributes(Overlay overlay, EntryKey key, Attributes attributes)
      throws StoreException {
    Entry old = overlay.get(key);
    if (old == null && key.isRoot()) {
      old = directory(key, overlay);
    }
    if (old == null) {
      throw noSuchEntry(key);
    }
    overlay.put(old.withAttributes(attributes));
  }

  static void requireVersion(Overlay overlay, EntryKey key, long version) throws StoreException {
    Entry entry = overlay.get(key);
    long found = entry == null ? 0 : entry.version();
    if (found != version) {
      throw new VersionMismatchException(
          "entry changed meanwhile: expectedVersion="
              + version
              + " found="
              + found
              + " path="
              + key,
          key.path());
    }
  }

  /** Makes the missing parents of a key, after checking that the others are directories. */
  static void makeParents(Overlay overlay, EntryKey key) throws StoreException {
    if (overlay.isPlaced(key) || key.isRoot() || key.parent().length() == 1) {
      return;
    }
    EntryKey parent = EntryKey.of(key.parent());
    Entry entry = overlay.get(parent);
    if (entry == null) {
      makeParents(overlay, parent);
      overlay.put(directory(parent, overlay));
    } else if (entry.kind() != EntryKind.DIRECTORY) {
      throw notADirectory(parent);
    }
    overlay.placed(key);
  }

  /**
   * What a file or link written at a key would replace.
   *
   * @throws NotAFileException if that is a directory
   */
  static @Nullable Entry requireReplaceable(Overlay overlay, EntryKey key, Set<WriteOption> options)
      throws StoreException {
    if (key.isRoot()) {
      throw notAFile(key);
    }
    Entry old = overlay.get(key);
    if (old == null) {
      if (options.contains(WriteOption.MUST_EXIST)) {
        throw noSuchEntry(key);
      }
      return null;
    }
    if (options.contains(WriteOption.CREATE_NEW)) {
      throw exists(key);
    }
    if (old.kind() == EntryKind.DIRECTORY) {
      throw notAFile(key);
    }
    return old;
  }

  static NoSuchEntryException noSuchEntry(EntryKey key) {
    return new NoSuchEntryException("nothing is at the path: path=" + key, key.path());
  }

  static NotADirectoryException notADirectory(EntryKey key) {
    return new NotADirectoryException("path is not a directory: path=" + key, key.path());
  }

  static NotAFileException notAFile(EntryKey key) {
    return new NotAFileException("path is not a file: path=" + key, key.path());
  }

  private static EntryExistsException exists(EntryKey key) {
    return new EntryExistsException("something is at the path already: path=" + key, key.path());
  }

  private static void relocate(
      Overlay overlay, EntryKey from, EntryKey to, Set<WriteOption> options, boolean move)
      throws StoreException {
    Entry source = requireExists(overlay, from);
    if (from.equals(to)) {
      return;
    }
    boolean tree = source.kind() == EntryKind.DIRECTORY;
    if (to.isRoot()) {
      throw exists(to);
    }
    if (tree && to.path().startsWith(from.path() + "/")) {
      throw StorePath.invalid("target lies below the source: source=" + from, to.path());
    }
    requireFree(overlay, to, options);
    makeParents(overlay, to);
    if (tree) {
      List<Entry> below = overlay.subtree(from.path());
      putBelow(overlay, below, from, to);
      if (move) {
        below.forEach(overlay::deleteFound);
      }
    }
    Attributes attributes = source.attributes().withChanged(overlay.now());
    overlay.put(source.withKey(to).withAttributes(attributes));
    if (move) {
      overlay.delete(from);
    }
  }

  /** Puts everything below one directory below another, where nothing is. */
  private static void putBelow(Overlay overlay, List<Entry> below, EntryKey from, EntryKey to)
      throws StoreException {
    boolean unstored = overlay.isUnstored(to.path());
    int prefix = from.path().length();
    for (Entry entry : below) {
      EntryKey key = StorePath.key(to.path() + entry.key().path().substring(prefix));
      if (unstored) {
        overlay.putUnstored(entry.withKey(key));
      } else {
        overlay.put(entry.withKey(key));
      }
    }
  }

  /** Makes sure that the target of a move or copy is free, or may be replaced. */
  private static void requireFree(Overlay overlay, EntryKey to, Set<WriteOption> options)
      throws StoreException {
    Entry old = overlay.get(to);
    if (old == null) {
      return;
    }
    if (!options.contains(WriteOption.REPLACE)) {
      throw exists(to);
    }
    if (old.kind() == EntryKind.DIRECTORY) {
      requireEmpty(overlay, to);
    }
  }

  private static void deleteBelow(Overlay overlay, EntryKey key) throws StoreException {
    overlay.subtree(key.path()).forEach(overlay::deleteFound);
  }

  private static Entry requireExists(Overlay overlay, EntryKey key) throws StoreException {
    if (key.isRoot()) {
      throw StorePath.invalid("the root can be neither deleted, moved nor copied", key.path());
    }
    Entry entry = overlay.get(key);
    if (entry == null) {
      throw noSuchEntry(key);
    }
    return entry;
  }

  private static void requireEmpty(Overlay overlay, EntryKey key) throws StoreException {
    if (overlay.hasChildren(key.path())) {
      throw new DirectoryNotEmptyException("directory has children: path=" + key, key.path());
    }
  }

  private static Entry directory(EntryKey key, Overlay overlay) {
    Attributes attributes = overlay.newAttributes(Attributes.DIRECTORY_MODE);
    return new Entry(
        key, EntryKind.DIRECTORY, overlay.sequence(), 0, attributes, null, Content.NONE);
  }
}
