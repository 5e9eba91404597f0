package dev.coffer.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.FileEntry;
import dev.coffer.vfs.Packing;
import dev.coffer.vfs.StoreOptions;
import dev.coffer.vfs.VirtualFileStore;
import dev.coffer.vfs.WriteBatch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A reader written from the format's document alone sees what the store holds. */
class FormatReaderTest {
  @TempDir Path folder;

  private static byte[] noise(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static byte[] text(int length) {
    return "the quick brown fox \n".repeat(length / 21 + 1).getBytes(StandardCharsets.US_ASCII);
  }

  /** Content of every form, over several sessions. */
  private Path sample() throws IOException {
    Path file = folder.resolve("sample.coffer");
    try (VirtualFileStore store = VirtualFileStore.create(file, StoreOptions.DEFAULT)) {
      store.createDirectories("/d/e");
      store.write("/d/empty", new byte[0]);
      store.write("/d/raw", noise(100, 1));
      store.write("/d/packed", text(5000));
      store.write("/d/table", text(3_000_000));
      store.write("/d/holes", new byte[2_000_000]);
      store.createSymbolicLink("/d/link", "../elsewhere", null);
      store.write("/gone", noise(50, 2));
      store.write("/d/e/\u00fcmlaut \u732b", noise(10, 3));
    }
    try (VirtualFileStore store = VirtualFileStore.open(file, StoreOptions.DEFAULT)) {
      store.delete("/gone");
      store.move("/d/raw", "/d/moved");
      store.copy("/d/packed", "/d/copied");
      store.copy("/d/table", "/table too");
      try (WriteBatch batch = store.newBatch()) {
        for (int i = 0; i < 300; i++) {
          batch.write("/d/e/f" + i, noise(40_000, i)); // More than 8 MiB: staged chunks.
        }
        batch.commit();
      }
      try (WriteBatch batch = store.newBatch()) {
        for (int i = 0; i < 300; i++) {
          batch.write("/d/inline/f" + i, i % 2 == 0 ? noise(i, i) : text(i)); // In blocks.
        }
        batch.delete("/table too");
        batch.commit();
      }
      try (WriteBatch batch = store.newBatch(Packing.CLUSTERED)) {
        for (int i = 0; i < 300; i++) {
          batch.write("/d/cluster/f" + i + (i % 3 == 0 ? ".txt" : ".md"), text(i * 7));
        }
        batch.commit();
      }
    }
    return file;
  }

  private static void assertSame(Path file) throws IOException {
    try (VirtualFileStore store =
            VirtualFileStore.open(file, StoreOptions.DEFAULT.withReadOnly(true));
        FormatReader reader = new FormatReader(file)) {
      List<FileEntry> expected;
      try (Stream<FileEntry> walk = store.walk("/")) {
        expected = walk.filter(entry -> !entry.path().equals("/")).toList();
      }
      List<String> paths = new ArrayList<>();
      for (FormatReader.Entry entry : reader.entries()) {
        if (entry.key().length > 1) {
          paths.add(entry.path());
        }
        if (entry.kind() == 0) {
          ByteArrayOutputStream content = new ByteArrayOutputStream();
          reader.copy(entry, content);
          assertArrayEquals(store.read(entry.path()), content.toByteArray(), entry.path());
        }
      }
      assertEquals(expected.stream().map(FileEntry::path).toList(), paths);
      for (FormatReader.Entry entry : reader.entries()) {
        FileEntry known = store.stat(entry.path());
        assertEquals(known.length(), entry.length(), entry.path());
        assertEquals(known.version(), entry.version(), entry.path());
        assertEquals(known.attributes().modified(), entry.modified(), entry.path());
        assertEquals(known.attributes().mode(), entry.mode(), entry.path());
      }
      assertTrue(reader.isComplete());
    }
  }

  @Test
  void readsContentOfEveryForm() throws IOException {
    assertSame(sample());
  }

  @Test
  void readsACompactedStoreAndASealedOne() throws IOException {
    Path file = sample();
    try (VirtualFileStore store = VirtualFileStore.open(file, StoreOptions.DEFAULT)) {
      store.deleteRecursively("/d/e");
      store.compact();
      store.sealTo(folder.resolve("sealed.coffer"));
    }
    assertSame(file);
    assertSame(folder.resolve("sealed.coffer"));
  }

  @Test
  void stopsAtDamageAndSaysSo() throws IOException {
    Path file = sample();
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1; // In staged content: of one entry, and told when that is read.
    bytes[bytes.length - 70] ^= 1; // In the trailer.
    Files.write(file, bytes);
    try (FormatReader reader = new FormatReader(file)) {
      assertFalse(reader.isComplete());
      assertTrue(reader.entries().size() > 300, "what comes before it is there");
      int damaged = 0;
      for (FormatReader.Entry entry : reader.entries()) {
        try {
          reader.copy(entry, OutputStream.nullOutputStream());
        } catch (IOException e) {
          damaged++;
        }
      }
      assertEquals(1, damaged);
    }
  }
}
