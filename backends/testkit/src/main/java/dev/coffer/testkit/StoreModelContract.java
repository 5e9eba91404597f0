package dev.coffer.testkit;

import dev.coffer.vfs.Durability;
import dev.coffer.vfs.Layout;
import dev.coffer.vfs.StoreOptions;
import dev.coffer.vfs.VirtualFileStore;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random operations on a store and on a simple model of one, compared call by call and, now and
 * then, as whole trees. To be subclassed for every backend.
 *
 * <p>The seed is in every failure's message; the system property {@code coffer.seed} repeats a run
 * and {@code coffer.steps} sets how many operations it has.
 */
public abstract class StoreModelContract {
  private static final int DEFAULT_STEPS = 1500;

  /** The name of the backend to make stores with. */
  protected abstract String backend();

  /** How the stores under test are laid out. */
  protected Layout layout() {
    return Layout.FILE;
  }

  /** Where a test's store goes; its parent exists, itself it does not. */
  protected Path storePath(Path directory) {
    return directory.resolve("store.coffer");
  }

  /** Whether a store is still there after it is closed; only one in memory is not. */
  protected boolean outlivesClose() {
    return true;
  }

  @Test
  void behavesAsTheModelOverSmallChunks(@TempDir Path directory) throws IOException {
    run(directory, 4096);
  }

  @Test
  void behavesAsTheModelOverChunksAsTheyAre(@TempDir Path directory) throws IOException {
    run(directory, StoreOptions.DEFAULT.chunkLength());
  }

  private void run(Path directory, int chunkLength) throws IOException {
    long seed = Long.getLong("coffer.seed", System.nanoTime());
    int steps = Integer.getInteger("coffer.steps", DEFAULT_STEPS);
    System.out.println("coffer.seed=" + seed + " coffer.steps=" + steps);
    StoreOptions options =
        StoreOptions.DEFAULT
            .withDurability(Durability.BUFFERED)
            .withChunkLength(chunkLength)
            .withCacheBytes(64 * 1024);
    Path file = storePath(directory);
    VirtualFileStore first =
        outlivesClose()
            ? VirtualFileStore.create(file, options.withBackend(backend()).withLayout(layout()))
            : VirtualFileStore.inMemory(options);
    ModelRun.Opening reopening =
        outlivesClose() ? () -> VirtualFileStore.open(file, options) : null;
    try (ModelRun run = new ModelRun(first, reopening, seed)) {
      run.run(steps);
    }
  }
}
