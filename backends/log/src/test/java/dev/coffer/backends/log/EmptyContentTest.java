package dev.coffer.backends.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.Durability;
import dev.coffer.vfs.EntryKind;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Change;
import dev.coffer.vfs.spi.Commit;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.PackedChunk;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A place of no bytes counts as no live bytes, so its segment would be dropped under it. */
class EmptyContentTest {
  @Test
  void isRefused() throws StoreException {
    PackedChunk empty = PackedChunk.of(false, 0, 0, 0, new byte[0]);
    EntryKey key = EntryKey.of("/empty");
    Attributes attributes = Attributes.of(0644, Instant.EPOCH);
    try (LogBackend backend = Script.open(new FaultyStorage(), false)) {
      assertThrows(IllegalArgumentException.class, () -> backend.stage(List.of(empty)));
      for (Content content : List.of(new Content.Packed(empty), Content.NONE)) {
        Entry entry = new Entry(key, EntryKind.FILE, 0, 0, attributes, null, content);
        Commit commit =
            new Commit(
                1,
                Instant.EPOCH,
                List.of(new Change(key, null, entry)),
                new TreeMap<>(),
                List.of());
        if (content == Content.NONE) {
          backend.commit(commit, Durability.SYNC);
        } else {
          assertThrows(
              IllegalArgumentException.class, () -> backend.commit(commit, Durability.SYNC));
        }
      }
      assertEquals(1, backend.sequence());
    }
  }
}
