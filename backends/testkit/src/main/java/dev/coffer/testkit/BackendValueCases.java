package dev.coffer.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.coffer.codecs.Dictionary;
import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.PackedChunk;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Attributes, link targets, content of every size and shape, properties and dictionaries. */
abstract class BackendValueCases extends SharedBackendCases {
  private int cases;

  BackendValueCases(BackendContract contract) {
    super(contract);
  }

  private String newPath() {
    return "/case/" + ++cases;
  }

  private void assertKept(String path) throws StoreException {
    Entry entry = Objects.requireNonNull(backend().lookup(EntryKey.of(path)), path);
    assertEquals(fixture().stored(path), Stored.read(backend(), entry));
  }

  private void assertKept(Attributes attributes) throws StoreException {
    String path = newPath();
    begin().file(path, Given.inline(Chunks.raw(1, 40)), attributes).commit();
    assertKept(path);
    String changed = newPath();
    begin().small(changed).commit();
    begin().attributes(changed, attributes).commit();
    assertKept(changed);
  }

  static List<Instant> times() {
    return List.of(
        Instant.EPOCH,
        Instant.ofEpochSecond(0, 1),
        Instant.ofEpochSecond(0, 999_999_999),
        Instant.ofEpochSecond(-1, 999_999_999),
        Instant.ofEpochSecond(-1),
        Instant.ofEpochSecond(-1, 1),
        Instant.parse("1969-12-31T23:59:59.000000001Z"),
        Instant.parse("1900-01-01T00:00:00.123456789Z"),
        Instant.parse("1677-09-21T00:12:43.145224191Z"),
        Instant.parse("0001-01-01T00:00:00Z"),
        Instant.parse("-0001-06-01T00:00:00.5Z"),
        Instant.parse("2026-07-08T09:10:11.123456789Z"),
        Instant.parse("2038-01-19T03:14:08Z"),
        Instant.parse("2106-02-07T06:28:16Z"),
        Instant.parse("2262-04-11T23:47:16.854775808Z"),
        Instant.parse("9999-12-31T23:59:59.999999999Z"),
        Instant.parse("+10000-01-01T00:00:00Z"),
        Instant.parse("+123456-01-01T00:00:00.000000001Z"),
        Instant.MAX,
        Instant.MIN);
  }

  @ParameterizedTest
  @MethodSource("times")
  void timesKeepTheirNanoseconds(Instant time) throws StoreException {
    Attributes plain = CommitBuilder.attributes();
    assertKept(Attributes.of(Attributes.FILE_MODE, time));
    assertKept(plain.withModified(time));
    assertKept(plain.withAccessed(time));
    assertKept(plain.withCreated(time));
    assertKept(plain.withChanged(time));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 07, 070, 0700, 0644, 0755, 0777, 01777, 02755, 04755, 06000, 07777})
  void modesAreKept(int mode) throws StoreException {
    assertKept(CommitBuilder.attributes().withMode(mode));
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {"-,-", "root,-", "-,wheel", "root,wheel", "'',''", "'a b','c;d'", "1000,100"})
  void ownersAreKept(String owner, String group) throws StoreException {
    assertKept(CommitBuilder.attributes().withOwner(owner, group));
  }

  @Test
  void longAndForeignOwnersAreKept() throws StoreException {
    assertKept(CommitBuilder.attributes().withOwner("o".repeat(1000), "\u00fc\ud83d\ude00"));
  }

  static List<Map<String, byte[]>> userAttributes() {
    return List.of(
        Map.of(),
        Map.of("a", new byte[0]),
        Map.of("a", new byte[] {0}),
        Map.of("a", new byte[] {0, -1, 0, 127, -128}, "b", new byte[0], "A", new byte[] {1}),
        Map.of("mime.type", "text/plain".getBytes(StandardCharsets.US_ASCII)),
        Map.of("\u00e9", new byte[] {1}, "e\u0301", new byte[] {2}, "\ud83d\ude00", new byte[] {3}),
        Map.of("with space", new byte[] {1}, "=", new byte[] {2}, "\n", new byte[] {3}),
        Map.of("", new byte[] {1}),
        Map.of("n".repeat(255), Chunks.bytes(5, 255)),
        Map.of("big", Chunks.bytes(6, 65_536)));
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource("userAttributes")
  void userAttributesAreKept(Map<String, byte[]> user) throws StoreException {
    assertKept(CommitBuilder.attributes().withUser(user));
  }

  @Test
  void manyUserAttributesAreKept() throws StoreException {
    Map<String, byte[]> user = new TreeMap<>();
    for (int i = 0; i < 300; i++) {
      user.put("name" + i, Chunks.bytes(i, i));
    }
    assertKept(CommitBuilder.attributes().withUser(user));
  }

  @ParameterizedTest(name = "{index}")
  @ValueSource(
      strings = {
        "a",
        "/",
        ".",
        "..",
        "../../etc/passwd",
        "/absolute",
        "trailing/",
        "//",
        "\u00e9",
        "e\u0301/\ud83d\ude00",
        "with space",
        "new\nline",
        "'",
        "\\"
      })
  void linkTargetsAreKept(String target) throws StoreException {
    String path = newPath();
    begin().link(path, target).commit();
    assertKept(path);
  }

  @ParameterizedTest
  @ValueSource(ints = {255, 256, 1024, 4095, 4096, 20_000})
  void longLinkTargetsAreKept(int length) throws StoreException {
    String path = newPath();
    begin().link(path, "\u00fc".repeat(length / 2)).commit();
    assertKept(path);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        1, 2, 63, 64, 65, 127, 128, 129, 255, 256, 511, 512, 513, 1000, 4095, 4096, 4097, 16_384,
        65_535, 65_536, 262_144, 1_048_576
      })
  void contentOfEverySizeIsKept(int length) throws StoreException {
    String raw = newPath();
    String packed = newPath();
    String sliced = newPath();
    begin()
        .file(raw, Given.inline(Chunks.raw(length, length)))
        .file(packed, Given.inline(Chunks.packed(length, length, 1_048_576)))
        .file(sliced, Given.inline(Chunks.slice(length, length)))
        .commit();
    assertKept(raw);
    assertKept(packed);
    assertKept(sliced);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 64, 513, 4096, 65_536, 262_144, 1_048_576})
  void stagedContentOfEverySizeIsKept(int length) throws StoreException {
    String path = newPath();
    begin()
        .file(path, Given.chunk(backend(), Chunks.packed(length, length, 1_048_576)))
        .file(path + "-sliced", Given.chunk(backend(), Chunks.slice(length, length)))
        .commit();
    assertKept(path);
    assertKept(path + "-sliced");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 7, 127, 255})
  void codecIdsAreKept(int codecId) throws StoreException {
    String path = newPath();
    PackedChunk chunk = PackedChunk.of(false, codecId, 0, 999, Chunks.bytes(codecId, 600));
    begin()
        .file(path, Given.inline(chunk))
        .file(path + "s", Given.chunk(backend(), chunk))
        .commit();
    assertKept(path);
    assertKept(path + "s");
  }

  @ParameterizedTest
  @EnumSource
  void contentOfEveryShapeIsKept(Shape shape) throws StoreException {
    String path = newPath();
    begin().file(path, shape.make(backend(), 4711)).commit();
    assertKept(path);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 127, 128, 255})
  void bytesOfOneValueAreKept(int value) throws StoreException {
    byte[] bytes = new byte[5000];
    Arrays.fill(bytes, (byte) value);
    String path = newPath();
    begin().file(path, Given.inline(PackedChunk.of(false, 0, 0, bytes.length, bytes))).commit();
    assertKept(path);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 1023, 1024, 1025})
  void tablesAroundAPagesEdgeAreKept(int chunks) throws StoreException {
    String path = newPath();
    begin().file(path, Given.table(backend(), Shape.leaves(chunks, chunks), 4096, 100)).commit();
    assertKept(path);
  }

  @Test
  void propertiesAreSetReplacedAndDeleted() throws StoreException {
    begin().property("p1", "a").property("p2", "b").commit();
    assertEquals(fixture().properties(), backend().properties());
    begin().property("p1", "c").property("p2", "").property("p3", "x".repeat(5000)).commit();
    assertEquals(fixture().properties(), backend().properties());
    begin().property("never there", "").commit();
    assertEquals(fixture().properties(), backend().properties());
  }

  @Test
  void propertiesTravelWithChanges() throws StoreException {
    String path = newPath();
    begin().small(path).property("with", "file").commit();
    assertKept(path);
    assertEquals("file", backend().properties().get("with"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100, 4096, 112_640})
  void dictionariesAreKept(int length) throws StoreException {
    Dictionary dictionary = Dictionary.of(Chunks.bytes(length, length));
    String path = newPath();
    PackedChunk chunk =
        PackedChunk.of(false, Chunks.ZSTD, dictionary.id(), 500, Chunks.bytes(1, 90));
    begin().dictionary(dictionary).file(path, Given.inline(chunk)).commit();
    assertKept(path);
    begin().file(path + "s", Given.chunk(backend(), chunk)).commit();
    assertKept(path + "s");
    Dictionary found = Objects.requireNonNull(backend().dictionary(dictionary.id()));
    assertEquals(dictionary.id(), found.id());
    assertArrayEquals(dictionary.bytes(), found.bytes());
  }

  @Test
  void aDictionaryMayBeGivenAgain() throws StoreException {
    Dictionary dictionary = Dictionary.of(Chunks.bytes(99, 300));
    begin().dictionary(dictionary).commit();
    begin().dictionary(dictionary).commit();
    assertEquals(
        dictionary.id(), Objects.requireNonNull(backend().dictionary(dictionary.id())).id());
  }

  @Test
  void anUnknownDictionaryIsNull() throws StoreException {
    assertNull(backend().dictionary(123_456_789));
    assertNull(backend().dictionary(0));
  }
}
