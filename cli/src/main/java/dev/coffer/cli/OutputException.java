package dev.coffer.cli;

import java.io.IOException;

/** Standard output takes no more: its reader is gone, or the device is full. */
final class OutputException extends IOException {
  private static final long serialVersionUID = 1L;

  OutputException(IOException cause) {
    super(cause.getMessage(), cause);
  }

  /** Whether the reader simply left, as {@code head} does. */
  boolean isBrokenPipe() {
    String message = getMessage();
    return message != null && (message.contains("Broken pipe") || message.contains("Pipe closed"));
  }
}
