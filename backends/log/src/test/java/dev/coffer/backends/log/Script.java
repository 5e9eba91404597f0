package dev.coffer.backends.log;

import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.Durability;
import dev.coffer.vfs.EntryKind;
import dev.coffer.vfs.Layout;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.BackendOptions;
import dev.coffer.vfs.spi.Change;
import dev.coffer.vfs.spi.ChunkBuffer;
import dev.coffer.vfs.spi.Commit;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.PackedChunk;
import dev.coffer.vfs.spi.ScanRange;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A store driven by seeded random commits, which notes after each what the store must hold and how
 * many steps of its storage had been taken when it was acknowledged.
 */
final class Script {
  static final Path FILE = Path.of("/stores/script.coffer");

  /** What was promised, and when. */
  record Promise(int steps, long sequence, Durability durability) {}

  final FaultyStorage storage;
  final List<Promise> promises = new ArrayList<>();

  /** What the store holds after each commit, by sequence: path to a text of entry and content. */
  final List<SortedMap<String, String>> states = new ArrayList<>();

  private static final List<Durability> DURABILITIES =
      List.of(Durability.BUFFERED, Durability.PROCESS, Durability.SYNC);

  private final Random random;
  private LogBackend backend;

  Script(FaultyStorage storage, long seed) throws StoreException {
    this.storage = storage;
    this.random = new Random(seed);
    states.add(Collections.emptySortedMap());
    reopen();
    promises.add(new Promise(storage.steps(), 0, Durability.SYNC));
  }

  static LogBackend open(Storage storage, boolean readOnly) throws StoreException {
    BackendOptions.Creation creation =
        readOnly ? BackendOptions.Creation.NEVER : BackendOptions.Creation.IF_MISSING;
    Layout layout = storage instanceof FaultyStorage faulty ? faulty.layout : Layout.FILE;
    Tuning tuning = storage instanceof FaultyStorage faulty ? faulty.tuning : Tuning.DEFAULT;
    return LogOpener.open(storage, FILE, new BackendOptions(creation, layout, readOnly), tuning);
  }

  LogBackend backend() {
    return backend;
  }

  private void reopen() throws StoreException {
    backend = open(storage, false);
  }

  /** Runs this many random steps. */
  void run(int count) throws StoreException {
    for (int i = 0; i < count; i++) {
      switch (random.nextInt(12)) {
        case 0 -> {
          backend.force();
          promise(Durability.SYNC);
        }
        case 1 -> {
          backend.close();
          promise(Durability.SYNC);
          reopen();
        }
        case 2 -> {
          while (!backend.compact(Long.MAX_VALUE).done()) {
            // Until it is done.
          }
        }
        case 3 -> {
          var unused = backend.compact(100); // One step, with commits between.
        }
        default -> commit();
      }
    }
  }

  private void promise(Durability durability) {
    promises.add(new Promise(storage.steps(), backend.sequence(), durability));
  }

  private void commit() throws StoreException {
    TreeMap<EntryKey, Change> changes = new TreeMap<>();
    int count = 1 + random.nextInt(5);
    for (int i = 0; i < count; i++) {
      EntryKey key = EntryKey.of("/d" + random.nextInt(3) + "/f" + random.nextInt(6));
      Entry before = backend.lookup(key);
      Entry after = random.nextInt(4) == 0 && before != null ? null : entry(key);
      changes.put(key, new Change(key, before, after));
    }
    long sequence = backend.sequence() + 1;
    SortedMap<String, String> properties = new TreeMap<>();
    properties.put("last", Long.toString(sequence));
    Durability durability = DURABILITIES.get(random.nextInt(3));
    Instant time = Instant.ofEpochSecond(1_700_000_000L + sequence);
    backend.commit(
        new Commit(sequence, time, List.copyOf(changes.values()), properties, List.of()),
        durability);
    states.add(contents(backend));
    promise(durability);
  }

  private Entry entry(EntryKey key) throws StoreException {
    Content content;
    long length;
    List<Entry> others = backend.scan(ScanRange.ALL, null, 50);
    if (random.nextInt(4) == 0 && !others.isEmpty()) {
      Entry other = others.get(random.nextInt(others.size()));
      content = other.content();
      length = other.length();
    } else {
      byte[] bytes = new byte[Math.max(1, random.nextInt(300))];
      random.nextBytes(bytes);
      PackedChunk chunk = PackedChunk.of(false, 0, 0, bytes.length, bytes);
      length = bytes.length;
      if (random.nextInt(3) == 0) {
        long id = backend.stage(List.of(chunk))[0];
        content = new Content.Chunk(id, 0, bytes.length, 0, 0, bytes.length, chunk.checksum());
      } else {
        content = new Content.Packed(chunk);
      }
    }
    Attributes attributes = Attributes.of(0644, Instant.ofEpochSecond(random.nextInt(), 5));
    return new Entry(key, EntryKind.FILE, 0, length, attributes, null, content);
  }

  /** Everything a store holds, each path with its attributes and content; damage as such. */
  static SortedMap<String, String> contents(LogBackend backend) throws StoreException {
    SortedMap<String, String> contents = new TreeMap<>();
    for (Entry entry : backend.scan(ScanRange.ALL, null, Integer.MAX_VALUE)) {
      contents.put(
          entry.key().path(),
          entry.version()
              + " "
              + entry.length()
              + " "
              + entry.attributes().modified()
              + " "
              + content(backend, entry));
    }
    backend.properties().forEach((name, value) -> contents.put("property " + name, value));
    return contents;
  }

  /** The bytes of an entry's content as text, or {@code DAMAGED}. */
  static String content(LogBackend backend, Entry entry) throws StoreException {
    ChunkBuffer buffer = new ChunkBuffer();
    boolean there = true;
    int expected = 0;
    if (entry.content() instanceof Content.Chunk chunk) {
      there = backend.readChunk(chunk.id(), buffer);
      expected = chunk.checksum();
    } else if (entry.content() instanceof Content.Located located) {
      there = backend.readLocated(located, buffer);
      expected = buffer.checksum();
    }
    if (!there
        || PackedChunk.checksum(buffer.bytes(), 0, buffer.length()) != expected
        || buffer.checksum() != expected) {
      return "DAMAGED";
    }
    return Arrays.toString(Arrays.copyOf(buffer.bytes(), buffer.length()));
  }
}
