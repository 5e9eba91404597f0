package dev.coffer.bench;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.SplittableRandom;

/** What files are made of; every value differs, and a seed repeats them all. */
enum Payload {
  /** Bytes that do not shrink: what is measured is the store. */
  RANDOM {
    @Override
    byte[] make(SplittableRandom random, int length) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      return bytes;
    }
  },
  /** Words in lines, which shrink to about a third: what is measured is store and codec. */
  TEXT {
    @Override
    byte[] make(SplittableRandom random, int length) {
      StringBuilder text = new StringBuilder(length + 16);
      while (text.length() < length) {
        int word = random.nextInt(WORDS.length);
        text.append(WORDS[word]).append(word % 9 == 0 ? '\n' : ' ');
        if (word % 4 == 0) {
          text.append(random.nextInt(10_000)).append(' ');
        }
      }
      text.setLength(length);
      return text.toString().getBytes(StandardCharsets.US_ASCII);
    }
  };

  private static final String[] WORDS =
      ("public static final class return the new entry value record commit store path length"
              + " offset chunk segment index of and to a in is for with from batch key name read")
          .split(" ");

  abstract byte[] make(SplittableRandom random, int length);

  static Payload named(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }
}
