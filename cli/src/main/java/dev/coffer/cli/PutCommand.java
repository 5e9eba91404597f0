package dev.coffer.cli;

import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.VirtualFileStore;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
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
  void run() throws IOException {
    try (VirtualFileStore store = Stores.openForWriting(file, console)) {
      if (source.toString().equals("-")) {
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
