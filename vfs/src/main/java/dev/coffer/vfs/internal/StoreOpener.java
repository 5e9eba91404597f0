package dev.coffer.vfs.internal;

import dev.coffer.vfs.StoreOptions;
import dev.coffer.vfs.VirtualFileStore;
import java.io.IOException;
import java.nio.file.Path;

/** Finds the backend for a file and opens the store. */
@SuppressWarnings("DoNotCallSuggester") // Until the store itself is here.
public final class StoreOpener {
  private StoreOpener() {}

  public static VirtualFileStore open(Path file, StoreOptions options) throws IOException {
    throw new UnsupportedOperationException("not yet: file=" + file + options);
  }

  public static VirtualFileStore create(Path file, StoreOptions options) throws IOException {
    throw new UnsupportedOperationException("not yet: file=" + file + options);
  }

  public static VirtualFileStore openOrCreate(Path file, StoreOptions options) throws IOException {
    throw new UnsupportedOperationException("not yet: file=" + file + options);
  }

  public static VirtualFileStore inMemory(StoreOptions options) throws IOException {
    throw new UnsupportedOperationException("not yet: options=" + options);
  }
}
