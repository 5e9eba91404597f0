package dev.coffer.vfs.internal;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.PackedChunk;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Takes the bytes of one file in order and makes its content: one chunk at hand while the file is
 * small, staged chunks and a table once it is not. The chunks of long files are packed in several
 * threads. Holds a few plain chunks for each of these and about a MiB of packed ones. For one
 * thread.
 */
final class ContentWriter {
  /** Packed chunks are staged together from this many bytes on. */
  private static final int STAGE_BYTES = 1024 * 1024;

  /** So many chunks the caller packs itself: handing them over would take about as long. */
  private static final int FIRST_CHUNKS = 2;

  private final Backend backend;
  private final Packer packer;
  private final PackWorkers workers;
  private final int chunkLength;
  private byte[] plain;
  private int filled;
  private long length;
  private long packedBytes;
  private int chunks;
  private final ArrayDeque<Future<PackedChunk>> packing = new ArrayDeque<>();
  private final List<PackedChunk> unstaged = new ArrayList<>();
  private int unstagedBytes;
  private @Nullable TableBuilder table;

  ContentWriter(Backend backend, Packer packer, PackWorkers workers, int chunkLength) {
    this.backend = backend;
    this.packer = packer;
    this.workers = workers;
    this.chunkLength = chunkLength;
    this.plain = new byte[Math.min(chunkLength, 8 * 1024)];
  }

  /** The content of an array of any length; stages nothing if one chunk holds it. */
  static Content ofArray(
      Backend backend, Packer packer, PackWorkers workers, int chunkLength, byte[] bytes)
      throws StoreException {
    if (bytes.length == 0) {
      return Content.NONE;
    }
    if (bytes.length <= chunkLength) {
      return new Content.Packed(packer.pack(bytes, 0, bytes.length));
    }
    ContentWriter writer = new ContentWriter(backend, packer, workers, chunkLength);
    for (int offset = 0; offset < bytes.length; offset += chunkLength) {
      writer.packChunk(bytes, offset, Math.min(chunkLength, bytes.length - offset));
    }
    writer.length = bytes.length;
    return writer.finish();
  }

  /** Takes everything a stream has. */
  void readFrom(InputStream in) throws IOException {
    while (true) {
      makeRoom();
      int read = in.read(plain, filled, plain.length - filled);
      if (read < 0) {
        return;
      }
      if (read > plain.length - filled) {
        throw new IOException(
            "source stream answers more than it was asked for: asked="
                + (plain.length - filled)
                + " read="
                + read);
      }
      filled += read;
      length += read;
    }
  }

  void write(byte[] bytes, int offset, int count) throws StoreException {
    int from = offset;
    int left = count;
    while (left > 0) {
      makeRoom();
      int part = Math.min(left, plain.length - filled);
      System.arraycopy(bytes, from, plain, filled, part);
      filled += part;
      from += part;
      left -= part;
      length += part;
    }
  }

  /** The plain length so far in bytes. */
  long length() {
    return length;
  }

  /** Ends the file and answers its content. */
  Content finish() throws StoreException {
    if (chunks == 0) {
      return filled == 0 ? Content.NONE : new Content.Packed(packer.pack(plain, 0, filled));
    }
    if (filled > 0) {
      packChunk(plain, 0, filled);
      filled = 0;
    }
    drain();
    TableBuilder builder = table();
    TableBuilder.Root root = builder.finish();
    return new Content.Table(
        root.id(),
        root.checksum(),
        chunkLength,
        packedBytes + builder.pageBytes(),
        packer.codecId());
  }

  /** Makes room for at least one byte: grows the buffer up to a chunk, then packs it. */
  private void makeRoom() throws StoreException {
    if (filled < plain.length) {
      return;
    }
    if (plain.length < chunkLength) {
      plain = Arrays.copyOf(plain, Math.min(chunkLength, 4 * plain.length));
    } else {
      byte[] full = plain;
      packChunk(full, 0, filled);
      filled = 0;
      if (!packing.isEmpty()) {
        plain = new byte[chunkLength]; // The full one is being packed.
      }
    }
  }

  /** The bytes must stay as they are until {@link #finish}. */
  private void packChunk(byte[] bytes, int offset, int count) throws StoreException {
    chunks++;
    if (isZero(bytes, offset, count)) {
      drain();
      table().add(0, 0);
    } else if (chunks <= FIRST_CHUNKS) {
      take(packer.pack(bytes, offset, count));
    } else {
      while (packing.size() >= 2 * workers.count()) {
        take(PackWorkers.await(packing.remove()));
      }
      packing.add(workers.submit(() -> packer.pack(bytes, offset, count)));
    }
  }

  /** Stages all there is. */
  private void drain() throws StoreException {
    while (!packing.isEmpty()) {
      take(PackWorkers.await(packing.remove()));
    }
    stage();
  }

  private void take(PackedChunk chunk) throws StoreException {
    unstaged.add(chunk);
    unstagedBytes += chunk.length();
    if (unstagedBytes >= STAGE_BYTES) {
      stage();
    }
  }

  private void stage() throws StoreException {
    if (unstaged.isEmpty()) {
      return;
    }
    long[] ids = backend.stage(unstaged);
    for (int i = 0; i < ids.length; i++) {
      table().add(ids[i], unstaged.get(i).checksum());
    }
    packedBytes += unstagedBytes;
    unstaged.clear();
    unstagedBytes = 0;
  }

  private TableBuilder table() {
    if (table == null) {
      table = new TableBuilder(backend);
    }
    return table;
  }

  private static boolean isZero(byte[] bytes, int offset, int count) {
    if (bytes[offset] != 0) {
      return false;
    }
    // Equal to itself shifted by one, and the first byte is zero.
    return Arrays.equals(bytes, offset, offset + count - 1, bytes, offset + 1, offset + count);
  }
}
