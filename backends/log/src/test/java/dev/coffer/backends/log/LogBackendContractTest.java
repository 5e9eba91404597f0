package dev.coffer.backends.log;

import dev.coffer.testkit.BackendContract;
import dev.coffer.vfs.spi.BackendProvider;

class LogBackendContractTest extends BackendContract {
  @Override
  protected BackendProvider provider() {
    return new LogProvider();
  }
}
