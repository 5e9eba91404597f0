/** The backend that keeps a store in one DuckDB database file. */
@NullMarked
package dev.coffer.backends.duckdb;

import org.jspecify.annotations.NullMarked;
