package dev.coffer.testkit;

import dev.coffer.vfs.Durability;
import dev.coffer.vfs.Layout;
import dev.coffer.vfs.StoreOptions;
import dev.coffer.vfs.VirtualFileStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Nested;

/**
 * The semantics of {@link VirtualFileStore} as tests, to be run over every backend: subclass it in
 * the backend's module and name the backend.
 *
 * <p>After each test the store must verify clean.
 */
public abstract class StoreContract {
  /** Small chunks, so that small files have several; not durable, so that tests are quick. */
  static final StoreOptions OPTIONS =
      StoreOptions.DEFAULT.withDurability(Durability.BUFFERED).withChunkLength(4096);

  /** The name of the backend to make stores with. */
  protected abstract String backend();

  /** How the stores under test are laid out. */
  protected Layout layout() {
    return Layout.FILE;
  }

  /** How the backend can lay stores out. */
  protected Set<Layout> layouts() {
    return Set.of(Layout.FILE);
  }

  /** Where a test's store goes; its parent exists, itself it does not. */
  protected Path storePath(Path directory) {
    return directory.resolve("store.coffer");
  }

  /** Whether a store is still there after it is closed; only one in memory is not. */
  protected boolean outlivesClose() {
    return true;
  }

  /** Options for a new store as the tests want it. */
  final StoreOptions made(StoreOptions options) {
    return options.withBackend(backend()).withLayout(layout());
  }

  final VirtualFileStore create(Path directory, StoreOptions options) throws IOException {
    return outlivesClose()
        ? VirtualFileStore.create(storePath(directory), made(options))
        : VirtualFileStore.inMemory(options);
  }

  @Nested
  class Files extends StoreFileCases {
    Files() {
      super(StoreContract.this);
    }
  }

  @Nested
  class Paths extends StorePathCases {
    Paths() {
      super(StoreContract.this);
    }
  }

  @Nested
  class Directories extends StoreTreeCases {
    Directories() {
      super(StoreContract.this);
    }
  }

  @Nested
  class Relocation extends StoreRelocationCases {
    Relocation() {
      super(StoreContract.this);
    }
  }

  @Nested
  class Streams extends StoreStreamCases {
    Streams() {
      super(StoreContract.this);
    }
  }

  @Nested
  class Batches extends StoreBatchCases {
    Batches() {
      super(StoreContract.this);
    }
  }

  @Nested
  class Clusters extends StoreClusterCases {
    Clusters() {
      super(StoreContract.this);
    }
  }

  @Nested
  class Lifecycle extends StoreLifecycleCases {
    Lifecycle() {
      super(StoreContract.this);
    }
  }

  @Nested
  class Concurrency extends StoreThreadCases {
    Concurrency() {
      super(StoreContract.this);
    }
  }
}
