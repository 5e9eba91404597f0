package dev.coffer.backends.log;

import dev.coffer.testkit.BackendContract;
import dev.coffer.vfs.spi.BackendProvider;

/** The contract, with an index of many tiny runs. */
class LogIndexedContractTest extends BackendContract {
  @Override
  protected BackendProvider provider() {
    return new LogProvider(FaultyStorage.TINY);
  }
}
