package dev.coffer.vfs.internal;

import dev.coffer.vfs.Attributes;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What may be kept beside content; the same on every backend, checked when it is given. */
final class Limits {
  /** The longest name of a user attribute, owner, group or property, in UTF-8 bytes. */
  private static final int MAX_NAME_LENGTH = 255;

  /** The most bytes all user attributes of one path may take, names and values. */
  private static final int MAX_USER_LENGTH = 128 * 1024;

  /** The longest value of a property in UTF-8 bytes. */
  private static final int MAX_PROPERTY_LENGTH = 64 * 1024;

  private Limits() {}

  /**
   * Checks attributes, which may be absent.
   *
   * @throws IllegalArgumentException if no store keeps them
   */
  static void check(@Nullable Attributes attributes, String path) {
    if (attributes == null) {
      return;
    }
    if (attributes.owner() != null) {
      utf8Length("owner", attributes.owner(), MAX_NAME_LENGTH, path);
    }
    if (attributes.group() != null) {
      utf8Length("group", attributes.group(), MAX_NAME_LENGTH, path);
    }
    long total = 0;
    for (Map.Entry<String, byte[]> user : attributes.user().entrySet()) {
      total += utf8Length("user attribute name", user.getKey(), MAX_NAME_LENGTH, path);
      total += user.getValue().length;
    }
    if (total > MAX_USER_LENGTH) {
      throw new IllegalArgumentException(
          "user attributes are too long: bytes="
              + total
              + " max="
              + MAX_USER_LENGTH
              + " path="
              + path);
    }
  }

  /** Checks a property. */
  static void checkProperty(String name, String value) {
    if (utf8Length("property name", name, MAX_NAME_LENGTH, name) == 0) {
      throw new IllegalArgumentException("property name is empty: value=" + value);
    }
    utf8Length("property value", value, MAX_PROPERTY_LENGTH, name);
  }

  /** Whether text has no unpaired surrogate, so that UTF-8 keeps it as it is. */
  static boolean isUnicode(String text) {
    return StandardCharsets.UTF_8.newEncoder().canEncode(text);
  }

  /** The length of text in UTF-8, if it has one and is not too long. */
  private static int utf8Length(String what, String text, int max, String where) {
    if (!isUnicode(text)) {
      throw new IllegalArgumentException(what + " has an unpaired surrogate: of=" + where);
    }
    int length = text.getBytes(StandardCharsets.UTF_8).length;
    if (length > max) {
      throw new IllegalArgumentException(
          what + " is too long: bytes=" + length + " max=" + max + " of=" + where);
    }
    return length;
  }
}
