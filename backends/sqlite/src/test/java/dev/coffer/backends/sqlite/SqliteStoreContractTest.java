package dev.coffer.backends.sqlite;

import dev.coffer.testkit.StoreContract;

/** The store over the SQLite backend. */
class SqliteStoreContractTest extends StoreContract {

  @Override
  protected String backend() {
    return "sqlite";
  }
}
