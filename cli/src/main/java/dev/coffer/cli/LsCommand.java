package dev.coffer.cli;

import dev.coffer.vfs.FileEntry;
import dev.coffer.vfs.VirtualFileStore;
import java.io.IOException;
import java.util.Locale;
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
  void run() throws IOException {
    try (VirtualFileStore store = Stores.openForChecking(file, console)) {
      Stores.warnIfIncomplete(store, file, console);
      store.verifyEntries().problems().stream().distinct().forEach(console::fail);
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
    console.print(
        String.format(
            Locale.ROOT,
            "%s %12d %12d %s %s%s",
            Modes.letters(entry),
            entry.length(),
            entry.packedLength(),
            entry.attributes().modified(),
            shown,
            target == null ? "" : " -> " + Names.escape(target)));
  }

  private static String json(FileEntry entry) {
    String kind = entry.isFile() ? "file" : entry.isDirectory() ? "directory" : "link";
    Json object =
        new Json()
            .field("path", entry.path())
            .field("kind", kind)
            .field("length", entry.length())
            .field("packed", entry.packedLength())
            .field("mode", String.format("%04o", entry.attributes().mode()))
            .field("modified", entry.attributes().modified().toString());
    String target = entry.linkTarget();
    return (target == null ? object : object.field("target", target)).toString();
  }
}
