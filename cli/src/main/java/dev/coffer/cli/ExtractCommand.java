package dev.coffer.cli;

import dev.coffer.vfs.Problem;
import dev.coffer.vfs.VirtualFileStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes entries to disk. */
@Command(
    name = "extract",
    description = "Writes files, links and folders of the store below a folder on disk.",
    footer = {
      "",
      "Without PATH everything is extracted. Nothing is ever written outside DIR, and no link",
      "is followed. A file or link that is in the way is replaced, a folder is not. Times and",
      "permissions are restored, apart from set-user-id, set-group-id and sticky bits; DIR",
      "itself gets those of the store's root only if it did not exist.",
      "",
      "A target of a link that the system here writes differently, such as a//b, is changed",
      "to that, and the link is named.",
      "",
      "Entries that fail are named and the rest is extracted; the exit code is 1 then, as it",
      "is for a store that has lost entries, and for an incomplete pack."
    })
final class ExtractCommand extends StoreCommand {
  @Parameters(index = "1", arity = "0..*", paramLabel = "PATH", description = "What to extract.")
  List<String> paths = new ArrayList<>();

  @Option(
      names = {"-d", "--directory"},
      paramLabel = "DIR",
      description = "Where to; the current folder if left out. Made if missing.")
  Path directory = Path.of(".");

  ExtractCommand(Console console) {
    super(console);
  }

  @Override
  void run() throws IOException {
    try (VirtualFileStore store = Stores.openForChecking(file, console)) {
      if (Stores.warnIfIncomplete(store, file, console)) {
        console.fail();
      }
      List<Problem> problems = store.findLostEntries().stream().distinct().toList();
      if (!problems.isEmpty()) {
        problems.forEach(console::fail);
        console.warn(
            problems.stream().allMatch(Stores::isUncleanEnd)
                ? "extracting what was committed as far as the file tells: commit="
                    + store.stats().sequence()
                : "entries were lost or altered; extracting those that are left");
      }
      List<String> wanted = wanted(store);
      boolean made = !Files.isDirectory(directory);
      Files.createDirectories(directory);
      try (Folder target = Folder.open(directory);
          Extractor extractor = new Extractor(store, console, target)) {
        extractor.extract(wanted, made && wanted.contains("/"));
      }
    }
  }

  private List<String> wanted(VirtualFileStore store) throws IOException {
    if (paths.isEmpty()) {
      return List.of("/");
    }
    List<String> wanted = new ArrayList<>();
    for (String path : paths) {
      String clean = StorePaths.clean(path);
      if (store.exists(clean)) {
        wanted.add(clean);
      } else {
        console.fail(path, "no such entry");
      }
    }
    return StorePaths.withoutNested(wanted);
  }
}
