package dev.coffer.backends.duckdb;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.testkit.SampleStore;
import dev.coffer.vfs.spi.Change;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class EntryCacheTest {
  private final EntryCache cache = new EntryCache();

  private static Entry entry(String path, int length) {
    return SampleStore.file(path, 1, length, new Content.Packed(SampleStore.chunk(length, 1)));
  }

  @Test
  void keepsWhatWasReadSinceTheLastCommit() {
    Entry entry = entry("/a", 10);
    cache.put(entry, cache.moment());
    assertSame(entry, cache.get(EntryKey.of("/a")));
  }

  @Test
  void takesUpNothingThatWasReadBeforeOrDuringACommit() {
    long before = cache.moment();
    cache.beginCommit(List.of());
    long during = cache.moment();
    cache.put(entry("/a", 10), during);
    cache.endCommit();
    cache.put(entry("/b", 10), before);
    cache.put(entry("/c", 10), during);
    assertNull(cache.get(EntryKey.of("/a")));
    assertNull(cache.get(EntryKey.of("/b")));
    assertNull(cache.get(EntryKey.of("/c")));
  }

  @Test
  void forgetsWhatACommitChangesAndKeepsTheRest() {
    Entry changed = entry("/changed", 10);
    Entry kept = entry("/kept", 10);
    cache.put(changed, cache.moment());
    cache.put(kept, cache.moment());
    cache.beginCommit(List.of(new Change(changed.key(), changed, null)));
    assertNull(cache.get(changed.key()));
    assertSame(kept, cache.get(kept.key()));
    cache.endCommit();
  }

  @Test
  void staysWithinItsBytes() {
    for (int i = 0; i < 4000; i++) {
      cache.put(entry("/f" + i, 4000), cache.moment());
    }
    int kept = 0;
    for (int i = 0; i < 4000; i++) {
      kept += cache.get(EntryKey.of("/f" + i)) == null ? 0 : 1;
    }
    assertTrue(kept > 1000 && kept < 2000, "kept=" + kept);
    assertTrue(cache.get(EntryKey.of("/f3999")) != null, "the newest stays");
  }

  @Test
  void theFilterLearnsOfCommitsBeforeTheyShow() {
    Entry entry = entry("/new", 10);
    assertFalse(cache.isAbsent(entry.key()), "without a filter nothing is certain");
    cache.use(new KeyFilter(0));
    assertTrue(cache.isAbsent(entry.key()));
    cache.beginCommit(List.of(new Change(entry.key(), null, entry)));
    assertFalse(cache.isAbsent(entry.key()));
    cache.endCommit();
  }

  @Test
  void theFilterHoldsEveryHashItWasGiven() {
    Random random = new Random(5);
    long[] hashes = random.longs(100_000).toArray();
    hashes[0] = 0;
    KeyFilter filter = new KeyFilter(10);
    for (long hash : hashes) {
      filter.add(hash);
    }
    int others = 0;
    for (long hash : hashes) {
      assertTrue(filter.mayContain(hash));
      others += filter.mayContain(hash ^ 0x5555) ? 1 : 0;
    }
    assertTrue(others < 10, "strangers=" + others);
  }
}
