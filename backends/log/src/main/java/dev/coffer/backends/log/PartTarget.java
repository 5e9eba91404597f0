package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where a part is written: in memory while it is small, then in a file of its own. For one thread.
 */
final class PartTarget implements PartSink {
  private static final int MAX_IN_MEMORY = 4 * 1024 * 1024;
  private static final int BUFFER = 256 * 1024;

  private final Storage storage;
  private final Path path;
  private final int maxInMemory;
  private byte[] buffer = new byte[8 * 1024];
  private int filled;
  private long written;
  private Storage.@Nullable OpenFile file;

  /**
   * A part that goes to a file at {@code path} once it is too long for memory; at once, if {@code
   * onDisk}.
   */
  PartTarget(Storage storage, Path path, boolean onDisk) {
    this.storage = storage;
    this.path = path;
    this.maxInMemory = onDisk ? BUFFER : MAX_IN_MEMORY;
  }

  long length() {
    return written + filled;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws StoreException {
    if (filled + length > maxInMemory) {
      spill();
      if (length > BUFFER) {
        writeFile(bytes, offset, length);
        return;
      }
    }
    if (filled + length > buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.max(filled + length, 2 * buffer.length));
    }
    System.arraycopy(bytes, offset, buffer, filled, length);
    filled += length;
  }

  private void spill() throws StoreException {
    writeFile(buffer, 0, filled);
    filled = 0;
  }

  private void writeFile(byte[] bytes, int offset, int length) throws StoreException {
    try {
      if (file == null) {
        file = storage.create(path);
      }
      file.write(written, bytes, offset, length);
      written += length;
    } catch (IOException e) {
      throw Failures.writing(path, length, e);
    }
  }

  /** Makes all of it durable in its file, and closes that. */
  void store() throws StoreException {
    spill();
    try {
      Storage.OpenFile open = file;
      if (open != null) {
        open.force(true);
        open.close();
        file = null;
      }
    } catch (IOException e) {
      throw Failures.writing(path, 0, e);
    }
  }

  /** Copies what was written, to be appended elsewhere. */
  void read(long position, byte[] target, int length) throws StoreException {
    int fromFile = (int) Math.max(0, Math.min(length, written - position));
    Storage.OpenFile open = file;
    if (fromFile > 0 && open != null) {
      try {
        if (open.read(position, target, 0, fromFile) < fromFile) {
          throw new StoreCorruptException("file is too short: file=" + path);
        }
      } catch (IOException e) {
        throw Failures.reading(path, e);
      }
    }
    if (fromFile < length) {
      int from = (int) (position + fromFile - written);
      System.arraycopy(buffer, from, target, fromFile, length - fromFile);
    }
  }

  /** Gives the file up, if there is one. */
  void discard() {
    try {
      Storage.OpenFile open = file;
      if (open != null) {
        file = null;
        open.close();
      }
      if (written > 0) {
        written = 0;
        storage.delete(path);
      }
    } catch (IOException e) {
      // Whoever opens the store next deletes it.
    }
  }
}
