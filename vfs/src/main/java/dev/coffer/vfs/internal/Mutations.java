package dev.coffer.vfs.internal;

import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.WriteOption;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.EntryKey;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes the mutation that each change of the API stands for. Whatever can be checked without the
 * store is checked here, in the caller's thread, and content is packed here. Thread-safe.
 */
final class Mutations {
  private final Backend backend;
  private final Packer packer;
  private final PackWorkers workers;
  private final int chunkLength;

  Mutations(Backend backend, Packer packer, PackWorkers workers, int chunkLength) {
    this.backend = backend;
    this.packer = packer;
    this.workers = workers;
    this.chunkLength = chunkLength;
  }

  /**
   * Takes the bytes of one file, to be given to {@link #write(EntryKey, ContentWriter, Attributes,
   * WriteOption...)}.
   */
  ContentWriter newWriter() {
    return new ContentWriter(backend, packer, workers, chunkLength);
  }

  FileWrite write(
      String path, byte[] bytes, @Nullable Attributes attributes, WriteOption... options)
      throws StoreException {
    EntryKey key = StorePath.key(path);
    Limits.check(attributes, path);
    Content content = ContentWriter.ofArray(backend, packer, workers, chunkLength, bytes);
    return FileWrite.file(key, bytes.length, content, attributes, setOf(options));
  }

  /** A file with the content of another one of the same batch. */
  static FileWrite equalTo(
      FileWrite other, EntryKey key, @Nullable Attributes attributes, WriteOption... options)
      throws StoreException {
    Limits.check(attributes, key.path());
    return FileWrite.equalTo(other, key, attributes, setOf(options));
  }

  /** A file whose bytes the caller gathers with others. */
  static FileWrite unplaced(
      EntryKey key, int length, @Nullable Attributes attributes, WriteOption... options)
      throws StoreException {
    Limits.check(attributes, key.path());
    return FileWrite.unplaced(key, length, attributes, setOf(options));
  }

  FileWrite write(
      String path, InputStream in, @Nullable Attributes attributes, WriteOption... options)
      throws IOException {
    EntryKey key = StorePath.key(path);
    Limits.check(attributes, path);
    ContentWriter writer = newWriter();
    writer.readFrom(in);
    return write(key, writer, attributes, options);
  }

  /** Ends what was written and puts it at a key. */
  static FileWrite write(
      EntryKey key, ContentWriter writer, @Nullable Attributes attributes, WriteOption... options)
      throws StoreException {
    Content content = writer.finish();
    return FileWrite.file(key, writer.length(), content, attributes, setOf(options));
  }

  static FileWrite createSymbolicLink(
      String path, String target, @Nullable Attributes attributes, WriteOption... options)
      throws StoreException {
    EntryKey key = StorePath.key(path);
    Limits.check(attributes, path);
    int length = Limits.isUnicode(target) ? target.getBytes(StandardCharsets.UTF_8).length : -1;
    if (length <= 0 || length > StorePath.MAX_PATH_LENGTH || target.indexOf('\0') >= 0) {
      throw StorePath.invalid(
          "link target is empty, too long, or has a NUL or an unpaired surrogate: targetBytes="
              + length,
          path);
    }
    return FileWrite.link(key, target, length, attributes, setOf(options));
  }

  static Mutation createDirectories(String path) throws StoreException {
    EntryKey key = StorePath.key(path);
    return overlay -> TreeOperations.createDirectories(overlay, key);
  }

  static Mutation delete(String path) throws StoreException {
    EntryKey key = StorePath.key(path);
    return overlay -> TreeOperations.delete(overlay, key);
  }

  static Mutation deleteRecursively(String path) throws StoreException {
    EntryKey key = StorePath.key(path);
    return overlay -> TreeOperations.deleteRecursively(overlay, key);
  }

  static Mutation move(String from, String to, WriteOption... options) throws StoreException {
    EntryKey source = StorePath.key(from);
    EntryKey target = StorePath.key(to);
    Set<WriteOption> set = setOf(options);
    return overlay -> TreeOperations.move(overlay, source, target, set);
  }

  static Mutation copy(String from, String to, WriteOption... options) throws StoreException {
    EntryKey source = StorePath.key(from);
    EntryKey target = StorePath.key(to);
    Set<WriteOption> set = setOf(options);
    return overlay -> TreeOperations.copy(overlay, source, target, set);
  }

  static Mutation setAttributes(String path, Attributes attributes) throws StoreException {
    EntryKey key = StorePath.key(path);
    Limits.check(attributes, path);
    return overlay -> TreeOperations.setAttributes(overlay, key, attributes);
  }

  static Mutation requireVersion(String path, long version) throws StoreException {
    EntryKey key = StorePath.key(path);
    return overlay -> TreeOperations.requireVersion(overlay, key, version);
  }

  static Mutation setProperty(String name, String value) {
    Limits.checkProperty(name, value);
    return overlay -> overlay.setProperty(name, value);
  }

  /** The options a caller named, however often. */
  private static Set<WriteOption> setOf(WriteOption... options) {
    if (options.length == 0) {
      return Set.of();
    }
    Set<WriteOption> set = EnumSet.noneOf(WriteOption.class);
    Collections.addAll(set, options);
    return set;
  }
}
