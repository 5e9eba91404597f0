package dev.coffer.cli;

import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreLockedException;
import dev.coffer.vfs.StoreOptions;
import dev.coffer.vfs.StoreReadOnlyException;
import dev.coffer.vfs.VirtualFileStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Opens stores as the commands need them. */
final class Stores {
  /** The store property that says how far {@code pack} got. */
  static final String PACK_PROPERTY = "coffer.pack";

  static final String PACK_INCOMPLETE = "incomplete";
  static final String PACK_COMPLETE = "complete";

  /** How the log engine begins to tell of a store whose end is missing, but nothing before it. */
  private static final String UNCLEAN_END = "store was not closed cleanly: lastCommit=";

  private Stores() {}

  /**
   * Opens a store for reading and writes nothing, unless it was left in a state that cannot be read
   * without recovery: then it is recovered, if it may be written.
   */
  static VirtualFileStore openForReading(Path file, Console console) throws IOException {
    VirtualFileStore store = openForChecking(file, console);
    noteRecovery(store, console);
    return store;
  }

  /** As {@link #openForReading}, for commands that show what recovery found themselves. */
  static VirtualFileStore openForChecking(Path file, Console console) throws IOException {
    try {
      return open(file, StoreOptions.DEFAULT.withReadOnly(true));
    } catch (StoreReadOnlyException e) {
      if (!Files.isWritable(file)) {
        throw e;
      }
      // If that fails, because somebody writes the store, it says all there is to say.
      VirtualFileStore store = open(file, StoreOptions.DEFAULT);
      console.note("store was not closed cleanly and has been recovered: file=" + file);
      return store;
    }
  }

  static VirtualFileStore openForWriting(Path file, Console console) throws IOException {
    VirtualFileStore store = open(file, StoreOptions.DEFAULT);
    noteRecovery(store, console);
    return store;
  }

  /** Whether a problem is no damage, only that the last commit may not be the last there was. */
  static boolean isUncleanEnd(Problem problem) {
    return problem.message().startsWith(UNCLEAN_END);
  }

  /** Damage that leaves nothing to read is not the damage of an entry. */
  private static VirtualFileStore open(Path file, StoreOptions options) throws IOException {
    try {
      return VirtualFileStore.open(file, options);
    } catch (StoreCorruptException e) {
      throw new IOException(Failures.message(e), e);
    }
  }

  private static void noteRecovery(VirtualFileStore store, Console console) {
    for (Problem problem : store.recoveryReport()) {
      console.note("recovery: " + Failures.line(problem));
    }
  }

  /**
   * Whether a file is the store of a pack that did not end and no longer runs, so that it may be
   * packed anew. A damaged store is not: its mark cannot be relied upon.
   *
   * @throws StoreLockedException if somebody writes the store, perhaps that very pack
   */
  static boolean isAbandonedPack(Path file) throws IOException {
    if (!Files.isRegularFile(file) && !Files.isDirectory(file)) {
      return false;
    }
    try {
      try (VirtualFileStore store =
          VirtualFileStore.open(file, StoreOptions.DEFAULT.withReadOnly(true))) {
        if (!isIncomplete(store)) {
          return false;
        }
      } catch (StoreReadOnlyException e) {
        // Needs recovery before its mark can be read.
      }
      try (VirtualFileStore store = VirtualFileStore.open(file, StoreOptions.DEFAULT)) {
        return isIncomplete(store) && !store.isReadOnly();
      }
    } catch (StoreLockedException e) {
      throw e;
    } catch (StoreException e) {
      return false; // No store, or not one to judge; it is refused as whatever else is there.
    }
  }

  static boolean isIncomplete(VirtualFileStore store) throws IOException {
    return PACK_INCOMPLETE.equals(store.properties().get(PACK_PROPERTY));
  }

  /** Says so if packing was interrupted; answers whether it was. */
  static boolean warnIfIncomplete(VirtualFileStore store, Path file, Console console)
      throws IOException {
    boolean incomplete = isIncomplete(store);
    if (incomplete) {
      console.warn(
          "incomplete pack: packing was interrupted, still runs, or the file was cut short: file="
              + file);
    }
    return incomplete;
  }

  /** A number of bytes for people, such as {@code 12.3 MB}. */
  static String humanBytes(long bytes) {
    if (bytes < 1000) {
      return bytes + " B";
    }
    double value = bytes;
    String units = "kMGTPE";
    int unit = -1;
    while (value >= 999.95) {
      value /= 1000;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %cB", value, units.charAt(unit));
  }
}
