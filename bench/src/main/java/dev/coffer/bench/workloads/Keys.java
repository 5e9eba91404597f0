package dev.coffer.bench.workloads;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Keys by index. Names are scattered: the order of indexes is not the order of names.
 *
 * @param length the length of each key in bytes
 * @param layout all in one folder, or 1,000 a folder, one folder after the other
 */
record Keys(int length, Layout layout) {
  private static final int FOLDER_SIZE = 1000;
  private static final int DIGITS = 16;
  private static final int FOLDER_DIGITS = 6;
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  /** Where keys lie. */
  enum Layout {
    FLAT,
    FOLDERS;

    static Layout named(String name) {
      return name.contains("flat") ? FLAT : FOLDERS;
    }
  }

  /** The least length there is room for. */
  static final int MIN_LENGTH = FOLDER_DIGITS + 2 + DIGITS;

  Keys {
    if (length < MIN_LENGTH) {
      throw new IllegalArgumentException("keys are too short: length=" + length);
    }
  }

  String key(long index) {
    byte[] key = new byte[length];
    Arrays.fill(key, (byte) '-');
    key[0] = '/';
    key[1 + FOLDER_DIGITS] = '/';
    long folder = layout == Layout.FLAT ? 0 : index / FOLDER_SIZE;
    for (int i = FOLDER_DIGITS; i > 0; i--) {
      key[i] = (byte) ('0' + folder % 10);
      folder /= 10;
    }
    long name = mix(index);
    for (int i = 0; i < DIGITS; i++) {
      key[FOLDER_DIGITS + 2 + i] = HEX[(int) (name >>> 60)];
      name <<= 4;
    }
    return new String(key, ISO_8859_1);
  }

  /** A key that is not there, just before that of an index. */
  String before(long index) {
    String key = key(index);
    return key.substring(0, key.length() - 1);
  }

  String[] range(long from, int count) {
    String[] keys = new String[count];
    Arrays.setAll(keys, i -> key(from + i));
    return keys;
  }

  /** A bijection, so that no two indexes meet. */
  static long mix(long index) {
    long z = index + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
