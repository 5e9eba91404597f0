package dev.coffer.cli;

import dev.coffer.vfs.PathException;
import dev.coffer.vfs.VirtualFileStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Makes folders. */
@Command(name = "mkdir", description = "Makes folders in the store, and their parents as needed.")
final class MkdirCommand extends StoreCommand {
  @Parameters(index = "1", arity = "1..*", paramLabel = "PATH", description = "Which folders.")
  List<String> paths = new ArrayList<>();

  MkdirCommand(Console console) {
    super(console);
  }

  @Override
  boolean accepts(Set<String> switches, List<String> operands) {
    paths = operands;
    return switches.isEmpty() && !operands.isEmpty();
  }

  @Override
  void run() throws IOException {
    try (VirtualFileStore store = Stores.openForWriting(file, console)) {
      for (String path : paths) {
        try {
          store.createDirectories(StorePaths.clean(path));
        } catch (PathException e) {
          console.fail(path, e);
        }
      }
    }
  }
}
