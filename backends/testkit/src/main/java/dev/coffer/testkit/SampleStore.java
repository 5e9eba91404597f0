package dev.coffer.testkit;

import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.Durability;
import dev.coffer.vfs.EntryKind;
import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.Change;
import dev.coffer.vfs.spi.ChunkBuffer;
import dev.coffer.vfs.spi.Commit;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.PackedChunk;
import dev.coffer.vfs.spi.ScanRange;
import dev.coffer.vfs.spi.TablePage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/** Small stores to damage, and what they hold told as one line an entry. */
public final class SampleStore {
  private static final Instant TIME = Instant.parse("2026-03-04T05:06:07.123456789Z");

  private SampleStore() {}

  /** A raw chunk of random bytes. */
  public static PackedChunk chunk(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return PackedChunk.of(false, 0, 0, length, bytes);
  }

  /** A file of some content. */
  public static Entry file(String path, long version, long length, Content content) {
    return new Entry(
        EntryKey.of(path),
        EntryKind.FILE,
        version,
        length,
        Attributes.of(0640, TIME),
        null,
        content);
  }

  /** Puts new files, or replaces or deletes what is there, in one commit. */
  public static void commit(Backend backend, Durability durability, Change... changes)
      throws StoreException {
    List<Change> sorted = new ArrayList<>(List.of(changes));
    sorted.sort((a, b) -> a.key().compareTo(b.key()));
    backend.commit(
        new Commit(backend.sequence() + 1, TIME, sorted, new TreeMap<>(), List.of()), durability);
  }

  /** What puts a file of random bytes, packed, or replaces one. */
  public static Change put(Backend backend, String path, int length, long seed)
      throws StoreException {
    Entry entry =
        file(path, backend.sequence() + 1, length, new Content.Packed(chunk(length, seed)));
    return new Change(entry.key(), backend.lookup(entry.key()), entry);
  }

  /** What deletes an entry that is there. */
  public static Change delete(Backend backend, String path) throws StoreException {
    EntryKey key = EntryKey.of(path);
    return new Change(key, backend.lookup(key), null);
  }

  /** Stages so many chunks and a page, and puts a file of them. */
  public static Change putTable(Backend backend, String path, int chunks) throws StoreException {
    List<PackedChunk> staged = new ArrayList<>();
    for (int i = 0; i < chunks; i++) {
      staged.add(chunk(4096, i));
    }
    long[] ids = backend.stage(staged);
    int[] checksums = staged.stream().mapToInt(PackedChunk::checksum).toArray();
    byte[] bytes = TablePage.encode(ids, checksums, ids.length);
    PackedChunk page = PackedChunk.of(true, 0, 0, bytes.length, bytes);
    long root = backend.stage(List.of(page))[0];
    Content table =
        new Content.Table(root, page.checksum(), 4096, 4096L * chunks + bytes.length, 0);
    Entry entry = file(path, backend.sequence() + 1, 4096L * chunks, table);
    return new Change(entry.key(), backend.lookup(entry.key()), entry);
  }

  /** Puts twenty small, ten middling and two large files and a property into a new store. */
  public static void fill(Backend backend) throws StoreException {
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      changes.add(put(backend, "/small/s" + i, 40 + 17 * i, i));
    }
    for (int i = 0; i < 10; i++) {
      changes.add(put(backend, "/m" + i, 1000 + 300 * i, 100 + i));
    }
    changes.add(putTable(backend, "/large/a", 5));
    changes.add(putTable(backend, "/large/b", 3));
    SortedMap<String, String> properties = new TreeMap<>();
    properties.put("colour", "blue");
    changes.sort((a, b) -> a.key().compareTo(b.key()));
    backend.commit(new Commit(1, TIME, changes, properties, List.of()), Durability.SYNC);
  }

  /**
   * Everything a store returns, each value checked as the store above checks it.
   *
   * @throws StoreException at the first damage
   */
  public static SortedMap<String, String> dump(Backend backend) throws StoreException {
    SortedMap<String, String> dump = new TreeMap<>();
    for (Entry entry : backend.scan(ScanRange.ALL, null, 10_000)) {
      dump.put(entry.key().path(), describe(backend, entry));
    }
    backend.properties().forEach((name, value) -> dump.put("property " + name, value));
    return dump;
  }

  /** Kind, length, time, mode and a checksum of all bytes read. */
  public static String describe(Backend backend, Entry entry) throws StoreException {
    CRC32C crc = new CRC32C();
    Content content = entry.content();
    if (content instanceof Content.Packed packed) {
      add(crc, packed.chunk(), packed.chunk().checksum());
    } else if (content instanceof Content.Chunk chunk) {
      add(crc, read(backend, chunk.id()), chunk.checksum());
    } else if (content instanceof Content.Table table) {
      PackedChunk page = read(backend, table.rootId());
      add(crc, page, table.checksum());
      for (int i = 0; i < TablePage.count(page.length()); i++) {
        add(crc, read(backend, TablePage.id(page.bytes(), i)), TablePage.checksum(page.bytes(), i));
      }
    }
    return entry.kind()
        + " "
        + entry.length()
        + " "
        + entry.attributes().modified()
        + " "
        + entry.attributes().mode()
        + " "
        + crc.getValue();
  }

  private static PackedChunk read(Backend backend, long id) throws StoreException {
    ChunkBuffer buffer = new ChunkBuffer();
    if (!backend.readChunk(id, buffer)) {
      throw new StoreCorruptException("content is missing: id=" + id);
    }
    return buffer.toChunk();
  }

  private static void add(CRC32C crc, PackedChunk chunk, int checksum) throws StoreException {
    byte[] bytes =
        Arrays.copyOfRange(chunk.bytes(), chunk.offset(), chunk.offset() + chunk.length());
    if (PackedChunk.checksum(bytes, 0, bytes.length) != checksum) {
      throw new StoreCorruptException("content does not match its checksum");
    }
    crc.update(bytes);
  }

  /** Everything verify tells. */
  public static List<Problem> verify(Backend backend) throws StoreException {
    List<Problem> problems = new ArrayList<>();
    backend.verify(problems::add);
    return problems;
  }
}
