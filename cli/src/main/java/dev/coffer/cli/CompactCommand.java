package dev.coffer.cli;

import dev.coffer.vfs.VirtualFileStore;
import java.io.IOException;
import picocli.CommandLine.Command;

/** Gives back dead room. */
@Command(name = "compact", description = "Gives back the room of what was deleted or replaced.")
final class CompactCommand extends StoreCommand {
  CompactCommand(Console console) {
    super(console);
  }

  @Override
  void run() throws IOException {
    try (VirtualFileStore store = Stores.openForWriting(file, console)) {
      long before = store.stats().fileBytes();
      store.compact();
      long after = store.stats().fileBytes();
      console.note("compacted: before=" + before + " after=" + after + " bytes");
    }
  }
}
