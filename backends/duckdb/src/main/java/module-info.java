/** Stores kept in one DuckDB database file. */
@SuppressWarnings("requires-automatic")
module dev.coffer.backends.duckdb {
  requires transitive dev.coffer.vfs;
  requires static transitive org.jspecify;
  requires java.sql;
  requires duckdb.jdbc;

  exports dev.coffer.backends.duckdb;

  provides dev.coffer.vfs.spi.BackendProvider with
      dev.coffer.backends.duckdb.DuckBackendProvider;
}
