package dev.coffer.cli;

import dev.coffer.vfs.PathException;
import dev.coffer.vfs.VirtualFileStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Deletes entries. */
@Command(name = "rm", description = "Deletes files, links and empty folders from the store.")
final class RmCommand extends StoreCommand {
  @Parameters(index = "1", arity = "1..*", paramLabel = "PATH", description = "What to delete.")
  List<String> paths = new ArrayList<>();

  @Option(
      names = {"-r", "--recursive"},
      description = "Delete folders with all that is in them.")
  boolean recursive;

  RmCommand(Console console) {
    super(console);
  }

  @Override
  boolean accepts(Set<String> switches, List<String> operands) {
    paths = operands;
    recursive = switches.remove("-r") || switches.remove("--recursive");
    return switches.isEmpty() && !operands.isEmpty();
  }

  @Override
  void run() throws IOException {
    try (VirtualFileStore store = Stores.openForWriting(file, console)) {
      for (String path : paths) {
        try {
          if (recursive) {
            store.deleteRecursively(StorePaths.clean(path));
          } else {
            store.delete(StorePaths.clean(path));
          }
        } catch (PathException e) {
          console.fail(path, e);
        }
      }
    }
  }
}
