package dev.coffer.backends.log;

/**
 * The meta bytes of a seal, whose number is the last commit's sequence: the SHA-256 of the file up
 * to the record, 32 bytes. It lies just before the trailer of a sealed file.
 */
final class SealLayout {
  static final String ALGORITHM = "SHA-256";
  static final int LENGTH = 32;

  private SealLayout() {}
}
