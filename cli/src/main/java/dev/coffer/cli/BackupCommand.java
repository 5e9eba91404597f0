package dev.coffer.cli;

import dev.coffer.vfs.VerifyReport;
import dev.coffer.vfs.VirtualFileStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Copies a store that may be in use. */
@Command(
    name = "backup",
    description = "Copies a store as of one moment, while other processes may write to it.",
    footer = {
      "",
      "The copy is a store of the same kind. Only log stores are copied so, of folder stores by",
      "hard links where that can be done; copy SQLite and DuckDB stores while no program has",
      "them open, or seal them.",
      "Exit codes: 0 copied; 1 copied, but something in the copy is damaged, as it is in the",
      "store; 2 not copied."
    })
final class BackupCommand extends StoreCommand {
  @Parameters(index = "1", paramLabel = "DEST", description = "The copy to make.")
  Path target = Path.of("");

  @Option(names = "--no-verify", description = "Do not read and check the copy.")
  boolean unverified;

  BackupCommand(Console console) {
    super(console);
  }

  @Override
  boolean accepts(Set<String> switches, List<String> operands) {
    unverified = switches.remove("--no-verify");
    if (!switches.isEmpty() || operands.size() != 1) {
      return false;
    }
    target = Path.of(operands.get(0));
    return true;
  }

  @Override
  void run() throws IOException {
    try (VirtualFileStore store = Stores.openForChecking(file, console)) {
      Stores.warnIfIncomplete(store, file, console);
      store.backupTo(target);
    }
    try (VirtualFileStore copy = Stores.openForChecking(target, console)) {
      if (!unverified) {
        VerifyReport report = copy.verify(problem -> console.warn(Failures.line(problem)));
        if (!report.problems().isEmpty()) {
          console.fail();
        }
      }
      console.note(
          "copied: entries="
              + copy.stats().entries()
              + " sequence="
              + copy.stats().sequence()
              + (unverified ? "" : " verified"));
    }
  }
}
