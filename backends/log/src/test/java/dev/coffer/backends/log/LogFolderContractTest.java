package dev.coffer.backends.log;

import dev.coffer.testkit.BackendContract;
import dev.coffer.vfs.Layout;
import dev.coffer.vfs.spi.BackendProvider;

/** The contract over folder stores of many small segments, with an index of many small runs. */
class LogFolderContractTest extends BackendContract {
  @Override
  protected BackendProvider provider() {
    return new LogProvider(new Tuning(6000, 1000, 1, 30, 4096, false, 16_000, 64_000, 4096, 2));
  }

  @Override
  protected Layout layout() {
    return Layout.FOLDER;
  }
}
