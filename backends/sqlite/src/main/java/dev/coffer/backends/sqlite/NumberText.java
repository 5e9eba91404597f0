package dev.coffer.backends.sqlite;

import org.jspecify.annotations.Nullable;

/** Numbers in a text, a space after each but the last. For one thread. */
final class NumberText {
  private final String text;
  private int position;

  /**
   * @throws IllegalArgumentException if there is no text
   */
  NumberText(@Nullable String text) {
    if (text == null) {
      throw new IllegalArgumentException("numbers are missing");
    }
    this.text = text;
  }

  /**
   * The next number.
   *
   * @throws IllegalArgumentException if there is none
   */
  long next() {
    if (position > text.length()) {
      throw new IllegalArgumentException("a number is missing: text=" + text);
    }
    int space = text.indexOf(' ', position);
    int end = space < 0 ? text.length() : space;
    long number = Long.parseLong(text, position, end, 10);
    position = end + 1;
    return number;
  }

  /**
   * The next number.
   *
   * @throws ArithmeticException if it is no int
   */
  int nextInt() {
    return Math.toIntExact(next());
  }
}
