package dev.coffer.backends.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.Durability;
import dev.coffer.vfs.EntryKind;
import dev.coffer.vfs.Layout;
import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Change;
import dev.coffer.vfs.spi.Commit;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.PackedChunk;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens beside a compaction is in the new file too. */
class CompactionTest {
  private static final Attributes ATTRIBUTES = Attributes.of(0644, Instant.EPOCH);

  private final FaultyStorage storage = new FaultyStorage();

  private static PackedChunk chunk(long seed) {
    byte[] bytes = new byte[500];
    new Random(seed).nextBytes(bytes);
    return PackedChunk.of(false, 0, 0, bytes.length, bytes);
  }

  private static void put(LogBackend backend, String path, Content content) throws StoreException {
    EntryKey key = EntryKey.of(path);
    Entry entry = new Entry(key, EntryKind.FILE, 0, 500, ATTRIBUTES, null, content);
    Change change = new Change(key, backend.lookup(key), entry);
    backend.commit(
        new Commit(
            backend.sequence() + 1, Instant.EPOCH, List.of(change), new TreeMap<>(), List.of()),
        Durability.PROCESS);
  }

  private static Content staged(LogBackend backend, PackedChunk chunk) throws StoreException {
    long id = backend.stage(List.of(chunk))[0];
    return new Content.Chunk(id, 0, 500, 0, 0, 500, chunk.checksum());
  }

  /** A store most of which is dead. */
  private LogBackend churned() throws StoreException {
    LogBackend backend = Script.open(storage, false);
    for (int i = 0; i < 40; i++) {
      put(backend, "/f" + i % 4, new Content.Packed(chunk(i)));
    }
    return backend;
  }

  private void assertHolds(LogBackend backend, String path, PackedChunk chunk)
      throws StoreException {
    Entry entry = backend.lookup(EntryKey.of(path));
    assertNotNull(entry, path);
    String expected = java.util.Arrays.toString(chunk.bytes());
    assertEquals(expected, Script.content(backend, entry), path);
  }

  private void assertSurvivesAKill(String path, PackedChunk chunk) throws StoreException {
    FaultyStorage left = storage.killedAfter(storage.steps());
    left.layout = storage.layout;
    try (LogBackend again = Script.open(left, false)) {
      assertHolds(again, path, chunk);
      List<Problem> problems = new ArrayList<>();
      again.verify(problems::add);
      assertEquals(List.of(), problems);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void whatIsStagedMeanwhileMayBeNamedAfterwards(int stepsBefore) throws StoreException {
    PackedChunk chunk = chunk(99);
    LogBackend backend = churned();
    for (int i = 0; i < stepsBefore; i++) {
      assertFalse(backend.compact(1).done(), "step=" + i);
    }
    Content content = staged(backend, chunk);
    while (!backend.compact(Long.MAX_VALUE).done()) {
      // Until it is done.
    }
    put(backend, "/late", content);
    assertHolds(backend, "/late", chunk);
    assertSurvivesAKill("/late", chunk);
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void whatIsStagedMayBeNamedManyCommitsLater(Layout layout) throws StoreException {
    storage.layout = layout;
    storage.tuning = FaultyStorage.TINY;
    PackedChunk chunk = chunk(77);
    LogBackend backend = Script.open(storage, false);
    Content content = staged(backend, chunk);
    for (int i = 0; i < 30; i++) {
      put(backend, "/other" + i, new Content.Packed(chunk(i)));
    }
    put(backend, "/late", content);
    assertHolds(backend, "/late", chunk);
    assertSurvivesAKill("/late", chunk);
    while (!backend.compact(1000).done()) {
      // Until it is done.
    }
    assertHolds(backend, "/late", chunk);
    assertSurvivesAKill("/late", chunk);
  }

  @Test
  void whatIsCommittedBetweenStepsIsKept() throws StoreException {
    LogBackend backend = churned();
    int commits = 0;
    boolean done = false;
    while (!done) {
      done = backend.compact(300).done();
      if (commits < 12) {
        put(backend, "/between" + commits, new Content.Packed(chunk(1000 + commits)));
        commits++;
      }
    }
    for (int i = 0; i < commits; i++) {
      assertHolds(backend, "/between" + i, chunk(1000 + i));
    }
    assertSurvivesAKill("/between0", chunk(1000));
  }

  /** Emptying one segment put an entry of the active one there again, now with its content. */
  @Test
  void anEntryTwiceInOneSegmentIsMovedOnce() throws StoreException {
    storage.layout = Layout.FOLDER;
    storage.tuning = new Tuning(1 << 20, 1 << 20, 1, 1000, 700, false, 4000, 4000, 300, 64);
    LogBackend backend = Script.open(storage, false);
    put(backend, "/old", new Content.Packed(chunk(1)));
    overwriteUntilRolled(backend);
    Entry old = backend.lookup(EntryKey.of("/old"));
    assertNotNull(old);
    put(backend, "/copy", old.content());
    compact(backend); // The first segment's content moves behind the copy.
    overwriteUntilRolled(backend);
    compact(backend);
    assertHolds(backend, "/copy", chunk(1));
    assertSurvivesAKill("/copy", chunk(1));
    backend.close();
    try (LogBackend again = Script.open(storage.restarted(), false)) {
      assertEquals(List.of(), again.recoveryReport());
      assertHolds(again, "/old", chunk(1));
    }
  }

  private void overwriteUntilRolled(LogBackend backend) throws StoreException {
    long segments = segments();
    for (int i = 0; segments() == segments; i++) {
      put(backend, "/dead", new Content.Packed(chunk(100 + i)));
    }
  }

  private long segments() {
    return storage.list(Script.FILE).stream()
        .filter(file -> file.getFileName().toString().startsWith("segment-"))
        .count();
  }

  private static void compact(LogBackend backend) throws StoreException {
    while (!backend.compact(Long.MAX_VALUE).done()) {
      // Until it is done.
    }
  }
}
