package dev.coffer.backends.duckdb;

import dev.coffer.testkit.StoreModelContract;

/** The store over the DuckDB backend behaves as the model. */
class DuckStoreModelTest extends StoreModelContract {

  @Override
  protected String backend() {
    return "duckdb";
  }
}
