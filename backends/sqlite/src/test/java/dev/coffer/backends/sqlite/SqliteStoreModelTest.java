package dev.coffer.backends.sqlite;

import dev.coffer.testkit.StoreModelContract;

/** The store over the SQLite backend behaves as the model. */
class SqliteStoreModelTest extends StoreModelContract {

  @Override
  protected String backend() {
    return "sqlite";
  }
}
