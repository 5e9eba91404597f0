package dev.coffer.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.EntryReader;
import dev.coffer.vfs.spi.ScanRange;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names and paths are kept exactly, told apart exactly, and ordered by unsigned UTF-8. */
abstract class BackendNameCases extends SharedBackendCases {

  BackendNameCases(BackendContract contract) {
    super(contract);
  }

  @Override
  void fill() throws StoreException {
    CommitBuilder commit = begin();
    OddNames.paths().forEach(commit::small);
    commit.commit();
  }

  static List<String> paths() {
    return OddNames.paths();
  }

  static List<String> names() {
    return OddNames.names();
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource("paths")
  void isFoundWithItsOwnContent(String path) throws StoreException {
    Entry entry = backend().lookup(EntryKey.of(path));
    assertEquals(
        fixture().stored(path),
        Stored.read(backend(), Objects.requireNonNull(entry, "lookup")),
        OddNames.escape(path));
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource("names")
  void isComparedExactly(String name) throws StoreException {
    for (String other : List.of(name + "x", name + " ", name + "\u0301", "x" + name)) {
      EntryKey key = EntryKey.of("/in/" + other);
      assertEquals(
          fixture().entries().containsKey(key),
          backend().lookup(key) != null,
          OddNames.escape(other));
    }
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource("names")
  void mayBeADirectory(String name) throws StoreException {
    String directory = "/as-directory/" + name;
    begin().directory(directory).small(directory + "/b").small(directory + "/a").commit();
    assertEquals(
        List.of(EntryKey.of(directory + "/a"), EntryKey.of(directory + "/b")),
        keys(backend(), ScanRange.children(directory)));
    assertEquals(
        List.of(EntryKey.of(directory + "/a"), EntryKey.of(directory + "/b")),
        keys(backend(), ScanRange.subtree(directory)));
    begin().delete(directory + "/b").commit();
    assertNull(backend().lookup(EntryKey.of(directory + "/b")));
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource("names")
  void mayBeALinkTarget(String name) throws StoreException {
    String path = "/links/" + (1000 + OddNames.names().indexOf(name));
    begin().link(path, name).commit();
    Entry entry = Objects.requireNonNull(backend().lookup(EntryKey.of(path)));
    assertEquals(fixture().stored(path).entry(), entry, OddNames.escape(name));
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource("names")
  void mayBeAPropertyAndItsValue(String name) throws StoreException {
    begin().property("odd " + name, name).commit();
    assertEquals(name, backend().properties().get("odd " + name));
    begin().property("odd " + name, "").commit();
    assertEquals(fixture().properties(), backend().properties());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 1000})
  void areScannedInTheOrderOfTheirBytes(int limit) throws StoreException {
    List<EntryKey> expected =
        OddNames.names().stream()
            .sorted(Comparator.comparing(BackendNameCases::utf8, Arrays::compareUnsigned))
            .map(name -> EntryKey.of("/in/" + name))
            .toList();
    List<EntryKey> found =
        Stored.scan(backend(), ScanRange.children("/in"), limit).stream().map(Entry::key).toList();
    assertEquals(expected, found);
  }

  private static byte[] utf8(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }

  private static List<EntryKey> keys(EntryReader reader, ScanRange range) throws StoreException {
    return Stored.scan(reader, range, 100).stream().map(Entry::key).toList();
  }
}
