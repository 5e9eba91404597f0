package dev.coffer.vfs.spi;

import dev.coffer.vfs.Attributes;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The attributes that have no column of their own, as bytes, big-endian:
 *
 * <pre>
 *   3 times: accessed, created, changed     seconds (8) nanoseconds (4)
 *   owner, group                            length (4), -1 for none; UTF-8
 *   user attributes                         count (4), then each: name as above, value as above
 * </pre>
 *
 * <p>Most entries have nothing to say here and keep null instead: all times equal, nothing else.
 */
public final class AttributesCodec {
  /** The most bytes an entry's attributes may take, so that no listing exhausts the heap. */
  public static final int MAX_LENGTH = 256 * 1024;

  private AttributesCodec() {}

  /** The bytes of attributes, or null if mode and modification time say it all. */
  public static byte @Nullable [] encode(Attributes attributes) {
    Instant time = attributes.modified();
    if (attributes.accessed().equals(time)
        && attributes.created().equals(time)
        && attributes.changed().equals(time)
        && attributes.owner() == null
        && attributes.group() == null
        && attributes.user().isEmpty()) {
      return null;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(64);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      writeTime(out, attributes.accessed());
      writeTime(out, attributes.created());
      writeTime(out, attributes.changed());
      writeText(out, attributes.owner());
      writeText(out, attributes.group());
      out.writeInt(attributes.user().size());
      for (var attribute : attributes.user().entrySet()) {
        writeText(out, attribute.getKey());
        writeBytes(out, attribute.getValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("an array does not fail", e);
    }
    return bytes.toByteArray();
  }

  /**
   * The attributes in bytes that {@link #encode} made, or damaged ones.
   *
   * @throws RuntimeException of several kinds, if the bytes are not what {@link #encode} made
   */
  public static Attributes decode(int mode, Instant modified, byte @Nullable [] bytes) {
    if (bytes == null) {
      return Attributes.of(mode, modified);
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    Instant accessed = readTime(in);
    Instant created = readTime(in);
    Instant changed = readTime(in);
    String owner = readText(in);
    String group = readText(in);
    SortedMap<String, byte[]> user = new TreeMap<>();
    for (int count = in.getInt(); count > 0; count--) {
      String name = readText(in);
      byte[] value = readBytes(in);
      if (name == null || value == null) {
        throw new IllegalArgumentException("user attribute is null");
      }
      user.put(name, value);
    }
    if (in.hasRemaining()) {
      throw new IllegalArgumentException("attributes are too long: left=" + in.remaining());
    }
    return new Attributes(mode, modified, accessed, created, changed, owner, group, user);
  }

  /** An instant of stored numbers, which must be in range rather than be carried over. */
  public static Instant time(long seconds, long nanos) {
    if (nanos < 0 || nanos > 999_999_999) {
      throw new IllegalArgumentException("nanoseconds are out of range: nanos=" + nanos);
    }
    return Instant.ofEpochSecond(seconds, nanos);
  }

  private static void writeTime(DataOutputStream out, Instant time) throws IOException {
    out.writeLong(time.getEpochSecond());
    out.writeInt(time.getNano());
  }

  private static Instant readTime(ByteBuffer in) {
    return time(in.getLong(), in.getInt());
  }

  private static void writeText(DataOutputStream out, @Nullable String text) throws IOException {
    writeBytes(out, text == null ? null : text.getBytes(StandardCharsets.UTF_8));
  }

  private static @Nullable String readText(ByteBuffer in) {
    byte[] bytes = readBytes(in);
    return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
  }

  private static void writeBytes(DataOutputStream out, byte @Nullable [] bytes) throws IOException {
    if (bytes == null) {
      out.writeInt(-1);
      return;
    }
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static byte @Nullable [] readBytes(ByteBuffer in) {
    int length = in.getInt();
    if (length == -1) {
      return null;
    }
    if (length < 0 || length > in.remaining()) {
      throw new IllegalArgumentException("length is out of range: length=" + length);
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }
}
