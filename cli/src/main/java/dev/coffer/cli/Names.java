package dev.coffer.cli;

import java.nio.charset.StandardCharsets;

/**
 * Makes names and messages safe to print. Names may hold any character but {@code /} and NUL; a
 * terminal must not act on them, and a line must stay one line.
 */
final class Names {
  private Names() {}

  /** A name as printed: control characters and the backslash escaped, so it can be told back. */
  static String escape(String name) {
    return escape(name, true);
  }

  /** A message with names in it: control characters escaped, backslashes left alone. */
  static String line(String message) {
    return escape(message, false);
  }

  private static String escape(String text, boolean backslash) {
    int i = 0;
    while (i < text.length() && !special(text.charAt(i), backslash)) {
      i++;
    }
    if (i == text.length()) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length() + 16).append(text, 0, i);
    for (; i < text.length(); i++) {
      char c = text.charAt(i);
      if (special(c, backslash)) {
        append(out, c);
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }

  private static boolean special(char c, boolean backslash) {
    if (c < ' ' || (c >= 0x7f && c <= 0x9f)) {
      return true;
    }
    // Line separators and the marks that turn the direction of text around.
    boolean format = (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
    return format || (backslash && c == '\\');
  }

  private static void append(StringBuilder out, char c) {
    switch (c) {
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      case '\\' -> out.append("\\\\");
      default -> {
        for (byte b : String.valueOf(c).getBytes(StandardCharsets.UTF_8)) {
          out.append(String.format("\\x%02X", b & 0xff));
        }
      }
    }
  }
}
