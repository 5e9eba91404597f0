package dev.coffer.cli;

import java.util.regex.Pattern;

/** Tells whether a line is one flat JSON object, by the grammar of RFC 8259. */
final class JsonReader {
  private static final String STRING =
      "\"(?:[^\"\\\\\\x00-\\x1f]|\\\\[\"\\\\/bfnrt]|\\\\u[0-9a-fA-F]{4})*+\"";
  private static final String MEMBER = STRING + ":(?:" + STRING + "|-?(?:0|[1-9][0-9]*))";
  private static final Pattern OBJECT = Pattern.compile("\\{" + MEMBER + "(?:," + MEMBER + ")*\\}");

  private JsonReader() {}

  static void check(String line) {
    if (!OBJECT.matcher(line).matches()) {
      throw new AssertionError("no JSON object: " + line);
    }
  }
}
