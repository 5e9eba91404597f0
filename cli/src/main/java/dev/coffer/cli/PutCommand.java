package dev.coffer.cli;

import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.VirtualFileStore;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Writes one file. */
@Command(
    name = "put",
    description = "Writes one file into an existing store, replacing what was at the path.",
    footer = {
      "",
      "With FILE its time and permissions are kept. From standard input, a replaced file",
      "keeps its permissions."
    })
final class PutCommand extends StoreCommand {
  /** What the launcher says of standard input: closed, it is not the same as empty. */
  static final String STDIN_PROPERTY = "coffer.stdin";

  @Parameters(index = "1", paramLabel = "PATH", description = "Where to, in the store.")
  String path = "";

  @Parameters(
      index = "2",
      arity = "0..1",
      paramLabel = "FILE",
      description = "The file to read; standard input if left out or -.")
  Path source = Path.of("-");

  PutCommand(Console console) {
    super(console);
  }

  @Override
  boolean accepts(Set<String> switches, List<String> operands) {
    if (!switches.isEmpty() || operands.isEmpty() || operands.size() > 2) {
      return false;
    }
    path = operands.get(0);
    source = operands.size() == 2 ? Path.of(operands.get(1)) : source;
    return !path.endsWith("/");
  }

  @Override
  void run() throws IOException {
    if (path.endsWith("/")) {
      throw new UsageException("PATH is to be a file and ends with a slash: " + path);
    }
    boolean piped = source.toString().equals("-");
    if (piped && "closed".equals(System.getProperty(STDIN_PROPERTY))) {
      throw new IOException("standard input is closed");
    }
    try (VirtualFileStore store = Stores.openForWriting(file, console)) {
      if (piped) {
        store.write(StorePaths.clean(path), console.in(), null);
        return;
      }
      Attributes attributes = FileMeta.ofFile(source).attributes();
      try (InputStream content = new BufferedInputStream(Files.newInputStream(source))) {
        store.write(StorePaths.clean(path), content, attributes);
      }
    }
  }
}
