package dev.coffer.testkit;

import java.util.ArrayList;
import java.util.List;

/** Names and paths that a store must keep exactly, and that careless code does not. */
public final class OddNames {
  private static final String GRIN = "\ud83d\ude00";

  private static final List<String> NAMES =
      List.of(
          "plain",
          "PLAIN",
          "Plain",
          "with space",
          " leading",
          "trailing ",
          " ",
          "'",
          "\"",
          "it's",
          "\"quoted\"",
          "new\nline",
          "cr\rlf\r\n",
          "tab\t",
          "\u0001",
          "\u001b[31m",
          "\u001f\u007f",
          "\u0080\u009f",
          "-",
          "-rf",
          "--help",
          "\u00e9",
          "e\u0301",
          "\u00c5",
          "A\u030a",
          "\u212b",
          "\uac00",
          "\u1100\u1161",
          GRIN,
          "\ud83d\udc69\u200d\ud83d\udcbb",
          "\uffff",
          "\ufffe",
          "\ufffd",
          "\ue000",
          "\ud7ff",
          "\ud800\udc00",
          "\udbff\udfff",
          "\uffffa",
          "\ud800\udc00a",
          "%",
          "_",
          "a%b",
          "a_b",
          "%s",
          "%00",
          "%2F",
          "\\",
          "\\\\",
          "a\\b",
          "\\n",
          "\\x00",
          ";",
          "?",
          "*",
          "[a]",
          "[!a]",
          "{a,b}",
          "$HOME",
          "${x}",
          "`id`",
          "$(id)",
          "|",
          "&",
          "<",
          ">",
          ":",
          "C:",
          "a:b",
          "#",
          "~",
          "!",
          "@",
          "^",
          "=",
          "+",
          ",",
          "(",
          ")",
          "...",
          "..a",
          "a..",
          ".a",
          "a.",
          "con",
          "NUL.txt",
          "a-b",
          "a",
          "a.b",
          "a0",
          "A",
          "aa",
          "\u2028",
          "\u2029",
          "\u202e",
          "\u200b",
          "\ufeff",
          "\u00a0",
          "\u0130",
          "\u0131",
          "\u00df",
          "ss",
          "SS",
          "null",
          "NULL",
          "0",
          "00",
          "1",
          "01",
          "1.0",
          "-1",
          "1e5",
          "0x10",
          "true",
          "inf",
          "nan",
          "'; DROP TABLE entry; --",
          "\" OR 1=1",
          "\u07ff",
          "\u0800",
          "\u0fff",
          "x".repeat(255),
          "x".repeat(254) + "y",
          "\u00e9".repeat(127) + "x",
          GRIN.repeat(63) + "xyz",
          "\uffff".repeat(85));

  private OddNames() {}

  /** The names: no two alike, none over 255 bytes in UTF-8, several hard to tell apart. */
  public static List<String> names() {
    return NAMES;
  }

  /** Canonical paths, up to 4,096 bytes and 256 levels. */
  public static List<String> paths() {
    List<String> paths = new ArrayList<>();
    for (String name : NAMES) {
      paths.add("/" + name);
      paths.add("/in/" + name);
    }
    paths.add(("/" + "d".repeat(255)).repeat(16));
    paths.add(("/" + GRIN.repeat(63) + "abc").repeat(16));
    paths.add("/d".repeat(256));
    paths.add("/" + "\u0001".repeat(200) + "/\u0001/\u0001");
    return paths;
  }

  /** Printable ASCII for messages. */
  public static String escape(String text) {
    StringBuilder escaped = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= ' ' && c < 0x7f) {
        escaped.append(c);
      } else {
        escaped.append(String.format("\\u%04x", (int) c));
      }
    }
    return escaped.toString();
  }
}
