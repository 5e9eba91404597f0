package dev.coffer.backends.log;

import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.StoreCorruptException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The optional attributes at the end of an entry, in order of their tags: only what is there, and
 * times only where they differ from the time of modification. A reader skips an unknown tag of 128
 * or more and refuses any other.
 *
 * <pre>
 *   tag 1 accessed, 2 created, 3 changed   seconds (signed), nanos (varint)
 *   tag 4 owner, 5 group, 7 link target    UTF-8
 *   tag 6 user attribute, once for each    name length (varint), name in UTF-8, value to the end
 * </pre>
 */
record AttributeTags(Attributes attributes, @Nullable String linkTarget) {
  private static final int ACCESSED = 1;
  private static final int CREATED = 2;
  private static final int CHANGED = 3;
  private static final int OWNER = 4;
  private static final int GROUP = 5;
  private static final int USER = 6;
  private static final int LINK_TARGET = 7;
  private static final int SKIPPABLE = 0x80;

  static void encode(BytesOut out, Attributes attributes, @Nullable String linkTarget) {
    Instant modified = attributes.modified();
    encode(out, ACCESSED, attributes.accessed(), modified);
    encode(out, CREATED, attributes.created(), modified);
    encode(out, CHANGED, attributes.changed(), modified);
    encode(out, OWNER, attributes.owner());
    encode(out, GROUP, attributes.group());
    if (!attributes.user().isEmpty()) {
      encode(out, attributes.user());
    }
    encode(out, LINK_TARGET, linkTarget);
  }

  private static void encode(BytesOut out, Map<String, byte[]> attributes) {
    for (Map.Entry<String, byte[]> user : attributes.entrySet()) {
      byte[] value = user.getValue();
      BytesOut field = new BytesOut(value.length + 32).text(user.getKey()).raw(value);
      out.u8(USER).varint(field.length()).raw(field.bytes(), 0, field.length());
    }
  }

  private static void encode(BytesOut out, int tag, Instant time, Instant modified) {
    if (!time.equals(modified)) {
      BytesOut field = new BytesOut(16).signed(time.getEpochSecond()).varint(time.getNano());
      out.u8(tag).varint(field.length()).raw(field.bytes(), 0, field.length());
    }
  }

  private static void encode(BytesOut out, int tag, @Nullable String text) {
    if (text != null) {
      byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
      out.u8(tag).varint(utf8.length).raw(utf8);
    }
  }

  /** Reads to the end; {@code plain} has the mode and all times as that of modification. */
  static AttributeTags decode(BytesIn in, Attributes plain) throws StoreCorruptException {
    if (in.remaining() == 0) {
      return new AttributeTags(plain, null);
    }
    Attributes attributes = plain;
    String linkTarget = null;
    SortedMap<String, byte[]> user = new TreeMap<>();
    while (in.remaining() > 0) {
      int tag = in.u8();
      byte[] bytes = in.raw((int) in.upTo(in.remaining(), "attribute length"));
      BytesIn field = new BytesIn(bytes);
      switch (tag) {
        case ACCESSED -> attributes = attributes.withAccessed(time(field));
        case CREATED -> attributes = attributes.withCreated(time(field));
        case CHANGED -> attributes = attributes.withChanged(time(field));
        case OWNER ->
            attributes = attributes.withOwner(field.utf8(bytes.length), attributes.group());
        case GROUP ->
            attributes = attributes.withOwner(attributes.owner(), field.utf8(bytes.length));
        case USER -> user.put(field.text(), field.raw(field.remaining()));
        case LINK_TARGET -> linkTarget = field.utf8(bytes.length);
        default -> {
          if ((tag & SKIPPABLE) == 0) {
            throw BytesIn.malformed("of an entry has an unknown attribute: tag=" + tag);
          }
        }
      }
    }
    return new AttributeTags(user.isEmpty() ? attributes : attributes.withUser(user), linkTarget);
  }

  private static Instant time(BytesIn in) throws StoreCorruptException {
    long seconds = in.signed();
    return Times.instant(seconds, in.varint());
  }
}
