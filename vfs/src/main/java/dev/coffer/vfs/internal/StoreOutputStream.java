package dev.coffer.vfs.internal;

import dev.coffer.vfs.StoreBackendException;
import dev.coffer.vfs.StoreClosedException;
import dev.coffer.vfs.StoreException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes one file, which becomes visible on close. Not thread-safe. */
final class StoreOutputStream extends OutputStream {
  private final ContentWriter writer;
  private final Completion completion;
  private boolean closed;
  private @Nullable Throwable failure;

  /** Commits the finished file. */
  @FunctionalInterface
  interface Completion {
    void commit(ContentWriter finished) throws IOException;
  }

  StoreOutputStream(ContentWriter writer, Completion completion) {
    this.writer = writer;
    this.completion = completion;
  }

  @Override
  public void write(int value) throws StoreException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int count) throws StoreException {
    if (closed) {
      throw new StoreClosedException("stream is closed: length=" + writer.length());
    }
    try {
      Objects.checkFromIndexSize(offset, count, bytes.length);
      writer.write(bytes, offset, count);
    } catch (StoreException | RuntimeException | Error e) {
      failure = e;
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    if (failure != null) {
      throw new StoreBackendException(
          "file was not written, because a write to its stream failed: length=" + writer.length(),
          failure);
    }
    completion.commit(writer);
  }
}
