package dev.coffer.cli;

/** Builds one JSON object on one line. */
final class Json {
  private final StringBuilder out = new StringBuilder("{");

  Json field(String name, String value) {
    name(name);
    string(value);
    return this;
  }

  Json field(String name, long value) {
    name(name);
    out.append(value);
    return this;
  }

  private void name(String name) {
    if (out.length() > 1) {
      out.append(',');
    }
    string(name);
    out.append(':');
  }

  private void string(String value) {
    out.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ' || c == 0x7f || c == 0x2028 || c == 0x2029) {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }

  @Override
  public String toString() {
    return out + "}";
  }
}
