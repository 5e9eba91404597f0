package dev.coffer.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Times are printed as {@link Instant} prints them. */
final class TimesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "1970-01-01T00:00:00Z",
        "2024-02-29T23:59:00Z",
        "2024-02-29T23:59:00.000000001Z",
        "1969-12-31T23:59:59.5Z",
        "0000-01-01T00:00:00Z",
        "-0001-12-31T23:59:59Z",
        "9999-12-31T23:59:59.999999999Z",
        "+10000-01-01T00:00:00Z",
        "-1000000000-01-01T00:00:00Z",
        "+1000000000-12-31T23:59:59.999999999Z"
      })
  void limits(String text) {
    assertEquals(Instant.parse(text).toString(), Times.utc(Instant.parse(text)));
  }

  @Test
  void atRandom() {
    long seed = 20_240_229;
    Random random = new Random(seed);
    int[] units = {1, 1_000, 1_000_000, 1_000_000_000};
    for (int i = 0; i < 20_000; i++) {
      long seconds = (long) (random.nextGaussian() * 100_000_000_000L);
      long rounded = random.nextBoolean() ? seconds : seconds / 60 * 60;
      int unit = units[random.nextInt(units.length)];
      Instant time =
          Instant.ofEpochSecond(rounded, (long) (random.nextInt(1_000_000_000) / unit) * unit);
      assertEquals(time.toString(), Times.utc(time), "seed=" + seed);
    }
  }
}
