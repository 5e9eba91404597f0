package dev.coffer.bench.workloads;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Values by index and version: every one differs, can be made again, and begins with a stamp by
 * which a reader knows it. Random values do not shrink; texts are slices of a corpus.
 */
final class Values {
  /** The length of the stamp, which no value is shorter than. */
  static final int STAMP = 8;

  private static final byte[] DIGITS =
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+/".getBytes(US_ASCII);

  private final byte @Nullable [] corpus;

  private Values(byte @Nullable [] corpus) {
    this.corpus = corpus;
  }

  static Values random() {
    return new Values(null);
  }

  /** Slices of a file. */
  static Values text(Path corpus) throws IOException {
    return new Values(Files.readAllBytes(corpus));
  }

  byte[] make(long index, int version, int length) {
    long seed = seed(index, version);
    byte[] value = new byte[length];
    SplittableRandom random = new SplittableRandom(seed);
    if (corpus == null) {
      random.nextBytes(value);
    } else {
      int at = random.nextInt(corpus.length);
      for (int done = 0; done < length; at = 0) {
        int part = Math.min(length - done, corpus.length - at);
        System.arraycopy(corpus, at, value, done, part);
        done += part;
      }
    }
    stamp(seed, value);
    return value;
  }

  byte[][] range(long from, int count, int version, int length) {
    byte[][] values = new byte[count][];
    for (int i = 0; i < count; i++) {
      values[i] = make(from + i, version, length);
    }
    return values;
  }

  private static long seed(long index, int version) {
    return Keys.mix(index * 31 + version);
  }

  private void stamp(long seed, byte[] value) {
    for (int i = 0; i < STAMP; i++) {
      value[i] = stampByte(seed, i);
    }
  }

  private byte stampByte(long seed, int i) {
    return corpus == null ? (byte) (seed >>> (i * 8)) : DIGITS[(int) (seed >>> (i * 6)) & 63];
  }

  /**
   * Whether a value is that of an index and version.
   *
   * @throws IllegalStateException if not
   */
  void check(byte @Nullable [] value, long index, int version, int length) {
    if (value == null || value.length != length) {
      throw new IllegalStateException(
          "value is missing or of another length: index="
              + index
              + " expected="
              + length
              + " found="
              + (value == null ? -1 : value.length));
    }
    long seed = seed(index, version);
    for (int i = 0; i < STAMP; i++) {
      if (value[i] != stampByte(seed, i)) {
        throw new IllegalStateException("value is another one: index=" + index);
      }
    }
  }
}
