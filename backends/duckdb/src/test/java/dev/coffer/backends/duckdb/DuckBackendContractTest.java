package dev.coffer.backends.duckdb;

import dev.coffer.testkit.BackendContract;
import dev.coffer.vfs.spi.BackendProvider;

class DuckBackendContractTest extends BackendContract {
  @Override
  protected BackendProvider provider() {
    return new DuckBackendProvider();
  }
}
