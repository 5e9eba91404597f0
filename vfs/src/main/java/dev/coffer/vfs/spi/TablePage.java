package dev.coffer.vfs.spi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The layout of one page of a chunk table. Pages are stored raw, little-endian:
 *
 * <pre>
 *   0        8         12       20
 *   +--------+---------+--------+---------+-- ...
 *   | id 0   | crc 0   | id 1   | crc 1   |
 *   +--------+---------+--------+---------+-- ...
 * </pre>
 *
 * <p>{@code id} is the content id of a chunk, or of a page one level down, and {@code crc} the
 * CRC32C of its packed bytes; id 0 is a hole, which reads as zeros. A page names up to {@link
 * #FAN_OUT} children; a page not on the right edge of the table names exactly that many. A file of
 * n chunks has the least depth whose {@code FAN_OUT^depth} is at least n.
 */
public final class TablePage {
  /** The most children a page names. */
  public static final int FAN_OUT = 1024;

  /** The length of one child's slot in bytes. */
  public static final int SLOT_LENGTH = 12;

  private static final int CHECKSUM_OFFSET = 8;

  private TablePage() {}

  /** Whether a packed length is that of a page. */
  public static boolean isValidLength(int length) {
    return length > 0 && length % SLOT_LENGTH == 0 && length <= FAN_OUT * SLOT_LENGTH;
  }

  /** How many children the page in {@code length} bytes names. */
  public static int count(int length) {
    return length / SLOT_LENGTH;
  }

  /** The content id of child {@code index}, or 0 for a hole. */
  public static long id(byte[] page, int index) {
    return view(page).getLong(index * SLOT_LENGTH);
  }

  /** The checksum of child {@code index}. */
  public static int checksum(byte[] page, int index) {
    return view(page).getInt(index * SLOT_LENGTH + CHECKSUM_OFFSET);
  }

  /** A page of the first {@code count} of these children. */
  public static byte[] encode(long[] ids, int[] checksums, int count) {
    byte[] page = new byte[count * SLOT_LENGTH];
    ByteBuffer view = view(page);
    for (int i = 0; i < count; i++) {
      view.putLong(ids[i]).putInt(checksums[i]);
    }
    return page;
  }

  private static ByteBuffer view(byte[] page) {
    return ByteBuffer.wrap(page).order(ByteOrder.LITTLE_ENDIAN);
  }
}
