package dev.coffer.cli;

import dev.coffer.vfs.FileEntry;
import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreStats;
import dev.coffer.vfs.VirtualFileStore;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine.Command;

/** Shows figures of a store. */
@Command(name = "info", description = "Shows what kind of store it is, and how much it holds.")
final class InfoCommand extends StoreCommand {
  InfoCommand(Console console) {
    super(console);
  }

  @Override
  boolean accepts(Set<String> switches, List<String> operands) {
    return switches.isEmpty() && operands.isEmpty();
  }

  @Override
  void run() throws IOException {
    try (VirtualFileStore store = Stores.openForReading(file, console)) {
      Stores.warnIfIncomplete(store, file, console);
      Count count = new Count();
      Listing.walk(store, "/", count::add, console::fail);
      StoreStats stats = store.stats();
      console.print("backend: " + stats.backend());
      console.print("commits: " + stats.sequence());
      console.print("files: " + count.files);
      console.print("folders: " + count.folders);
      console.print("links: " + count.links);
      bytes("plain", count.plain);
      bytes("packed", stats.liveBytes() >= 0 ? stats.liveBytes() : count.packed);
      bytes("on disk", stats.fileBytes());
      if (count.plain > 0 && stats.fileBytes() > 0) {
        double ratio = (double) count.plain / stats.fileBytes();
        console.print(String.format(Locale.ROOT, "ratio: %.2f", ratio));
      }
      String pack = store.properties().get(Stores.PACK_PROPERTY);
      if (pack != null) {
        console.print("pack: " + Names.escape(pack));
      }
      for (Problem problem : store.recoveryReport()) {
        console.print("recovery: " + Failures.line(problem));
      }
    }
  }

  private void bytes(String what, long bytes) throws OutputException {
    console.print(what + ": " + bytes + " (" + Stores.humanBytes(bytes) + ")");
  }

  private static final class Count {
    private long files;
    private long folders;
    private long links;
    private long plain;
    private long packed;

    private void add(FileEntry entry) {
      switch (entry.kind()) {
        case FILE -> files++;
        case SYMBOLIC_LINK -> links++;
        case DIRECTORY -> folders += entry.path().length() > 1 ? 1 : 0;
      }
      plain += entry.isFile() ? entry.length() : 0;
      packed += entry.packedLength();
    }
  }
}
