package dev.coffer.cli;

import dev.coffer.vfs.Durability;
import dev.coffer.vfs.Packing;
import dev.coffer.vfs.PathException;
import dev.coffer.vfs.VirtualFileStore;
import dev.coffer.vfs.WriteBatch;
import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Adds what a scan finds to a store, in the scan's order. Small files are read ahead by several
 * threads; one thread packs them, so equal trees make equal stores. Commits as it goes.
 *
 * <p>For one thread. Ended by {@link #finish}; closed without it, the store stays marked as an
 * incomplete pack.
 */
final class Packer implements TreeScanner.Sink, Closeable {
  /** How many packed bytes, and how many entries, are committed together. */
  private static final long BATCH_BYTES = 64L << 20;

  private static final int BATCH_ENTRIES = 50_000;

  /** Up to this length a file is read ahead, whole. */
  private static final int SMALL = 1 << 20;

  /** How much is read ahead: bytes, and entries (each may hold a folder open). */
  private static final long AHEAD_BYTES = 16L << 20;

  private static final int AHEAD_ENTRIES = 256;

  /** An entry found and not yet added; {@code ahead} is null unless it is a small file. */
  private record Pending(
      String path,
      FileMeta meta,
      @Nullable String target,
      @Nullable Folder folder,
      String name,
      @Nullable Future<byte[]> ahead) {}

  /** A file that is packed could not be read; the store is well. */
  private static final class SourceException extends IOException {
    private static final long serialVersionUID = 1L;

    SourceException(IOException cause) {
      super(cause);
    }
  }

  private final VirtualFileStore store;
  private final Console console;
  private final ExecutorService readers =
      Executors.newFixedThreadPool(
          Runtime.getRuntime().availableProcessors(),
          task -> {
            Thread thread = new Thread(task, "coffer-read");
            thread.setDaemon(true);
            return thread;
          });
  private final ArrayDeque<Pending> pending = new ArrayDeque<>();
  private long pendingBytes;
  private WriteBatch batch;
  private int batchEntries;
  private boolean committed;
  private long entries;
  private long plainBytes;

  /**
   * Marks the store as incomplete, durably enough to outlive this process, before anything else.
   */
  Packer(VirtualFileStore store, Console console) throws IOException {
    this.store = store;
    this.console = console;
    try (WriteBatch mark = store.newBatch()) {
      mark.setProperty(Stores.PACK_PROPERTY, Stores.PACK_INCOMPLETE);
      mark.commit(Durability.PROCESS);
    }
    this.batch = store.newBatch(Packing.CLUSTERED);
  }

  @Override
  public void folder(String path, FileMeta meta) throws IOException {
    enqueue(new Pending(path, meta, null, null, "", null));
  }

  @Override
  public void link(String path, FileMeta meta, String target) throws IOException {
    enqueue(new Pending(path, meta, target, null, "", null));
  }

  @Override
  public void file(String path, FileMeta meta, Folder folder, String name) throws IOException {
    folder.hold();
    Future<byte[]> ahead = null;
    if (meta.length() <= SMALL) {
      ahead = readers.submit(() -> readWhole(folder, name, (int) meta.length()));
      pendingBytes += meta.length();
    }
    enqueue(new Pending(path, meta, null, folder, name, ahead));
  }

  private void enqueue(Pending entry) throws IOException {
    pending.add(entry);
    while (pendingBytes > AHEAD_BYTES || pending.size() > AHEAD_ENTRIES) {
      addNext();
    }
  }

  private void addNext() throws IOException {
    Pending entry = pending.remove();
    try {
      add(entry);
      entries++;
    } catch (SourceException e) {
      console.fail(entry.path, e.getCause() == null ? e : e.getCause());
    } catch (PathException e) {
      console.fail(entry.path, e);
    } finally {
      if (entry.folder != null) {
        entry.folder.close();
      }
      if (entry.ahead != null) {
        pendingBytes -= entry.meta.length();
      }
    }
    batchEntries++;
    if (batch.packedBytes() >= BATCH_BYTES || batchEntries >= BATCH_ENTRIES) {
      commit();
    }
  }

  private void commit() throws IOException {
    committed = true;
    batch.commit(Durability.PROCESS);
    batch.close();
    batch = store.newBatch(Packing.CLUSTERED);
    batchEntries = 0;
  }

  private void add(Pending entry) throws IOException {
    if (entry.target != null) {
      batch.createSymbolicLink(entry.path, entry.target, entry.meta.attributes());
    } else if (entry.folder == null) {
      batch.createDirectories(entry.path);
      batch.setAttributes(entry.path, entry.meta.attributes());
    } else {
      addFile(entry, entry.folder);
    }
  }

  private void addFile(Pending entry, Folder folder) throws IOException {
    byte[] content = entry.ahead == null ? null : await(entry.ahead);
    long length;
    if (content != null && content.length <= SMALL) {
      batch.write(entry.path, content, entry.meta.attributes());
      length = content.length;
    } else {
      length = addStream(entry, folder);
    }
    plainBytes += length;
    if (length != entry.meta.length()) {
      console.fail(entry.path, "changed while it was read; packed as it was found");
    }
  }

  private long addStream(Pending entry, Folder folder) throws IOException {
    try (SourceStream content = SourceStream.open(folder, entry.name)) {
      batch.write(entry.path, content, entry.meta.attributes());
      return content.length;
    }
  }

  private static byte[] await(Future<byte[]> ahead) throws IOException {
    try {
      return ahead.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException io) {
        throw new SourceException(io);
      }
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SourceException(new IOException("interrupted", e));
    }
  }

  /** Reads a file that should have a certain length; answers more than SMALL if it has too much. */
  private static byte[] readWhole(Folder folder, String name, int expected) throws IOException {
    byte[] content = new byte[expected + 1];
    int length = 0;
    try (SeekableByteChannel channel = folder.read(name)) {
      int n = 0;
      while (n >= 0 && length <= SMALL) {
        if (length == content.length) {
          content = Arrays.copyOf(content, SMALL + 1);
        }
        n = channel.read(ByteBuffer.wrap(content, length, content.length - length));
        length += Math.max(n, 0);
      }
    }
    return Arrays.copyOf(content, length);
  }

  /**
   * Adds what is left, forces all of it, and then marks the store as complete. The mark is a commit
   * of its own, so that a file cut within its last bytes keeps its entries.
   */
  void finish() throws IOException {
    while (!pending.isEmpty()) {
      addNext();
    }
    committed = true;
    if (batchEntries > 0) {
      batch.commit(Durability.SYNC);
    } else {
      store.force();
    }
    try (WriteBatch mark = store.newBatch()) {
      mark.setProperty(Stores.PACK_PROPERTY, Stores.PACK_COMPLETE);
      mark.commit(Durability.SYNC);
    }
  }

  /** Whether any content may be in the store. */
  boolean hasCommitted() {
    return committed;
  }

  long entries() {
    return entries;
  }

  long plainBytes() {
    return plainBytes;
  }

  @Override
  public void close() throws IOException {
    readers.shutdownNow();
    batch.close();
    for (Pending entry : pending) {
      if (entry.folder != null) {
        entry.folder.close();
      }
    }
    pending.clear();
  }

  /** A file's content; marks its own failures, and counts. */
  private static final class SourceStream extends FilterInputStream {
    private long length;

    private SourceStream(InputStream in) {
      super(in);
    }

    static SourceStream open(Folder folder, String name) throws SourceException {
      try {
        return new SourceStream(Channels.newInputStream(folder.read(name)));
      } catch (IOException e) {
        throw new SourceException(e);
      }
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int from, int count) throws IOException {
      try {
        int n = in.read(bytes, from, count);
        length += Math.max(n, 0);
        return n;
      } catch (IOException e) {
        throw new SourceException(e);
      }
    }
  }
}
