package dev.coffer.cli;

import dev.coffer.vfs.Problem;
import dev.coffer.vfs.VerifyReport;
import dev.coffer.vfs.VirtualFileStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;

/** Checks a whole store. */
@Command(
    name = "verify",
    description = "Reads and checks everything: structure, entries and all content.",
    footer = {
      "",
      "Prints each problem on a line: path and offset where known, and what is wrong.",
      "A store that was not closed cleanly, and has no other problem, is called that: all",
      "is well up to its last commit, but later ones may be lost. Any command that writes to",
      "it, such as compact, settles it.",
      "Exit codes: 0 sound and complete; 1 damaged, not closed cleanly, or an incomplete",
      "pack; 2 cannot open."
    })
final class VerifyCommand extends StoreCommand {
  private final Set<Problem> seen = new LinkedHashSet<>();

  VerifyCommand(Console console) {
    super(console);
  }

  @Override
  boolean accepts(Set<String> switches, List<String> operands) {
    return switches.isEmpty() && operands.isEmpty();
  }

  @Override
  void run() throws IOException {
    try (VirtualFileStore store = Stores.openForChecking(file, console)) {
      if (Stores.warnIfIncomplete(store, file, console)) {
        console.fail();
      }
      VerifyReport report = store.verify(this::hear);
      console.print(summary(report, store.stats().sequence()));
    }
  }

  private String summary(VerifyReport report, long sequence) {
    String sizes = report.entries() + " entries, " + report.plainBytes() + " bytes of content ";
    if (seen.isEmpty()) {
      return "sound: " + sizes + "checked";
    }
    console.fail();
    if (seen.stream().allMatch(Stores::isUncleanEnd)) {
      return "not closed cleanly; complete up to commit "
          + sequence
          + " as far as the file tells: "
          + sizes
          + "checked; any command that writes, such as compact, settles it";
    }
    return "damaged: " + seen.size() + " problems in " + sizes + "sound";
  }

  /** The backend finds again what was found on opening; an unclean end alone is for the summary. */
  private void hear(Problem problem) {
    try {
      if (seen.add(problem) && !Stores.isUncleanEnd(problem)) {
        console.print(Failures.line(problem));
      }
    } catch (OutputException e) {
      throw new UncheckedIOException(e);
    }
  }
}
