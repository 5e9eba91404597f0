package dev.coffer.bench;

import java.util.HashMap;
import java.util.Map;

/** Arguments of the form {@code name=value}. */
final class Arguments {
  private final Map<String, String> values = new HashMap<>();

  Arguments(String[] args) {
    for (String arg : args) {
      int equals = arg.indexOf('=');
      if (equals <= 0) {
        throw new IllegalArgumentException("argument is not name=value: argument=" + arg);
      }
      values.put(arg.substring(0, equals), arg.substring(equals + 1));
    }
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  String text(String name, String otherwise) {
    return values.getOrDefault(name, otherwise);
  }

  int number(String name, int otherwise) {
    return has(name) ? Integer.parseInt(text(name, "")) : otherwise;
  }
}
