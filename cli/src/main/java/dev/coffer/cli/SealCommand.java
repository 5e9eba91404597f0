package dev.coffer.cli;

import dev.coffer.vfs.StoreStats;
import dev.coffer.vfs.VirtualFileStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Makes a bundle to ship. */
@Command(
    name = "seal",
    description = "Writes a store's newest state into a new file that never changes.",
    footer = {
      "",
      "Works from a store of any kind. The sealed file holds no dead room, carries its index",
      "and a SHA-256 of itself, and is only ever read: by any number of processes, without",
      "locks, from read-only folders and media too."
    })
final class SealCommand extends StoreCommand {
  @Parameters(index = "1", paramLabel = "DEST", description = "The file to make.")
  Path target = Path.of("");

  SealCommand(Console console) {
    super(console);
  }

  @Override
  boolean accepts(Set<String> switches, List<String> operands) {
    if (!switches.isEmpty() || operands.size() != 1) {
      return false;
    }
    target = Path.of(operands.get(0));
    return true;
  }

  @Override
  void run() throws IOException {
    try (VirtualFileStore store = Stores.openForReading(file, console)) {
      if (Stores.warnIfIncomplete(store, file, console)) {
        console.fail();
      }
      store.sealTo(target);
      StoreStats stats = store.stats();
      console.note("sealed: entries=" + stats.entries() + " fileBytes=" + Files.size(target));
    }
  }
}
