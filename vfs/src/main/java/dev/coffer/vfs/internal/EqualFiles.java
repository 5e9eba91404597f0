package dev.coffer.vfs.internal;

import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.EntryKind;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Finds files of a batch that have the same bytes as an earlier one. A checksum tells which may
 * have, reading the earlier one whether it has. Thread-safe.
 */
final class EqualFiles {
  /** Less is not worth a look-up, nor a chunk that can be shared. */
  private static final int MIN_LENGTH = 1024;

  /** So many files are remembered; about 100 bytes each. */
  private static final int MAX_FILES = 100_000;

  private static final Attributes ANY = Attributes.of(Attributes.FILE_MODE, Instant.EPOCH);

  private record Sum(int length, int checksum) {}

  private final Backend backend;
  private final ContentReader contents;
  private final Map<Sum, FileWrite> first = new HashMap<>();

  EqualFiles(Backend backend, ContentReader contents) {
    this.backend = backend;
    this.contents = contents;
  }

  private static Sum sum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, bytes.length);
    return new Sum(bytes.length, (int) crc.getValue());
  }

  /**
   * An earlier file with these bytes, or null; one that is being packed is not known yet, nor
   * needed: what is packed together with its equal takes next to nothing.
   */
  @Nullable FileWrite find(byte[] bytes) throws StoreException {
    if (bytes.length < MIN_LENGTH) {
      return null;
    }
    Sum sum = sum(bytes);
    FileWrite known;
    synchronized (this) {
      known = first.get(sum);
    }
    Content content = known == null ? Content.NONE : known.content();
    if (known == null || content == Content.NONE) {
      return null;
    }
    Entry entry = new Entry(known.key(), EntryKind.FILE, 0, bytes.length, ANY, null, content);
    return Arrays.equals(bytes, contents.readAll(backend, entry)) ? known : null;
  }

  /** Remembers a file, if none is known that has its checksum. */
  void add(byte[] bytes, FileWrite write) {
    if (bytes.length >= MIN_LENGTH) {
      Sum sum = sum(bytes);
      synchronized (this) {
        if (first.size() < MAX_FILES) {
          first.putIfAbsent(sum, write);
        }
      }
    }
  }
}
