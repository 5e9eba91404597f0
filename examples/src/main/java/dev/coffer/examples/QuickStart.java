package dev.coffer.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.coffer.vfs.Durability;
import dev.coffer.vfs.StoreOptions;
import dev.coffer.vfs.VirtualFileStore;
import dev.coffer.vfs.WriteBatch;
import java.io.IOException;
import java.nio.file.Path;

/** Makes a store in the current folder, and shows what to do with it. The README quotes it. */
final class QuickStart {
  private QuickStart() {}

  public static void main(String[] args) throws IOException {
    try (VirtualFileStore store =
        VirtualFileStore.openOrCreate(Path.of("notes.coffer"), StoreOptions.DEFAULT)) {
      store.write("/2026/hello.txt", "Hello, Coffer".getBytes(UTF_8));
      System.out.println(new String(store.read("/2026/hello.txt"), UTF_8));
      store.list("/2026").forEach(entry -> System.out.println(entry.path() + " " + entry.length()));
    }

    try (VirtualFileStore store = VirtualFileStore.open(Path.of("notes.coffer"))) {
      store.write("/2026/draft.txt", "to be moved".getBytes(UTF_8));
      byte[] report = "all or nothing".getBytes(UTF_8);
      try (WriteBatch batch = store.newBatch()) {
        batch.write("/2026/report.txt", report);
        batch.move("/2026/draft.txt", "/archive/draft.txt");
        batch.commit(Durability.SYNC);
      }
      System.out.println(new String(store.read("/archive/draft.txt"), UTF_8));
    }
  }
}
