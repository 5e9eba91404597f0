package dev.coffer.testkit;

import dev.coffer.vfs.Layout;
import dev.coffer.vfs.spi.BackendOptions;
import dev.coffer.vfs.spi.BackendOptions.Creation;
import dev.coffer.vfs.spi.BackendProvider;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;

/**
 * What every backend must do, as tests. Subclass it in the backend's module and name the provider;
 * to run one test alone, give surefire {@code -Dtest='*BackendContract*#nameOfTheTest*'}.
 *
 * <p>After each test the whole store is read back and compared with what was committed, and {@link
 * dev.coffer.vfs.spi.Backend#verify} must find nothing.
 */
public abstract class BackendContract {

  /** The provider under test. */
  protected abstract BackendProvider provider();

  /** How new stores are laid out. */
  protected Layout layout() {
    return Layout.FILE;
  }

  final BackendOptions options(Creation creation, boolean readOnly) {
    return new BackendOptions(creation, layout(), readOnly);
  }

  /** Where a test's store goes; its parent exists, itself it does not. */
  protected Path storePath(Path directory) {
    return directory.resolve("store.coffer");
  }

  /** Whether a store is still there after it is closed; only one in memory is not. */
  protected boolean outlivesClose() {
    return true;
  }

  @Nested
  class Opening extends BackendOpenCases {
    Opening() {
      super(BackendContract.this);
    }
  }

  @Nested
  class ReadOnly extends BackendReadOnlyCases {
    ReadOnly() {
      super(BackendContract.this);
    }
  }

  @Nested
  class Names extends BackendNameCases {
    Names() {
      super(BackendContract.this);
    }
  }

  @Nested
  class Values extends BackendValueCases {
    Values() {
      super(BackendContract.this);
    }
  }

  @Nested
  class Scans extends BackendScanCases {
    Scans() {
      super(BackendContract.this);
    }
  }

  @Nested
  class Changes extends BackendChangeCases {
    Changes() {
      super(BackendContract.this);
    }
  }

  @Nested
  class Staging extends BackendStagingCases {
    Staging() {
      super(BackendContract.this);
    }
  }

  @Nested
  class Readers extends BackendReaderCases {
    Readers() {
      super(BackendContract.this);
    }
  }

  @Nested
  class Compaction extends BackendCompactCases {
    Compaction() {
      super(BackendContract.this);
    }
  }

  @Nested
  class Lifecycle extends BackendLifecycleCases {
    Lifecycle() {
      super(BackendContract.this);
    }
  }

  @Nested
  class Concurrency extends BackendThreadCases {
    Concurrency() {
      super(BackendContract.this);
    }
  }
}
