package dev.coffer.backends.sqlite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class NumberTextTest {
  @Test
  void readsOneNumberAfterTheOther() {
    NumberText numbers = new NumberText("0 -7 9223372036854775807 -9223372036854775808 42");
    assertEquals(0, numbers.next());
    assertEquals(-7, numbers.nextInt());
    assertEquals(Long.MAX_VALUE, numbers.next());
    assertEquals(Long.MIN_VALUE, numbers.next());
    assertEquals(42, numbers.nextInt());
    assertThrows(IllegalArgumentException.class, numbers::next);
  }

  @Test
  void refusesWhatIsNoNumber() {
    assertThrows(IllegalArgumentException.class, () -> new NumberText(null));
    for (String text : new String[] {"", " 1", "x", "1.5", "9223372036854775808"}) {
      assertThrows(IllegalArgumentException.class, () -> new NumberText(text).next(), text);
    }
    assertThrows(ArithmeticException.class, () -> new NumberText("2147483648").nextInt());
  }
}
