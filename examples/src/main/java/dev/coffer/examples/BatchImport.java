package dev.coffer.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.Durability;
import dev.coffer.vfs.StoreOptions;
import dev.coffer.vfs.VirtualFileStore;
import dev.coffer.vfs.WriteBatch;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;

/**
 * Imports many small records quickly: a batch for every so many of them, each batch durable against
 * the end of the process only, and one force at the end for all.
 */
final class BatchImport {
  private static final int RECORDS_PER_BATCH = 1000;

  private BatchImport() {}

  public static void main(String[] args) throws IOException {
    int records = args.length > 0 ? Integer.parseInt(args[0]) : 10_000;
    StoreOptions options = StoreOptions.DEFAULT.withDurability(Durability.PROCESS);
    try (VirtualFileStore store =
        VirtualFileStore.openOrCreate(Path.of("records.coffer"), options)) {
      for (int first = 0; first < records; first += RECORDS_PER_BATCH) {
        importBatch(store, first, Math.min(first + RECORDS_PER_BATCH, records));
      }
      store.force();
      System.out.println("imported " + store.stats().entries() + " entries");
    }
  }

  private static void importBatch(VirtualFileStore store, int first, int end) throws IOException {
    Attributes attributes = Attributes.of(Attributes.FILE_MODE, Instant.now());
    try (WriteBatch batch = store.newBatch()) {
      for (int i = first; i < end; i++) {
        String path = String.format("/records/%04d/%08d.json", i / RECORDS_PER_BATCH, i);
        batch.write(path, ("{\"id\":" + i + "}").getBytes(UTF_8), attributes);
      }
      batch.commit();
    }
  }
}
