package dev.coffer.backends.duckdb;

/**
 * A set of 64-bit hashes that only grows: what is deleted stays in it, which costs a look-up, not a
 * wrong answer. Takes 16 to 32 bytes a hash. Not thread-safe.
 */
final class KeyFilter {
  private static final int LEAST_CAPACITY = 1024;

  /** Open addressing; 0 is a free slot. */
  private long[] slots;

  private long size;

  /** For about so many hashes. */
  KeyFilter(long expected) {
    long capacity = Long.highestOneBit(Math.max(LEAST_CAPACITY, Math.min(expected, 1 << 28))) << 1;
    slots = new long[Math.toIntExact(capacity)];
  }

  void add(long hash) {
    if (2 * size >= slots.length) {
      grow();
    }
    size += insert(slots, nonZero(hash)) ? 1 : 0;
  }

  boolean mayContain(long hash) {
    return slots[find(slots, nonZero(hash))] != 0;
  }

  private void grow() {
    long[] larger = new long[Math.multiplyExact(slots.length, 2)];
    for (long value : slots) {
      if (value != 0) {
        insert(larger, value);
      }
    }
    slots = larger;
  }

  private static boolean insert(long[] table, long value) {
    int slot = find(table, value);
    boolean isNew = table[slot] == 0;
    table[slot] = value;
    return isNew;
  }

  /** The slot of a value, or the free one where it belongs. */
  private static int find(long[] table, long value) {
    int slot = (int) (value ^ value >>> 32) & (table.length - 1);
    while (table[slot] != 0 && table[slot] != value) {
      slot = (slot + 1) & (table.length - 1);
    }
    return slot;
  }

  private static long nonZero(long hash) {
    return hash == 0 ? 1 : hash;
  }
}
