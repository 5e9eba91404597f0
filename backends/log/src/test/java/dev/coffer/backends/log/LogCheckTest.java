package dev.coffer.backends.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.Layout;
import dev.coffer.vfs.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The quick check of a log says yes to what is sound, and to nothing else. */
class LogCheckTest {
  private FaultyStorage storage = new FaultyStorage();
  private long length;

  /** What reading a closed store of random history makes of it. */
  private Replay.Result replayed(Layout layout, long seed) throws StoreException, IOException {
    storage = new FaultyStorage();
    storage.layout = layout;
    storage.tuning = FaultyStorage.TINY;
    Script script = new Script(storage, seed);
    script.run(60);
    script.backend().close();
    return Replay.run(segments(layout), length, null);
  }

  private SegmentSet segments(Layout layout) throws StoreException, IOException {
    List<Segment> segments = new ArrayList<>();
    if (layout == Layout.FILE) {
      segments.add(open(Script.FILE));
    } else {
      FolderFiles files = new FolderFiles(storage, Script.FILE);
      for (int number : Manifest.read(files).layout().numbers().stream().sorted().toList()) {
        segments.add(open(files.segment(number)));
      }
    }
    return SegmentSet.of(segments);
  }

  private Segment open(Path path) throws StoreException, IOException {
    Storage.OpenFile file = storage.open(path, false);
    byte[] head = new byte[FileHeader.LENGTH];
    assertEquals(head.length, file.read(0, head, 0, head.length));
    length = file.size();
    return new Segment(path, file, FileHeader.decode(head), length);
  }

  private boolean isSound(Snapshot snapshot) throws StoreException {
    return new LogCheck(snapshot, length, false).isSound();
  }

  private static Snapshot with(Snapshot snapshot, Index index, long count, long hash) {
    return new Snapshot(
        snapshot.segments(),
        snapshot.contents(),
        snapshot.sequence(),
        snapshot.end(),
        index,
        count,
        hash,
        snapshot.properties(),
        snapshot.dictionaries());
  }

  private static List<Row> rows(Snapshot snapshot) throws StoreException {
    List<Row> rows = new ArrayList<>();
    RowCursor cursor = snapshot.index().from(new byte[0]);
    while (cursor.next()) {
      rows.add(cursor.row());
    }
    return rows;
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void whatIsSoundNeedsNoReplay(Layout layout) throws StoreException, IOException {
    int quick = 0;
    for (long seed = 1; seed <= 10; seed++) {
      Replay.Result replayed = replayed(layout, seed);
      assertEquals(List.of(), replayed.problems());
      quick += isSound(replayed.snapshot()) ? 1 : 0;
    }
    // A folder store that was compacted may need one: its log has records of dropped segments.
    assertTrue(layout == Layout.FILE ? quick == 10 : quick >= 5, "quick=" + quick);
  }

  /** Even if count and hash are those of the wrong entries. */
  @ParameterizedTest
  @EnumSource(Layout.class)
  void anIndexOfOtherEntriesIsNotSound(Layout layout) throws StoreException, IOException {
    Snapshot snapshot = replayed(layout, 3).snapshot();
    for (Row row : rows(snapshot)) {
      Index.Editor without = snapshot.index().edit();
      Row removed = Objects.requireNonNull(without.remove(row.key(), row.version()));
      long hash = snapshot.listingHash() - removed.hash();
      assertFalse(isSound(with(snapshot, without.done(), snapshot.entryCount() - 1, hash)));

      Row older = new Row(row.meta(), row.version() - 1, row.segment(), row.contentOffset());
      Index.Editor stale = snapshot.index().edit();
      assertEquals(row.version(), Objects.requireNonNull(stale.put(older)).version());
      assertFalse(
          isSound(
              with(
                  snapshot,
                  stale.done(),
                  snapshot.entryCount(),
                  snapshot.listingHash() - row.hash() + older.hash())));
    }
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void noFlippedBitOfALogIsSoundUnlessReplayTakesItToo(Layout layout)
      throws StoreException, IOException {
    Snapshot snapshot = replayed(layout, 3).snapshot();
    Random random = new Random(5);
    for (int i = 0; i < 1500; i++) {
      Segment segment =
          snapshot.segments().all().get(random.nextInt(snapshot.segments().all().size()));
      byte[] whole = storage.bytes(segment.path);
      int at = random.nextInt(whole.length);
      byte[] one = {(byte) (whole[at] ^ 1 << random.nextInt(8))};
      segment.file.write(at, one, 0, 1);
      if (isSound(snapshot)) {
        Replay.Result result = Replay.run(snapshot.segments(), length, null);
        assertEquals(List.of(), result.problems(), segment.path + " offset=" + at);
        assertEquals(snapshot.listingHash(), result.snapshot().listingHash());
        assertTrue(result.closed());
      }
      segment.file.write(at, whole, at, 1);
    }
  }
}
