package dev.coffer.cli;

import dev.coffer.vfs.FileEntry;
import dev.coffer.vfs.VirtualFileStore;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists a folder, or everything below it. */
@Command(
    name = "ls",
    description = "Lists a folder of the store, or everything below it, in the store's order.",
    footer = {
      "",
      "Folders end with a slash. Control characters and backslashes in names are shown",
      "escaped (\\n, \\t, \\xHH, \\\\); --json gives them exactly.",
      "",
      "-l shows: permissions, length, packed length, time of modification (UTC), name.",
      "--json prints one object a line with: path, kind (file, directory, link), length,",
      "packed, mode (octal), modified (ISO 8601, UTC), and for links target.",
      "",
      "The store is checked for lost entries first: exit code 1 says that the listing is",
      "not complete. An incomplete pack is listed with a warning and exit code 0."
    })
final class LsCommand extends StoreCommand {
  private static final int LENGTH_WIDTH = 12;

  @Parameters(index = "1", arity = "0..1", paramLabel = "PATH", description = "What to list.")
  String path = "/";

  @Option(names = "-l", description = "Show permissions, lengths and times.")
  boolean details;

  @Option(
      names = {"-R", "--recursive"},
      description = "List everything below, as whole paths.")
  boolean recursive;

  @Option(names = "--json", description = "Print one JSON object for each entry.")
  boolean json;

  LsCommand(Console console) {
    super(console);
  }

  @Override
  boolean accepts(Set<String> switches, List<String> operands) {
    details = switches.remove("-l");
    recursive = switches.remove("-R") || switches.remove("--recursive");
    json = switches.remove("--json");
    path = operands.isEmpty() ? path : operands.get(0);
    return switches.isEmpty() && operands.size() <= 1;
  }

  @Override
  void run() throws IOException {
    try (VirtualFileStore store = Stores.openForChecking(file, console)) {
      Stores.warnIfIncomplete(store, file, console);
      store.findLostEntries().stream().distinct().forEach(console::fail);
      FileEntry top = store.stat(StorePaths.clean(path));
      if (!top.isDirectory()) {
        print(top, StorePaths.relative(top.path()));
      } else if (recursive) {
        Listing.walk(
            store, top.path(), e -> printBelow(top, e), (lost, cause) -> console.fail(lost, cause));
      } else {
        for (FileEntry entry : store.list(top.path())) {
          print(entry, entry.name());
        }
      }
    }
  }

  private void printBelow(FileEntry top, FileEntry entry) throws OutputException {
    if (!entry.path().equals(top.path())) {
      print(entry, StorePaths.relative(entry.path()));
    }
  }

  private void print(FileEntry entry, String name) throws OutputException {
    if (json) {
      console.print(json(entry));
      return;
    }
    String shown = Names.escape(name) + (entry.isDirectory() ? "/" : "");
    if (!details) {
      console.print(shown);
      return;
    }
    String target = entry.linkTarget();
    StringBuilder line = new StringBuilder(96).append(Modes.letters(entry));
    appendLength(line, entry.length());
    appendLength(line, entry.packedLength());
    line.append(' ').append(Times.utc(entry.attributes().modified())).append(' ').append(shown);
    if (target != null) {
      line.append(" -> ").append(Names.escape(target));
    }
    console.print(line.toString());
  }

  private static void appendLength(StringBuilder line, long length) {
    String digits = Long.toString(length);
    line.append(" ".repeat(Math.max(1, LENGTH_WIDTH + 1 - digits.length()))).append(digits);
  }

  private static String json(FileEntry entry) {
    String kind = entry.isFile() ? "file" : entry.isDirectory() ? "directory" : "link";
    Json object =
        new Json()
            .field("path", entry.path())
            .field("kind", kind)
            .field("length", entry.length())
            .field("packed", entry.packedLength())
            .field("mode", Modes.octal(entry.attributes().mode()))
            .field("modified", Times.utc(entry.attributes().modified()));
    String target = entry.linkTarget();
    return (target == null ? object : object.field("target", target)).toString();
  }
}
