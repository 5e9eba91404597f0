package dev.coffer.cli;

/** What the exit codes mean. */
final class ExitCodes {
  /** Everything was done. */
  static final int DONE = 0;

  /** The store is damaged, or some entries failed; each was named. */
  static final int FAILED = 1;

  /** The store, a file or the output cannot be opened, read or written at all. */
  static final int CANNOT = 2;

  /** The command line makes no sense. */
  static final int USAGE = 3;

  private ExitCodes() {}
}
