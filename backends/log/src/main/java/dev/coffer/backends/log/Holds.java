package dev.coffer.backends.log;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts who holds something; once nobody does, nobody can any more. */
final class Holds {
  private Holds() {}

  /** Adds a hold; false if the last one is gone. */
  static boolean hold(AtomicInteger holds) {
    while (true) {
      int count = holds.get();
      if (count == 0) {
        return false;
      }
      if (holds.compareAndSet(count, count + 1)) {
        return true;
      }
    }
  }
}
