package dev.coffer.codecs;

import java.nio.ByteBuffer;
import java.util.Random;

/** Seeded content and buffers of each kind for the tests of this package. */
final class Samples {
  /** Printed by each assertion that depends on it. */
  static final long SEED = Long.getLong("coffer.test.seed", 20260101L);

  private static final String[] WORDS = {
    "\"name\": ", "\"id\": ", "true", "false", "null", "{", "}", "coffer", "chunk", "0123", "\n  "
  };

  private Samples() {}

  /** Content that packs well, like a text file. */
  static byte[] text(Random random, int length) {
    StringBuilder text = new StringBuilder(length + 16);
    while (text.length() < length) {
      text.append(WORDS[random.nextInt(WORDS.length)]).append(random.nextInt(50));
    }
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) text.charAt(i);
    }
    return bytes;
  }

  static byte[] noise(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  /** How a buffer keeps its bytes. */
  enum Kind {
    HEAP,
    DIRECT,
    READ_ONLY_HEAP,
    READ_ONLY_DIRECT;

    static final Kind[] WRITABLE = {HEAP, DIRECT};

    /**
     * A buffer whose remaining bytes are these, with a margin of others on both sides and, on the
     * heap, an array offset.
     */
    ByteBuffer holding(byte[] bytes) {
      int margin = 7;
      int capacity = bytes.length + 2 * margin;
      ByteBuffer buffer =
          this == DIRECT || this == READ_ONLY_DIRECT
              ? ByteBuffer.allocateDirect(capacity)
              : ByteBuffer.wrap(new byte[capacity + 5], 5, capacity).slice();
      for (int i = 0; i < capacity; i++) {
        buffer.put(i, (byte) 0x5A);
      }
      buffer.put(margin, bytes);
      buffer.limit(margin + bytes.length).position(margin);
      return this == HEAP || this == DIRECT ? buffer : buffer.asReadOnlyBuffer();
    }
  }

  /** The bytes between two indexes, whatever position and limit are. */
  static byte[] slice(ByteBuffer buffer, int from, int to) {
    byte[] bytes = new byte[to - from];
    ByteBuffer all = buffer.duplicate();
    all.clear();
    all.get(from, bytes);
    return bytes;
  }
}
