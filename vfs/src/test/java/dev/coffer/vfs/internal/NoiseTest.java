package dev.coffer.vfs.internal;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NoiseTest {

  private static byte[] text(int length) {
    StringBuilder text = new StringBuilder();
    Random random = new Random(7);
    while (text.length() < length) {
      text.append("{\"id\": ").append(random.nextInt()).append(", \"ok\": true}\n");
    }
    return text.substring(0, length).getBytes(StandardCharsets.US_ASCII);
  }

  @ParameterizedTest
  @ValueSource(ints = {128, 150, 400, 1023, 1024, 1025, 4096, 65_536, 262_144})
  void randomBytesAreNoise(int length) {
    for (long seed = 0; seed < 500; seed++) {
      byte[] bytes = new byte[length + 3];
      new Random(seed).nextBytes(bytes);
      assertTrue(Noise.isLikely(bytes, 3, length), "seed=" + seed);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {128, 200, 1024, 4096, 262_144})
  void textAndNumbersAreNot(int length) {
    assertFalse(Noise.isLikely(text(length), 0, length));
    byte[] numbers = new byte[length];
    for (int i = 0; i + 8 <= length; i += 8) {
      long bits = Double.doubleToLongBits(Math.sin(i));
      for (int b = 0; b < 8; b++) {
        numbers[i + b] = (byte) (b < 4 ? 0 : bits >>> (8 * b));
      }
    }
    assertFalse(Noise.isLikely(numbers, 0, length));
  }

  @Test
  void packedTextIsNoise() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (DeflaterOutputStream out = new DeflaterOutputStream(packed)) {
      out.write(text(400_000));
    }
    assertTrue(Noise.isLikely(packed.toByteArray(), 0, packed.size()));
  }

  @Test
  void halfOfAShortContentThatIsItsOtherHalfIsTried() {
    byte[] bytes = new byte[256];
    new Random(3).nextBytes(bytes);
    System.arraycopy(bytes, 0, bytes, 128, 128);
    assertFalse(Noise.isLikely(bytes, 0, bytes.length));
  }

  @Test
  void veryShortContentIsTriedInAnyCase() {
    byte[] bytes = new byte[127];
    new Random(1).nextBytes(bytes);
    assertFalse(Noise.isLikely(bytes, 0, bytes.length));
  }
}
