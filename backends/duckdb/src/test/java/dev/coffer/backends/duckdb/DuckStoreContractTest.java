package dev.coffer.backends.duckdb;

import dev.coffer.testkit.StoreContract;

/** The store over the DuckDB backend. */
class DuckStoreContractTest extends StoreContract {

  @Override
  protected String backend() {
    return "duckdb";
  }
}
