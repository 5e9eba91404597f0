package dev.coffer.backends.sqlite;

import dev.coffer.testkit.BackendContract;
import dev.coffer.vfs.spi.BackendProvider;

final class SqliteBackendContractTest extends BackendContract {
  @Override
  protected BackendProvider provider() {
    return new SqliteBackendProvider();
  }
}
