package dev.coffer.vfs.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.InvalidPathException;
import dev.coffer.vfs.StoreOptions;
import dev.coffer.vfs.VirtualFileStore;
import dev.coffer.vfs.WriteBatch;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Values no store keeps are refused when they are given, to whoever gave them. */
class GivenValuesTest {
  private static final Attributes PLAIN = Attributes.of(0644, Instant.EPOCH);

  @Test
  void attributesThatDoNotFitAreRefused() throws Exception {
    try (VirtualFileStore store = VirtualFileStore.inMemory(StoreOptions.DEFAULT)) {
      byte[] content = {1};
      List<Attributes> wrong =
          List.of(
              PLAIN.withUser(Map.of("u", new byte[128 * 1024])),
              PLAIN.withUser(Map.of("u\uD800", new byte[1])),
              PLAIN.withUser(Map.of("u".repeat(256), new byte[1])),
              PLAIN.withOwner("\uDC00", null),
              PLAIN.withOwner(null, "g".repeat(256)));
      for (Attributes attributes : wrong) {
        assertThrows(IllegalArgumentException.class, () -> store.write("/f", content, attributes));
        assertThrows(IllegalArgumentException.class, () -> store.setAttributes("/", attributes));
        try (WriteBatch batch = store.newBatch()) {
          assertThrows(IllegalArgumentException.class, () -> batch.setAttributes("/", attributes));
        }
      }
      assertFalse(store.exists("/f"));
      store.write("/f", content, PLAIN.withUser(Map.of("u", new byte[128 * 1024 - 1])));
      assertThrows(
          InvalidPathException.class, () -> store.createSymbolicLink("/l", "to\uD800", null));
    }
  }

  @Test
  void propertiesThatDoNotFitAreRefused() throws Exception {
    try (VirtualFileStore store = VirtualFileStore.inMemory(StoreOptions.DEFAULT);
        WriteBatch batch = store.newBatch()) {
      assertThrows(IllegalArgumentException.class, () -> batch.setProperty("p", "x".repeat(65537)));
      assertThrows(IllegalArgumentException.class, () -> batch.setProperty("p\uD800", "x"));
      assertThrows(IllegalArgumentException.class, () -> batch.setProperty("", "x"));
      assertThrows(NullPointerException.class, () -> batch.setProperty("p", null));
      batch.setProperty("p", "x".repeat(65536));
      batch.commit();
      assertEquals(1, store.properties().size());
    }
  }

  @Test
  void userAttributesAreKeptInNameOrderWhateverOrderTheyCameIn() {
    TreeMap<String, byte[]> backwards = new TreeMap<>(Comparator.reverseOrder());
    backwards.put("a", new byte[0]);
    backwards.put("b", new byte[0]);
    Attributes attributes =
        new Attributes(
            0644,
            Instant.EPOCH,
            Instant.EPOCH,
            Instant.EPOCH,
            Instant.EPOCH,
            null,
            null,
            backwards);
    assertEquals("a", attributes.user().firstKey());
  }

  @Test
  void aStreamWhoseWriteFailedCommitsNothing() throws Exception {
    try (VirtualFileStore store = VirtualFileStore.inMemory(StoreOptions.DEFAULT)) {
      OutputStream out = store.newOutputStream("/f");
      assertThrows(IndexOutOfBoundsException.class, () -> out.write(new byte[3], 2, 5));
      assertThrows(IOException.class, out::close);
      assertFalse(store.exists("/f"));
    }
  }

  @Test
  void aSourceThatAnswersTooMuchIsRefused() throws Exception {
    try (VirtualFileStore store = VirtualFileStore.inMemory(StoreOptions.DEFAULT)) {
      InputStream liar =
          new InputStream() {
            @Override
            public int read() {
              return 0;
            }

            @Override
            public int read(byte[] target, int offset, int length) {
              return length + 1;
            }
          };
      assertThrows(IOException.class, () -> store.write("/f", liar, null));
      assertFalse(store.exists("/f"));
    }
  }
}
