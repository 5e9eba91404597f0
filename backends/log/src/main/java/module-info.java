/** The append-only log backend: one file, or one folder of segments, that is only ever added to. */
module dev.coffer.backends.log {
  requires transitive dev.coffer.vfs;
  requires static org.jspecify;

  exports dev.coffer.backends.log;

  provides dev.coffer.vfs.spi.BackendProvider with
      dev.coffer.backends.log.LogProvider;
}
