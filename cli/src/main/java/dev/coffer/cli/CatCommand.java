package dev.coffer.cli;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.VirtualFileStore;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints files. */
@Command(
    name = "cat",
    description = "Writes files of the store to standard output, one after another.",
    footer = {"", "Links are not followed. What cannot be read is named; the rest is written."})
final class CatCommand extends StoreCommand {
  private static final int BUFFER = 64 * 1024;

  @Parameters(index = "1", arity = "1..*", paramLabel = "PATH", description = "Which files.")
  List<String> paths = new ArrayList<>();

  CatCommand(Console console) {
    super(console);
  }

  @Override
  boolean accepts(Set<String> switches, List<String> operands) {
    paths = operands;
    return switches.isEmpty() && !operands.isEmpty();
  }

  @Override
  void run() throws IOException {
    try (VirtualFileStore store = Stores.openForReading(file, console)) {
      byte[] buffer = new byte[BUFFER];
      for (String path : paths) {
        try {
          print(store, StorePaths.clean(path), buffer);
        } catch (StoreException e) {
          if (Failures.exitCode(e) != ExitCodes.FAILED) {
            throw e;
          }
          console.fail(path, e);
        }
      }
    }
  }

  private void print(VirtualFileStore store, String path, byte[] buffer) throws IOException {
    try (InputStream content = store.newInputStream(path)) {
      for (int n = content.read(buffer); n >= 0; n = content.read(buffer)) {
        console.write(buffer, 0, n);
      }
    }
  }
}
