package dev.coffer.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.EntryReader;
import dev.coffer.vfs.spi.ScanRange;
import dev.coffer.vfs.spi.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranges: which keys they cover, in which order, and how a scan goes on. */
abstract class BackendScanCases extends SharedBackendCases {
  private static final List<String> DIRECTORIES =
      List.of(
          "/",
          "/a",
          "/a-b",
          "/a b",
          "/a.b",
          "/a0",
          "/ab",
          "/A",
          "/a/x",
          "/a/x/deep",
          "/a-b/x",
          "/a\u0001",
          "/\u00e9",
          "/e\u0301",
          "/\uffff",
          "/\ud83d\ude00",
          "/%",
          "/_",
          "/many",
          "/empty",
          "/no such directory",
          "/a/x/deep/f1",
          "/zzz");

  BackendScanCases(BackendContract contract) {
    super(contract);
  }

  @Override
  void fill() throws StoreException {
    CommitBuilder commit = begin().directory("/").directory("/empty");
    for (String directory : DIRECTORIES.subList(1, DIRECTORIES.size() - 4)) {
      commit.directory(directory);
      for (int i = 0; i < 3; i++) {
        commit.small(directory + "/f" + i);
      }
    }
    for (int i = 0; i < 250; i++) {
      commit.small("/many/" + i);
    }
    commit.small("/loose").link("/link", "a").small("/many/100/below/no directory entries");
    commit.commit();
  }

  static Stream<Arguments> rangesAndLimits() {
    List<ScanRange> ranges = new ArrayList<>(List.of(ScanRange.ALL));
    for (String directory : DIRECTORIES) {
      ranges.add(ScanRange.children(directory));
      ranges.add(ScanRange.subtree(directory));
    }
    return ranges.stream()
        .flatMap(range -> Stream.of(1, 2, 7, 1000).map(limit -> Arguments.of(range, limit)));
  }

  private List<EntryKey> expected(ScanRange range) {
    return fixture().entries().keySet().stream().filter(range::contains).toList();
  }

  private static List<EntryKey> keys(List<Entry> entries) {
    return entries.stream().map(Entry::key).toList();
  }

  private static List<EntryKey> scanned(EntryReader reader, ScanRange range, int limit)
      throws StoreException {
    return keys(Stored.scan(reader, range, limit));
  }

  @ParameterizedTest(name = "{index}: limit={1}")
  @MethodSource("rangesAndLimits")
  void coversExactlyItsRange(ScanRange range, int limit) throws StoreException {
    assertEquals(expected(range), scanned(backend(), range, limit), range.toString());
  }

  @ParameterizedTest(name = "{index}: limit={1}")
  @MethodSource("rangesAndLimits")
  void coversTheSameInAView(ScanRange range, int limit) throws StoreException {
    if (limit == 7) {
      try (View view = backend().openView()) {
        assertEquals(expected(range), scanned(view, range, limit), range.toString());
      }
    } else {
      List<EntryKey> all = expected(range);
      List<EntryKey> first = keys(backend().scan(range, null, limit));
      assertEquals(all.subList(0, Math.min(limit, all.size())), first, range.toString());
    }
  }

  @Test
  void siblingsWithThePrefixOfADirectoryAreOutside() throws StoreException {
    List<EntryKey> below = scanned(backend(), ScanRange.subtree("/a"), 1000);
    assertEquals(
        List.of("/a/f0", "/a/f1", "/a/f2", "/a/x", "/a/x/deep", "/a/x/f0"),
        below.stream().map(EntryKey::path).limit(6).toList());
    assertEquals(11, below.size(), below.toString());
  }

  @Test
  void theRootIsInAllOnly() throws StoreException {
    assertEquals(EntryKey.ROOT, scanned(backend(), ScanRange.ALL, 5).get(0));
    assertEquals(
        fixture().entries().size() - 1, scanned(backend(), ScanRange.subtree("/"), 1000).size());
  }

  @Test
  void entriesOfAScanAreThoseOfLookups() throws StoreException {
    for (Entry entry : Stored.scan(backend(), ScanRange.subtree("/a"), 3)) {
      Entry alone = Objects.requireNonNull(backend().lookup(entry.key()));
      assertEquals(Stored.read(backend(), alone), Stored.read(backend(), entry));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 1000})
  void goesOnAfterAnyKeyOfItsRange(int limit) throws StoreException {
    ScanRange range = ScanRange.children("/a/x");
    List<EntryKey> all = expected(range);
    for (int i = 0; i < all.size(); i++) {
      List<EntryKey> rest = all.subList(i + 1, all.size());
      assertEquals(
          rest.subList(0, Math.min(limit, rest.size())),
          keys(backend().scan(range, all.get(i), limit)));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 1000})
  void goesOnAfterAKeyThatWasNeverThere(int limit) throws StoreException {
    for (ScanRange range : List.of(ScanRange.children("/many"), ScanRange.subtree("/many"))) {
      EntryKey after = EntryKey.of("/many/100 and a bit");
      List<EntryKey> rest =
          expected(range).stream().filter(key -> key.compareTo(after) > 0).limit(limit).toList();
      assertEquals(rest, keys(backend().scan(range, after, limit)));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7})
  void goesOnAfterADeletedKey(int limit) throws StoreException {
    String directory = "/deleted-" + limit;
    CommitBuilder commit = begin();
    for (int i = 10; i < 30; i++) {
      commit.small(directory + "/" + i);
    }
    commit.commit();
    ScanRange range = ScanRange.subtree(directory);
    List<EntryKey> seen = new ArrayList<>();
    EntryKey after = null;
    while (true) {
      List<Entry> page = backend().scan(range, after, limit);
      seen.addAll(keys(page));
      if (page.size() < limit) {
        break;
      }
      after = page.get(page.size() - 1).key();
      begin().delete(after.path()).commit();
    }
    assertEquals(20, seen.size(), "every key is seen once: " + seen);
    assertEquals(20 - 20 / limit, expected(range).size());
    assertEquals(expected(range), scanned(backend(), range, limit));
  }

  @Test
  void seesWhatIsPutInBetweenPages() throws StoreException {
    begin().small("/between/a").small("/between/m").small("/between/z").commit();
    List<Entry> page = backend().scan(ScanRange.children("/between"), null, 1);
    begin().small("/between/b").delete("/between/m").commit();
    EntryKey after = page.get(0).key();
    assertEquals(
        List.of(EntryKey.of("/between/b"), EntryKey.of("/between/z")),
        keys(backend().scan(ScanRange.children("/between"), after, 10)));
  }

  @Test
  void aLookupOfWhatIsNotThereIsNull() throws StoreException {
    for (String path : List.of("/nothing", "/a/nothing", "/loose/below", "/a/x/deep/f1/f1")) {
      assertNull(backend().lookup(EntryKey.of(path)), path);
    }
  }

  @Test
  void theRootMayBeStoredChangedAndDeleted() throws StoreException {
    assertEquals(
        fixture().stored("/").entry(), Objects.requireNonNull(backend().lookup(EntryKey.ROOT)));
    begin().attributes("/", CommitBuilder.attributes().withMode(0700)).commit();
    assertEquals(
        fixture().stored("/").entry(), Objects.requireNonNull(backend().lookup(EntryKey.ROOT)));
    begin().delete("/").commit();
    assertNull(backend().lookup(EntryKey.ROOT));
    begin().directory("/").commit();
  }
}
