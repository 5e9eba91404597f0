package dev.coffer.backends.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
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

  private volatile Path file;
  private final AsynchronousFileChannel channel;

  private final @Nullable Object key;
  private volatile boolean locked;

  private final UnsafeMappings unsafe;

  /**
   * @param key the file key of what the channel is on, or null if there are none
   */
  DiskFile(
      Path file, AsynchronousFileChannel channel, @Nullable Object key, UnsafeMappings unsafe) {
    this.file = file;
    this.channel = channel;
    this.key = key;
    this.unsafe = unsafe;
  }

  @Override
  public void renamedTo(Path name) {
    file = name;
  }

  static @Nullable Object keyOf(Path file) throws IOException {
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

  /**
   * Locks one byte that no file has, since on some systems nobody can read what is locked. The
   * channel is the one that everything but mapping goes through.
   */
  @Override
  public boolean tryLock() throws IOException {
    locked =
        LockedFiles.lock(
            key,
            () -> {
              try {
                return channel.tryLock(Long.MAX_VALUE - 1, 1, false) != null;
              } catch (OverlappingFileLockException e) {
                return false;
              }
            });
    return locked;
  }

  /**
   * Maps through a channel of its own. An interrupt would close that, and a lock on the file be
   * lost with it, whoever has it: so a thread that nobody interrupts does it.
   */
  @Override
  public @Nullable ByteBuffer map(long position, long length) throws IOException {
    if (unsafe.isUnsafe(file)) {
      return null;
    }
    FutureTask<@Nullable ByteBuffer> task = new FutureTask<>(() -> mapHere(position, length));
    Thread thread = new Thread(task, "coffer-log-map");
    thread.setDaemon(true);
    thread.start();
    return await(task);
  }

  private @Nullable ByteBuffer mapHere(long position, long length) throws IOException {
    FileChannel waiting = LockedFiles.reuse(key, FileChannel.class);
    FileChannel mapper =
        waiting == null ? FileChannel.open(file, StandardOpenOption.READ) : waiting;
    try {
      ByteBuffer mapped = mapper.map(FileChannel.MapMode.READ_ONLY, position, length);
      return Objects.equals(key, keyOf(file)) ? mapped : null; // The name may lead elsewhere.
    } finally {
      LockedFiles.close(key, mapper);
    }
  }

  @Override
  public void close() throws IOException {
    if (locked) {
      LockedFiles.unlock(key, channel);
    } else {
      LockedFiles.close(key, channel);
    }
  }

  private static <T extends @Nullable Object> T await(Future<T> result) throws IOException {
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
