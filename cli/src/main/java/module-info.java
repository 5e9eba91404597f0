/** The {@code coffer} command line. */
module dev.coffer.cli {
  requires dev.coffer.vfs;
  requires info.picocli;
  requires static org.jspecify;

  opens dev.coffer.cli to
      info.picocli;
}
