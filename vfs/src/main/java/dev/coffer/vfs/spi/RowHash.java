package dev.coffer.vfs.spi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A 64-bit hash of a row's fields, each of a length that is told before it, so that no two rows
 * read alike. Shows accidents, not forgery: it has no key. Not thread-safe; used once.
 */
public final class RowHash {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long C1 = 0x87c37b91114253d5L;
  private static final long C2 = 0x4cf5ad432745937fL;
  private static final long ADD = 0x52dce729L;
  private static final long NULL_LENGTH = -1;

  private long state;
  private long lanes;

  /** A hash of nothing yet. */
  public RowHash() {}

  public RowHash add(long lane) {
    long mixed = Long.rotateLeft(lane * C1, 31) * C2;
    state = Long.rotateLeft(state ^ mixed, 27) * 5 + ADD;
    lanes++;
    return this;
  }

  /** Adds the length and then the bytes, eight at a time, the last ones filled up with zeros. */
  public RowHash add(byte @Nullable [] bytes) {
    if (bytes == null) {
      return add(NULL_LENGTH);
    }
    add(bytes.length);
    int at = 0;
    for (; at + Long.BYTES <= bytes.length; at += Long.BYTES) {
      add((long) LONGS.get(bytes, at));
    }
    if (at < bytes.length) {
      long tail = 0;
      for (int i = bytes.length - 1; i >= at; i--) {
        tail = tail << 8 | (bytes[i] & 0xff);
      }
      add(tail);
    }
    return this;
  }

  public RowHash add(@Nullable String text) {
    return add(text == null ? null : text.getBytes(StandardCharsets.UTF_8));
  }

  /** The hash of what was added so far. */
  public long value() {
    long h = state ^ lanes;
    h = (h ^ h >>> 33) * 0xff51afd7ed558ccdL;
    h = (h ^ h >>> 33) * 0xc4ceb9fe1a85ec53L;
    return h ^ h >>> 33;
  }
}
