package dev.coffer.cli;

import dev.coffer.vfs.FileEntry;
import dev.coffer.vfs.VirtualFileStore;
import dev.coffer.vfs.WriteOption;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Renames or moves an entry. */
@Command(
    name = "mv",
    description = "Renames or moves a file, link or folder within the store, at once.",
    footer = {"", "If TO is an existing folder, FROM is moved into it."})
final class MvCommand extends StoreCommand {
  @Parameters(index = "1", paramLabel = "FROM", description = "What to move.")
  String from = "";

  @Parameters(index = "2", paramLabel = "TO", description = "Its new path, or a folder.")
  String to = "";

  @Option(
      names = {"-f", "--force"},
      description = "Replace a file or link that is in the way.")
  boolean force;

  MvCommand(Console console) {
    super(console);
  }

  @Override
  boolean accepts(Set<String> switches, List<String> operands) {
    force = switches.remove("-f") || switches.remove("--force");
    if (!switches.isEmpty() || operands.size() != 2) {
      return false;
    }
    from = operands.get(0);
    to = operands.get(1);
    return true;
  }

  @Override
  void run() throws IOException {
    try (VirtualFileStore store = Stores.openForWriting(file, console)) {
      String source = StorePaths.clean(from);
      String target = StorePaths.clean(to);
      FileEntry there = store.find(target);
      if (there != null && there.isDirectory()) {
        target = StorePaths.child(target, source.substring(source.lastIndexOf('/') + 1));
      }
      if (force) {
        store.move(source, target, WriteOption.REPLACE);
      } else {
        store.move(source, target);
      }
    }
  }
}
