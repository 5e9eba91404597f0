package dev.coffer.vfs.internal;

import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.EntryKind;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.WriteOption;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts a file, or a link, at a path. Its content may move from memory to the store until applied.
 */
final class FileWrite implements Mutation {
  private final EntryKey key;
  private final EntryKind kind;
  private final long length;
  private final @Nullable Attributes attributes;
  private final @Nullable String linkTarget;
  private final Set<WriteOption> options;
  private volatile Content content;

  /** The file whose bytes this one has too, or null. */
  private final @Nullable FileWrite equal;

  private volatile boolean shared;

  private FileWrite(
      EntryKey key,
      EntryKind kind,
      long length,
      @Nullable Attributes attributes,
      @Nullable String linkTarget,
      Content content,
      @Nullable FileWrite equal,
      Set<WriteOption> options) {
    this.equal = equal;
    this.key = key;
    this.kind = kind;
    this.length = length;
    this.attributes = attributes;
    this.linkTarget = linkTarget;
    this.content = content;
    this.options = options;
  }

  static FileWrite file(
      EntryKey key,
      long length,
      Content content,
      @Nullable Attributes attributes,
      Set<WriteOption> options) {
    return new FileWrite(key, EntryKind.FILE, length, attributes, null, content, null, options);
  }

  /** A file whose bytes are packed later; {@link #placed} must be called before it is applied. */
  static FileWrite unplaced(
      EntryKey key, int length, @Nullable Attributes attributes, Set<WriteOption> options) {
    return file(key, length, Content.NONE, attributes, options);
  }

  EntryKey key() {
    return key;
  }

  static FileWrite link(
      EntryKey key,
      String target,
      long targetLength,
      @Nullable Attributes attributes,
      Set<WriteOption> options) {
    return new FileWrite(
        key,
        EntryKind.SYMBOLIC_LINK,
        targetLength,
        attributes,
        target,
        Content.NONE,
        null,
        options);
  }

  /** A file with the content of another one of the same batch, which it shares. */
  static FileWrite equalTo(
      FileWrite other, EntryKey key, @Nullable Attributes attributes, Set<WriteOption> options) {
    other.shared = true;
    return new FileWrite(
        key, EntryKind.FILE, other.length, attributes, null, Content.NONE, other, options);
  }

  /** Whether another file has this one's content, so that it must be staged. */
  boolean isShared() {
    return shared;
  }

  Content content() {
    FileWrite other = equal;
    return other == null ? content : other.content();
  }

  /** Whether its content is another file's. */
  boolean isEqual() {
    return equal != null;
  }

  /** Says where the bytes are: now that they are packed, or now that they are staged. */
  void placed(Content where) {
    content = where;
  }

  @Override
  public void apply(Overlay overlay) throws StoreException {
    Content placed = content();
    if (kind == EntryKind.FILE && length > 0 && placed == Content.NONE) {
      throw new IllegalStateException("file has no place: length=" + length + " path=" + key);
    }
    Entry old = TreeOperations.requireReplaceable(overlay, key, options);
    TreeOperations.makeParents(overlay, key);
    Attributes kept = attributes != null ? attributes : inherited(overlay, old);
    overlay.put(new Entry(key, kind, overlay.sequence(), length, kept, linkTarget, placed));
  }

  private Attributes inherited(Overlay overlay, @Nullable Entry old) {
    if (old != null && old.kind() == kind) {
      return old.attributes()
          .withModified(overlay.now())
          .withAccessed(overlay.now())
          .withChanged(overlay.now());
    }
    int mode = kind == EntryKind.FILE ? Attributes.FILE_MODE : Attributes.LINK_MODE;
    return overlay.newAttributes(mode);
  }
}
