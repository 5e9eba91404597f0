package dev.coffer.codecs;

import java.io.IOException;

/** Bytes could not be packed or unpacked. The message says what was expected and what was found. */
public final class CodecException extends IOException {
  private static final long serialVersionUID = 1L;

  public CodecException(String message) {
    super(message);
  }

  public CodecException(String message, Throwable cause) {
    super(message, cause);
  }
}
