package dev.coffer.backends.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * A file on disk. An {@link AsynchronousFileChannel} rather than a {@link FileChannel}, which an
 * interrupt would close for every thread; its operations run in the calling thread.
 */
final class DiskFile implements Storage.OpenFile {
  /**
   * The JDK copies what is written into a direct buffer of the same length, and keeps that for the
   * thread.
   */
  private static final int PIECE = 512 * 1024;

  private final Path file;
  private final AsynchronousFileChannel channel;

  private final @Nullable Object key;

  DiskFile(Path file, AsynchronousFileChannel channel) throws IOException {
    this.file = file;
    this.channel = channel;
    this.key = keyOf(file);
  }

  private static @Nullable Object keyOf(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  @Override
  public long size() throws IOException {
    return channel.size();
  }

  @Override
  public int read(long position, byte[] target, int offset, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(target, offset, length);
    while (buffer.hasRemaining()) {
      int at = buffer.position() - offset;
      if (await(channel.read(buffer, position + at)) < 0) {
        return at;
      }
    }
    return length;
  }

  @Override
  public void write(long position, byte[] source, int offset, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(source, offset, length);
    int end = offset + length;
    while (buffer.position() < end) {
      int at = buffer.position() - offset;
      buffer.limit(Math.min(end, buffer.position() + PIECE));
      if (await(channel.write(buffer, position + at)) <= 0) {
        throw new IOException("write made no progress: file=" + file + " offset=" + position);
      }
    }
  }

  @Override
  public void truncate(long size) throws IOException {
    channel.truncate(size);
  }

  @Override
  public void force(boolean metadata) throws IOException {
    channel.force(metadata);
  }

  /** Maps through a channel of its own, which an interrupt may close: then once more. */
  @Override
  public @Nullable ByteBuffer map(long position, long length) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        interrupted |= Thread.interrupted();
        try (FileChannel mapper = FileChannel.open(file, StandardOpenOption.READ)) {
          ByteBuffer mapped = mapper.map(FileChannel.MapMode.READ_ONLY, position, length);
          return Objects.equals(key, keyOf(file)) ? mapped : null; // The name may lead elsewhere.
        } catch (ClosedByInterruptException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private static int await(Future<Integer> result) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return result.get();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException io) {
        throw io;
      }
      throw new IOException("file operation failed: cause=" + e.getCause(), e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
