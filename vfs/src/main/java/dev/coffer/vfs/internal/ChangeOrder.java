package dev.coffer.vfs.internal;

import dev.coffer.vfs.spi.Change;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Sorts the changes of a commit by key. Keys lie all over memory, and each comparison would visit
 * two of them: so what tells most keys apart, eight bytes behind what all have in common, is put
 * beside the changes first.
 */
final class ChangeOrder {
  private static final Comparator<Ranked> BY_RANK =
      (a, b) -> {
        int byRank = Long.compareUnsigned(a.rank, b.rank);
        return byRank != 0 ? byRank : a.change.key().compareTo(b.change.key());
      };

  private record Ranked(long rank, Change change) {}

  private ChangeOrder() {}

  /** Sorts in place; changes in order already, as most are, are only looked at. */
  static void sort(List<Change> changes) {
    if (isSorted(changes)) {
      return;
    }
    int common = commonLength(changes);
    Ranked[] ranked = new Ranked[changes.size()];
    for (int i = 0; i < ranked.length; i++) {
      Change change = changes.get(i);
      ranked[i] = new Ranked(rank(change.key().bytes(), common), change);
    }
    Arrays.sort(ranked, BY_RANK);
    for (int i = 0; i < ranked.length; i++) {
      changes.set(i, ranked[i].change);
    }
  }

  private static boolean isSorted(List<Change> changes) {
    for (int i = 1; i < changes.size(); i++) {
      if (changes.get(i - 1).key().compareTo(changes.get(i).key()) > 0) {
        return false;
      }
    }
    return true;
  }

  private static int commonLength(List<Change> changes) {
    byte[] first = changes.get(0).key().bytes();
    int common = first.length;
    for (Change change : changes) {
      int differs = Arrays.mismatch(first, change.key().bytes());
      common = differs < 0 ? common : Math.min(common, differs);
    }
    return common;
  }

  /** Eight bytes as a number; what is missing counts as zeros. */
  private static long rank(byte[] key, int from) {
    long rank = 0;
    for (int i = from; i < from + Long.BYTES; i++) {
      rank = rank << 8 | (i < key.length ? key[i] & 0xff : 0);
    }
    return rank;
  }
}
