package dev.coffer.vfs.internal;

import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.FileOperations;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.WriteOption;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Makes the mutation of each change, and leaves what becomes of it to the store or a batch. */
abstract class MutatingOperations implements FileOperations {
  private final Mutations mutations;

  MutatingOperations(Mutations mutations) {
    this.mutations = mutations;
  }

  /** Refuses changes before work is spent on them, if they would be refused in the end. */
  abstract void requireWritable() throws StoreException;

  /** Applies a mutation now, or adds it to what is applied later. */
  abstract void apply(Mutation mutation) throws StoreException;

  final Mutations mutations() {
    return mutations;
  }

  @Override
  public final void write(
      String path, byte[] content, @Nullable Attributes attributes, WriteOption... options)
      throws IOException {
    requireWritable();
    writeArray(path, content, attributes, options);
  }

  /** Writes an array once it is known that writing is allowed. */
  void writeArray(
      String path, byte[] content, @Nullable Attributes attributes, WriteOption... options)
      throws StoreException {
    apply(mutations.write(path, content, attributes, options));
  }

  @Override
  public final void write(
      String path, InputStream content, @Nullable Attributes attributes, WriteOption... options)
      throws IOException {
    requireWritable();
    apply(mutations.write(path, content, attributes, options));
  }

  @Override
  public final void createSymbolicLink(
      String path, String target, @Nullable Attributes attributes, WriteOption... options)
      throws IOException {
    apply(Mutations.createSymbolicLink(path, target, attributes, options));
  }

  @Override
  public final void createDirectories(String path) throws IOException {
    apply(Mutations.createDirectories(path));
  }

  @Override
  public final void delete(String path) throws IOException {
    apply(Mutations.delete(path));
  }

  @Override
  public final void deleteRecursively(String path) throws IOException {
    apply(Mutations.deleteRecursively(path));
  }

  @Override
  public final void move(String from, String to, WriteOption... options) throws IOException {
    apply(Mutations.move(from, to, options));
  }

  @Override
  public final void copy(String from, String to, WriteOption... options) throws IOException {
    apply(Mutations.copy(from, to, options));
  }

  @Override
  public final void setAttributes(String path, Attributes attributes) throws IOException {
    apply(Mutations.setAttributes(path, attributes));
  }
}
