package dev.coffer.backends.log;

import dev.coffer.vfs.StoreBackendException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreFullException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Makes declared exceptions of I/O errors. */
final class Failures {
  /** What systems say when there is no room; they offer no other way to tell. */
  private static final List<String> FULL =
      List.of("no space left", "disk quota exceeded", "not enough space", "file too large");

  private Failures() {}

  static boolean isFull(IOException e) {
    String message = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    return FULL.stream().anyMatch(message::contains);
  }

  static StoreException reading(Path file, IOException e) {
    return e instanceof StoreException declared
        ? declared
        : new StoreBackendException("cannot read store: file=" + file, e);
  }

  /** A write that did not happen, or was undone. */
  static StoreException writing(Path file, long bytes, IOException e) {
    if (e instanceof StoreException declared) {
      return declared;
    }
    if (isFull(e)) {
      return new StoreFullException(
          "no room to write: neededBytes=" + bytes + " file=" + file + " cause=" + e.getMessage());
    }
    return new StoreBackendException("cannot write store: file=" + file, e);
  }
}
