package dev.coffer.cli;

/** Arguments that are fine each by itself, but not together. */
final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  UsageException(String message) {
    super(message);
  }
}
