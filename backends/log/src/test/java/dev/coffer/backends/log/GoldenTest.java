package dev.coffer.backends.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.EntryKind;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.PackedChunk;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Pins the bytes of the file header and of every kind of record that is written today. */
class GoldenTest {
  private static final Instant TIME = Instant.ofEpochSecond(1_700_000_000L, 123_456_789);
  private static final byte[] BYTES = "packed".getBytes(StandardCharsets.UTF_8);
  private static final long OFFSET = 0x1234;

  static Map<String, String> actual() throws IOException {
    Map<String, String> golden = new LinkedHashMap<>();
    FileHeader header = new FileHeader(new Features(1, 2, 0), 0x1122334455667788L, false, 0, TIME);
    golden.put("header", HexFormat.of().formatHex(header.encode()));
    PackedChunk chunk = PackedChunk.of(false, 1, 99, 10, BYTES);
    byte[] chunkMeta = ChunkLayout.of(chunk).encode();
    golden.put("chunk", record(RecordKind.CHUNK, 7, chunkMeta, BYTES));
    golden.put("put-inline", put("/a/b", EntryKind.FILE, 10, new Content.Packed(chunk), null));
    golden.put(
        "put-located",
        put("/a/b", EntryKind.FILE, 10, new LogContent(null, 0, 300, 10, 1, 99, 6, 5), null));
    golden.put(
        "put-chunk",
        put("/c", EntryKind.FILE, 4, new Content.Chunk(7, 3, 10, 1, 99, 6, 0x01020304), null));
    golden.put(
        "put-table",
        put("/t", EntryKind.FILE, 1 << 20, new Content.Table(9, -1, 4096, 77777, 1), null));
    golden.put("put-directory", put("/", EntryKind.DIRECTORY, 0, Content.NONE, null));
    golden.put("put-link", put("/l", EntryKind.SYMBOLIC_LINK, 1, Content.NONE, "x"));
    byte[] key = EntryLayout.encodeKey(Keys.encode(EntryKey.of("/a/b")));
    golden.put("delete", record(RecordKind.DELETE, 42, key, new byte[0]));
    byte[] property = new PropertyLayout("name", "value").encode();
    golden.put("property", record(RecordKind.PROPERTY, 42, property, new byte[0]));
    golden.put("dictionary", record(RecordKind.DICTIONARY, 99, DictionaryLayout.encode(5), BYTES));
    byte[] commit = new CommitLayout(TIME, 1, 2, 3, 4, 5, 6, 7).encode();
    golden.put("commit", record(RecordKind.COMMIT, 42, commit, new byte[0]));
    byte[] epoch = new EpochLayout(TIME, new Features(1, 2, 4), 41).encode();
    golden.put("epoch", record(RecordKind.EPOCH, 3, epoch, new byte[0]));
    byte[] trailer = new TrailerLayout(1, 2, 3, 4, 5, 6, TIME).encode();
    golden.put("trailer", record(RecordKind.TRAILER, 42, trailer, new byte[0]));
    ManifestLayout manifest =
        new ManifestLayout(
            new FileHeader(
                new Features(0, 0, Features.FOLDER), 0x1122334455667788L, false, 0, TIME),
            6,
            List.of(new SegmentInfo(2, 300, 4, 5, 1, 200, true, false), SegmentInfo.fresh(0x1234)));
    golden.put("manifest", HexFormat.of().formatHex(manifest.encode()));
    golden.put(
        "sealed-header",
        HexFormat.of()
            .formatHex(
                new FileHeader(new Features(0, 0, Features.SEALED), 7, true, 0, TIME, 0x1234)
                    .encode()));
    golden.put("seal", record(RecordKind.SEAL, 42, new byte[32], new byte[0]));
    index(golden);
    golden.put("move", record(RecordKind.MOVE, 42, commit, new byte[0]));
    golden.put("block", block(chunk));
    return golden;
  }

  /** Too short to shrink, so that its bytes are not those of one version of zstd. */
  private static String block(PackedChunk chunk) throws IOException {
    Entry entry =
        new Entry(
            EntryKey.of("/a/b"),
            EntryKind.FILE,
            42,
            10,
            Attributes.of(0640, TIME),
            null,
            new Content.Packed(chunk));
    EntryBlock block = new EntryBlock();
    assertEquals(0, block.add(EntryLayout.encode(new BytesOut(64), entry, true), 42, chunk));
    byte[] key = EntryLayout.encodeKey(Keys.encode(EntryKey.of("/a/c")));
    assertEquals(BYTES.length, block.add(key, 41, null));
    return record(RecordKind.BLOCK, 42, block.pack().meta(), BYTES);
  }

  private static void index(Map<String, String> golden) throws IOException {
    ChunkLayout layout = new ChunkLayout(10, 0x01020304, 99, 1, true);
    golden.put(
        "chunk-table",
        table(TableFormat.CHUNKS, 7L, new ChunkInfo(2, 300, 6, layout, 5, true, true)));
    golden.put("shared-table", table(TableFormat.SHARED, new Location(2, 300), 5));
    PartSample.Part part =
        PartSample.Part.of(
            List.of(PartSample.row(PartSample.key("/a/b"), 42, 0, -1, new byte[] {1, 2, 3})));
    golden.put("index-part", record(RecordKind.INDEX_PART, 0, new byte[0], part.bytes()));
    RunInfo inLog =
        new RunInfo(
            List.of(new RunInfo.Entries(new RunInfo.Place(true, 2, 300, 128), part.info())),
            new RunInfo.Table(new RunInfo.Place(true, 2, 500, 50), 1),
            null);
    RunInfo beside =
        new RunInfo(List.of(), null, new RunInfo.Table(new RunInfo.Place(false, 0, 3, 20), 1));
    IndexRoot root =
        new IndexRoot(
            3,
            new Location(2, 1000),
            900,
            0x01020304,
            new Features(1, 2, 4),
            42,
            5,
            6,
            7,
            8,
            Map.of(2, 77L),
            new TreeMap<>(Map.of("name", "value")),
            Map.of(99L, new DictionaryInfo(2, 400, 6, 5)),
            List.of(9L),
            List.of(beside, inLog));
    golden.put("index-root", record(RecordKind.INDEX_ROOT, 42, root.encode(), new byte[0]));
    FaultyStorage storage = new FaultyStorage();
    Path folder = Path.of("/.golden.index");
    new IndexFiles(storage, folder, 0x1122334455667788L).publish(root);
    golden.put("root-file", HexFormat.of().formatHex(storage.bytes(folder.resolve("root"))));
  }

  private static <K extends Comparable<K>, V> String table(TableFormat<K, V> format, K key, V value)
      throws IOException {
    BytesOut out = new BytesOut(64);
    TablePart.Writer writer = new TablePart.Writer((b, at, n) -> out.raw(b, at, n), format);
    writer.add(format.row(key, value));
    assertEquals(1, writer.finish());
    return HexFormat.of().formatHex(out.toByteArray());
  }

  private static String put(
      String path, EntryKind kind, long length, Content content, String target) throws IOException {
    TreeMap<String, byte[]> user = new TreeMap<>();
    user.put("tag", new byte[] {1, 2});
    Attributes attributes =
        Attributes.of(0640, TIME)
            .withAccessed(Instant.ofEpochSecond(-5, 1))
            .withOwner("me", "us")
            .withUser(user);
    Entry entry = new Entry(EntryKey.of(path), kind, 42, length, attributes, target, content);
    byte[] meta = EntryLayout.encode(entry);
    byte[] bytes = content instanceof Content.Packed ? BYTES : new byte[0];
    Row row = EntryLayout.row(meta, 42, 0, OFFSET, bytes.length);
    Entry decoded = EntryLayout.decode(null, row);
    assertEquals(entry.withContent(Content.NONE), decoded.withContent(Content.NONE));
    return record(RecordKind.PUT, 42, meta, bytes);
  }

  private static String record(int kind, long number, byte[] meta, byte[] content)
      throws IOException {
    FaultyStorage storage = new FaultyStorage();
    Path file = Path.of("/golden");
    Appender appender =
        new Appender(
            new java.util.concurrent.locks.ReentrantLock(),
            file,
            storage.create(file),
            new RecordHeader.Home(0x1122334455667788L, 0),
            3,
            OFFSET,
            false);
    appender.append(kind, number, meta, content, 0, content.length);
    appender.write();
    byte[] bytes = storage.bytes(file);
    return HexFormat.of().formatHex(bytes, (int) OFFSET, bytes.length);
  }

  @Test
  void everyKindIsAsItAlwaysWas() throws IOException {
    List<String> actual = new ArrayList<>();
    actual().forEach((name, hex) -> actual.add(name + " " + hex));
    try (InputStream in = GoldenTest.class.getResourceAsStream("/golden/records.txt")) {
      byte[] expected = Objects.requireNonNull(in).readAllBytes();
      assertEquals(new String(expected, StandardCharsets.UTF_8).lines().toList(), actual);
    }
  }
}
