/** The virtual file store: its API, and the contract between the store and its backends. */
module dev.coffer.vfs {
  requires transitive dev.coffer.codecs;
  requires transitive static org.jspecify;

  exports dev.coffer.vfs;
  exports dev.coffer.vfs.spi;

  uses dev.coffer.codecs.CodecProvider;
  uses dev.coffer.vfs.spi.BackendProvider;
}
