/** Stores kept in one SQLite database file each. */
module dev.coffer.backends.sqlite {
  requires transitive dev.coffer.vfs;
  requires java.sql;
  requires org.xerial.sqlitejdbc;
  requires transitive static org.jspecify;

  exports dev.coffer.backends.sqlite;

  provides dev.coffer.vfs.spi.BackendProvider with
      dev.coffer.backends.sqlite.SqliteBackendProvider;
}
