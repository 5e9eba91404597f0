package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreFullException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;

/**
 * A file beside the log that is given up when the device is full, so that there is room for what
 * makes room: deletions, the end of a log that is closed, the marks of a compaction. It stays while
 * the store is closed and is made again by the next one who writes. Thread-safe.
 */
final class Reserve {
  /** If there is no room for all of it, this part of it will do, or a few. */
  private static final int LEAST_DIVISOR = 8;

  private final Storage storage;
  private final Path file;
  private final int length;
  private boolean known;

  Reserve(Storage storage, Path file, int length) {
    this.storage = storage;
    this.file = file;
    this.length = length;
  }

  /** The reserve of a single-file store. */
  static Path beside(Path store) {
    return store.resolveSibling("." + store.getFileName() + ".reserve");
  }

  /** Sees to it that it is there, if there is room for it. */
  synchronized void keep() {
    if (known || length == 0) {
      return;
    }
    known = true;
    int part = length / LEAST_DIVISOR;
    for (int bytes = length; bytes >= part && !isKept(); bytes -= part) {
      make(bytes);
    }
  }

  private boolean isKept() {
    if (!storage.exists(file)) {
      return false;
    }
    try (Storage.OpenFile open = storage.open(file, false)) {
      return open.size() >= length / LEAST_DIVISOR;
    } catch (IOException e) {
      return false;
    }
  }

  private void make(int bytes) {
    byte[] noise = new byte[bytes]; // Zeros may take no room.
    new Random(bytes).nextBytes(noise);
    boolean made = false;
    try (Storage.OpenFile open = storage.create(file)) {
      open.write(0, noise, 0, bytes);
      made = true;
    } catch (IOException e) {
      made = false;
    } finally {
      if (!made) {
        boolean unused = release();
      }
    }
  }

  /** Gives it up; false if there was none. */
  private synchronized boolean release() {
    boolean there = storage.exists(file);
    try {
      storage.delete(file);
      known = false;
      return there;
    } catch (IOException e) {
      return false;
    }
  }

  /** Work without an answer. */
  @FunctionalInterface
  interface Step {
    void run() throws StoreException;
  }

  /** Does a step that must not fail for want of a little room, as {@link #retrying} does. */
  void run(Step step) throws StoreException {
    var unused =
        retrying(
            () -> {
              step.run();
              return true;
            });
  }

  /**
   * Does work that must not fail for want of a little room; twice, if the first time there is none.
   * The work must leave all as it was when it throws {@link StoreFullException}.
   */
  <T> T retrying(IndexDamage.Reading<T> work) throws StoreException {
    try {
      return work.read();
    } catch (StoreFullException e) {
      if (!release()) {
        throw e;
      }
      return work.read();
    }
  }
}
