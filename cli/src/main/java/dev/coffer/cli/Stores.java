package dev.coffer.cli;

import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreCorruptException;
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

  private Stores() {}

  /**
   * Opens a store for reading and writes nothing, unless it was left in a state that cannot be read
   * without recovery: then it is recovered, if it may be written.
   */
  static VirtualFileStore openForReading(Path file, Console console) throws IOException {
    VirtualFileStore store;
    try {
      store = open(file, StoreOptions.DEFAULT.withReadOnly(true));
    } catch (StoreReadOnlyException e) {
      if (!Files.isWritable(file)) {
        throw e;
      }
      console.note("store was not closed cleanly, recovering it: file=" + file);
      store = open(file, StoreOptions.DEFAULT);
    }
    noteRecovery(store, console);
    return store;
  }

  static VirtualFileStore openForWriting(Path file, Console console) throws IOException {
    VirtualFileStore store = open(file, StoreOptions.DEFAULT);
    noteRecovery(store, console);
    return store;
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

  static boolean isIncomplete(VirtualFileStore store) throws IOException {
    return PACK_INCOMPLETE.equals(store.properties().get(PACK_PROPERTY));
  }

  /** Says so if packing was interrupted; answers whether it was. */
  static boolean warnIfIncomplete(VirtualFileStore store, Path file, Console console)
      throws IOException {
    boolean incomplete = isIncomplete(store);
    if (incomplete) {
      console.warn("incomplete pack: packing was interrupted or still runs: file=" + file);
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
