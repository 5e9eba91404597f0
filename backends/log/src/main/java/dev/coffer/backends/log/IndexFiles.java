package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.PackedChunk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The folder beside a store that holds the runs made while it is open, and the root that names
 * them. All of it is derived from the log: it may be lost or deleted without loss.
 *
 * <pre>
 *   root file:  magic 8 bytes | store id u64 | length u32 | payload | crc u32 (of all before)
 * </pre>
 */
final class IndexFiles {
  private static final byte[] MAGIC = {(byte) 0x89, 'C', 'F', 'I', 0x0d, 0x0a, 0x1a, 0x0a};
  private static final int HEAD = 20;
  private static final int MAX_ROOT = 64 * 1024 * 1024;
  private static final String PART = "part-";

  private final Storage storage;
  private final Path folder;
  private final long storeId;
  private final List<Storage.OpenFile> unmapped = new ArrayList<>();

  /** Parts being written, which no root names yet. */
  private final Set<Path> writing = new HashSet<>();

  private long nextNumber = 1;
  private boolean made;

  /** The files in a folder, which need not exist. */
  IndexFiles(Storage storage, Path folder, long storeId) {
    this.storage = storage;
    this.folder = folder;
    this.storeId = storeId;
  }

  /** The folder of a single-file store. */
  static Path beside(Path file) {
    return file.resolveSibling("." + file.getFileName() + ".index");
  }

  private Path rootFile() {
    return folder.resolve("root");
  }

  private Path part(long number) {
    return folder.resolve(PART + number);
  }

  /** A part to be written; on disk from the start, or only if it gets long. */
  synchronized NewPart create(boolean onDisk) throws StoreException {
    if (!made) {
      try {
        storage.createFolder(folder);
        made = true;
      } catch (IOException e) {
        throw Failures.writing(folder, 0, e);
      }
    }
    long number = nextNumber++;
    writing.add(part(number));
    return new NewPart(number, new PartTarget(storage, part(number), onDisk));
  }

  /** A part is named by a root now, or given up. */
  synchronized void written(NewPart part) {
    writing.remove(part(part.number()));
  }

  /** A part being written. */
  record NewPart(long number, PartTarget target) {}

  /** The bytes of a part that is a file here. */
  PartSource open(RunInfo.Place place) throws StoreException {
    Path path = part(place.offset());
    try {
      Storage.OpenFile file = storage.open(path, false);
      boolean kept = false;
      try {
        if (file.size() != place.length()) {
          throw new StoreCorruptException(
              "index part has a wrong length: expected="
                  + place.length()
                  + " found="
                  + file.size()
                  + " file="
                  + path);
        }
        ByteBuffer mapped = place.length() == 0 ? null : file.map(0, place.length());
        if (mapped != null) {
          return new MappedPart(mapped);
        }
        kept = true;
        synchronized (this) {
          unmapped.add(file);
        }
        return new FilePart(path, file, place.length());
      } finally {
        if (!kept) {
          file.close();
        }
      }
    } catch (IOException e) {
      throw Failures.reading(path, e);
    }
  }

  /** Makes a root the one that opening finds, durable with the parts it names. */
  synchronized void publish(IndexRoot root) throws StoreException {
    byte[] payload = root.encode();
    BytesOut out = new BytesOut(payload.length + HEAD + 4);
    out.raw(MAGIC).u64(storeId).u32(payload.length).raw(payload);
    out.u32(PackedChunk.checksum(out.bytes(), 0, out.length()));
    Path young = folder.resolve("root.new");
    try {
      storage.createFolder(folder);
      try (Storage.OpenFile file = storage.create(young)) {
        file.write(0, out.bytes(), 0, out.length());
        file.force(true);
      }
      storage.rename(young, rootFile());
      storage.forceDirectory(folder);
    } catch (IOException e) {
      throw Failures.writing(young, out.length(), e);
    }
    made = true;
  }

  /** The root, or null if there is none that is whole and of this store. */
  @Nullable IndexRoot read() throws StoreException {
    if (!storage.exists(rootFile())) {
      return null;
    }
    try (Storage.OpenFile file = storage.open(rootFile(), false)) {
      long size = file.size();
      if (size < HEAD + 4 || size > MAX_ROOT) {
        return null;
      }
      byte[] bytes = new byte[(int) size];
      if (file.read(0, bytes, 0, bytes.length) < bytes.length) {
        return null;
      }
      return decode(bytes);
    } catch (StoreCorruptException e) {
      return null; // The log has it all.
    } catch (IOException e) {
      throw Failures.reading(rootFile(), e);
    }
  }

  private @Nullable IndexRoot decode(byte[] bytes) throws StoreCorruptException {
    BytesIn in = new BytesIn(bytes);
    boolean ours = java.util.Arrays.equals(in.raw(MAGIC.length), MAGIC) && in.u64() == storeId;
    if (!ours || in.u32() != bytes.length - HEAD - 4) {
      return null;
    }
    byte[] payload = in.raw(bytes.length - HEAD - 4);
    return in.u32() == PackedChunk.checksum(bytes, 0, bytes.length - 4)
        ? IndexRoot.decode(payload)
        : null;
  }

  /** Deletes parts that the root does not name; for the writer. */
  synchronized void keepOnly(@Nullable IndexRoot root) throws StoreException {
    Set<Path> kept = new HashSet<>(writing);
    if (root != null) {
      kept.add(rootFile());
      for (RunInfo run : root.runs()) {
        for (RunInfo.Place place : run.places()) {
          if (!place.inLog()) {
            kept.add(part(place.offset()));
          }
        }
      }
    }
    try {
      for (Path each : storage.list(folder)) {
        String name = String.valueOf(each.getFileName());
        nextNumber = Math.max(nextNumber, numberOf(name) + 1);
        if (!kept.contains(each) && (name.startsWith(PART) || name.startsWith("root"))) {
          storage.delete(each);
        }
      }
      if (kept.isEmpty()) {
        storage.delete(folder);
        made = false;
      }
    } catch (IOException e) {
      throw Failures.writing(folder, 0, e);
    }
  }

  private static long numberOf(String name) {
    try {
      return name.startsWith(PART) ? Long.parseLong(name, PART.length(), name.length(), 10) : 0;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** Lets go of files that could not be mapped. */
  synchronized void close() {
    for (Storage.OpenFile file : unmapped) {
      try {
        file.close();
      } catch (IOException e) {
        // It was only read from.
      }
    }
    unmapped.clear();
  }

  /** A mapped part; copied from in bulk, since only that fails in a way that can be caught. */
  private record MappedPart(ByteBuffer mapped) implements PartSource {
    @Override
    public void read(long offset, byte[] target, int targetOffset, int length)
        throws StoreException {
      try {
        Objects.checkFromIndexSize(offset, length, mapped.limit());
        mapped.get((int) offset, target, targetOffset, length);
      } catch (IndexOutOfBoundsException | InternalError e) {
        throw new StoreCorruptException(
            "index part is too short: length=" + length, null, offset, e);
      }
    }

    @Override
    public long length() {
      return mapped.limit();
    }
  }

  /** A part read from its file. */
  private record FilePart(Path path, Storage.OpenFile file, long length) implements PartSource {
    @Override
    public void read(long offset, byte[] target, int targetOffset, int count)
        throws StoreException {
      try {
        if (file.read(offset, target, targetOffset, count) < count) {
          throw new StoreCorruptException(
              "index part is too short: length=" + count, null, offset, null);
        }
      } catch (IOException e) {
        throw Failures.reading(path, e);
      }
    }
  }
}
