package dev.coffer.backends.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.StoreCorruptException;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What is checked of a key that comes after another, against the check of all of it. */
class KeysTest {
  private static final byte[] ALPHABET = {0, 0, '.', '/', 'a', 'b', (byte) 0xc3, (byte) 0xa9, -1};

  @Test
  void whatIsCheckedAfterAnotherKeyIsWhatIsCheckedAlone() {
    SplittableRandom random = new SplittableRandom(4);
    int good = 0;
    int bad = 0;
    for (int i = 0; i < 200_000; i++) {
      byte[] before = key(random, new byte[0]);
      if (!passes(before, 0)) {
        continue;
      }
      byte[] after = key(random, Arrays.copyOf(before, random.nextInt(before.length + 1)));
      int mismatch = Arrays.mismatch(before, after);
      int shared = mismatch < 0 ? after.length : mismatch;
      boolean passes = passes(after, 0);
      assertEquals(passes, passes(after, shared), Arrays.toString(after) + " shared=" + shared);
      good += passes && shared > 0 ? 1 : 0;
      bad += passes ? 0 : 1;
    }
    assertTrue(good > 500 && bad > 500, "good=" + good + " bad=" + bad);
  }

  private static byte[] key(SplittableRandom random, byte[] start) {
    byte[] key = Arrays.copyOf(start, Math.max(1, start.length + random.nextInt(6)));
    for (int i = start.length; i < key.length; i++) {
      key[i] = ALPHABET[random.nextInt(ALPHABET.length)];
    }
    return key;
  }

  private static boolean passes(byte[] key, int shared) {
    try {
      if (shared == 0) {
        Keys.check(key, 0, key.length);
      } else {
        Keys.checkAfter(key, shared, key.length);
      }
      return true;
    } catch (StoreCorruptException e) {
      return false;
    }
  }
}
