package dev.coffer.codecs;

/**
 * What a native context and its scratch array have in common. Used by one thread at a time; whoever
 * takes it out of its pool gives it back.
 */
abstract class NativeContext {
  /** A scratch array longer than this is not kept: it holds the store's largest chunk twice. */
  private static final int KEPT_SCRATCH_LENGTH = (2 << 20) + (1 << 16);

  private static final byte[] EMPTY = {};

  private byte[] scratch = EMPTY;

  /** An array of at least this length with undefined content, valid until the next call. */
  final byte[] scratch(int length) {
    if (scratch.length >= length) {
      return scratch;
    }
    byte[] grown = new byte[Math.max(length, 4096)];
    if (length <= KEPT_SCRATCH_LENGTH) {
      scratch = grown;
    }
    return grown;
  }

  /** Frees the native memory. */
  abstract void close();
}
