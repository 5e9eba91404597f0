package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import java.util.Arrays;

/**
 * Reads the blocks of parts ({@link PartLayout}), one at a time, each checked before anything in it
 * is believed. After {@link #next} or {@link #find} it stands at an entry. Not thread-safe.
 */
final class PartBlock {
  private static final int KEEP = 64 * 1024;

  private final PartCrc crc = new PartCrc();
  private final RowView found = new RowView();
  private byte[] own = new byte[0];
  private byte[] bytes = own;
  private int unit;
  private int level;
  private int count;
  private int position;
  private int end;

  private int shared;
  private int suffixLength;
  private int suffix;
  private int tail;
  private int tailEnd;

  int unit() {
    return unit;
  }

  int level() {
    return level;
  }

  /** How many entries follow the one it stands at. */
  int count() {
    return count;
  }

  /** How many bytes a block has, as its head says, if that is possible at its place. */
  static int length(int head, int unit, EntryPartInfo info) throws StoreCorruptException {
    int units = PartLayout.units(head);
    if (units == 0 || units > info.longestUnits() || units > info.endUnit() - unit) {
      throw damaged("has a block of a wrong length: units=" + units, unit);
    }
    return units * PartLayout.UNIT;
  }

  /** Reads and opens a block that something names, by one read where it is not a long one. */
  void read(PartSource source, EntryPartInfo info, int at, int usualLength) throws StoreException {
    if (at <= 0 || at >= info.endUnit()) {
      throw damaged("names a block that cannot be", at);
    }
    int room = (info.endUnit() - at) * PartLayout.UNIT;
    int guess = Math.min(room, usualLength);
    long offset = (long) at * PartLayout.UNIT;
    reserve(guess, 0);
    source.read(offset, own, 0, guess);
    int length = length(PartLayout.u32(own, 0), at, info);
    if (length > guess) {
      reserve(length, guess);
      source.read(offset + guess, own, guess, length - guess);
    }
    open(own, 0, length, at, info);
  }

  private void reserve(int length, int keep) {
    if (own.length < length) {
      byte[] longer = new byte[length];
      System.arraycopy(own, 0, longer, 0, keep);
      own = longer;
    }
  }

  /** Gives the room of an uncommonly long block back. */
  void trim() {
    if (own.length > KEEP) {
      own = new byte[KEEP];
      bytes = own;
    }
  }

  /** Opens a block that lies whole in an array. */
  void open(byte[] block, int start, int length, int at, EntryPartInfo info)
      throws StoreCorruptException {
    crc.check(block, start, length, info.salt(), at);
    int head = PartLayout.u32(block, start);
    bytes = block;
    unit = at;
    level = PartLayout.level(head);
    count = PartLayout.count(head);
    position = start + PartLayout.HEAD_LENGTH;
    end = start + length - PartLayout.CRC_LENGTH;
  }

  /** Goes to the next entry; false behind the last. */
  boolean next() throws StoreCorruptException {
    if (count == 0) {
      return false;
    }
    count--;
    int tailLength;
    int at = position;
    if (end - at >= 3 && (bytes[at] | bytes[at + 1] | bytes[at + 2]) >= 0) {
      shared = bytes[at]; // Nearly all are below 128.
      suffixLength = bytes[at + 1];
      tailLength = bytes[at + 2];
      position = at + 3;
    } else {
      shared = size();
      suffixLength = size();
      tailLength = size();
    }
    suffix = position;
    if (suffixLength > end - suffix || tailLength > end - suffix - suffixLength) {
      throw damaged("has an entry that is too long", unit);
    }
    tail = suffix + suffixLength;
    tailEnd = tail + tailLength;
    position = tailEnd;
    return true;
  }

  /** Goes to the entry of a key; false, standing anywhere, where there is none. */
  boolean find(byte[] key) throws StoreCorruptException {
    int matched = 0; // How many bytes the key has in common with the entry before.
    while (next()) {
      if (shared < matched) {
        return false;
      }
      if (shared == matched) {
        int more = Arrays.mismatch(bytes, suffix, tail, key, matched, key.length);
        if (more < 0) {
          return true;
        }
        if (isAbove(key, matched, more)) {
          return false;
        }
        matched += more;
      }
    }
    return false;
  }

  /** Whether this entry, unlike the key from {@code matched + more} on, is above it. */
  private boolean isAbove(byte[] key, int matched, int more) {
    return matched + more == key.length
        || (more < suffixLength && (bytes[suffix + more] & 0xff) > (key[matched + more] & 0xff));
  }

  /** The unit that the last fence not above a key names. */
  int child(byte[] key) throws StoreCorruptException {
    int matched = 0;
    int below = -1;
    while (next() && shared >= matched) {
      if (shared == matched) {
        int more = Arrays.mismatch(bytes, suffix, tail, key, matched, key.length);
        if (more >= 0 && isAbove(key, matched, more)) {
          break;
        }
        matched += more < 0 ? suffixLength : more;
      }
      below = tail;
    }
    if (below < 0) {
      throw damaged("has fences that are all too high", unit);
    }
    position = below;
    return size();
  }

  /** The row it stands at, whose key was found. */
  Row row(byte[] key) throws StoreCorruptException {
    found.key = key;
    found.keyLength = shared + suffixLength;
    showBody(found, key.length);
    return found.toRow();
  }

  /** How many bytes the key it stands at has in common with the one before. */
  int shared() {
    return shared;
  }

  /** Shows the row it stands at in a view of the row before, of which so much of the key counts. */
  void show(RowView view, int keyBefore) throws StoreCorruptException {
    byte[] key = view.keyRoom(Math.min(shared + suffixLength, Keys.MAX_LENGTH), keyBefore);
    showBody(view, keyBefore);
    System.arraycopy(bytes, suffix, key, shared, suffixLength);
  }

  /** Shows all but the key, after checking that there can be such a row. */
  private void showBody(RowView view, int prefixLength) throws StoreCorruptException {
    int keyLength = shared + suffixLength;
    if (level != 0 || shared > prefixLength || keyLength == 0 || keyLength > Keys.MAX_LENGTH) {
      throw damaged("has an impossible row: level=" + level + " keyLength=" + keyLength, unit);
    }
    int after = position;
    position = tail;
    long version = varint();
    view.version = version >>> 1;
    view.segment = 0;
    view.contentOffset = -1;
    if ((version & 1) != 0) {
      view.segment = size();
      long place = number();
      view.contentOffset = place == 0 ? -1 : place; // No content lies at the start of a file.
    }
    view.body = bytes;
    view.bodyStart = position;
    view.bodyLength = tailEnd - position;
    position = after;
    if (view.bodyLength < 0) {
      throw damaged("has a row that is too short", unit);
    }
  }

  private int size() throws StoreCorruptException {
    long value = number();
    if (value > Integer.MAX_VALUE) {
      throw damaged("has an impossible size: found=" + value, unit);
    }
    return (int) value;
  }

  private long number() throws StoreCorruptException {
    long value = varint();
    if (value < 0) {
      throw damaged("has an impossible number: found=" + value, unit);
    }
    return value;
  }

  private long varint() throws StoreCorruptException {
    if (position < end && bytes[position] >= 0) {
      return bytes[position++];
    }
    long value = 0;
    for (int shift = 0; shift < Long.SIZE && position < end; shift += 7) {
      int b = bytes[position++];
      value |= (b & 0x7fL) << shift;
      if (b >= 0) {
        return value;
      }
    }
    throw damaged("has a number that does not end", unit);
  }

  private static StoreCorruptException damaged(String what, int unit) {
    return PartLayout.damaged(what, (long) unit * PartLayout.UNIT);
  }
}
