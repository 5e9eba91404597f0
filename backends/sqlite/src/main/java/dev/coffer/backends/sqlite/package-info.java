/**
 * Keeps a store in one SQLite database file. The tables are described in {@code
 * docs/format-sqlite.md}.
 */
@NullMarked
package dev.coffer.backends.sqlite;

import org.jspecify.annotations.NullMarked;
