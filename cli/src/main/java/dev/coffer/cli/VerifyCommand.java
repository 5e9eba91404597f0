package dev.coffer.cli;

import dev.coffer.vfs.Problem;
import dev.coffer.vfs.VerifyReport;
import dev.coffer.vfs.VirtualFileStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import picocli.CommandLine.Command;

/** Checks a whole store. */
@Command(
    name = "verify",
    description = "Reads and checks everything: structure, entries and all content.",
    footer = {
      "",
      "Prints each problem on a line: path and offset where known, and what is wrong.",
      "Exit codes: 0 sound and complete; 1 damaged, or an incomplete pack; 2 cannot open."
    })
final class VerifyCommand extends StoreCommand {
  VerifyCommand(Console console) {
    super(console);
  }

  @Override
  void run() throws IOException {
    try (VirtualFileStore store = Stores.openForReading(file, console)) {
      if (Stores.warnIfIncomplete(store, file, console)) {
        console.fail();
      }
      VerifyReport report = store.verify(this::print);
      if (report.isClean()) {
        console.print(
            "sound: "
                + report.entries()
                + " entries, "
                + report.plainBytes()
                + " bytes of content checked");
      } else {
        console.fail();
        console.print(
            "damaged: "
                + report.problems().size()
                + " problems in "
                + report.entries()
                + " entries, "
                + report.plainBytes()
                + " bytes of content sound");
      }
    }
  }

  private void print(Problem problem) {
    try {
      console.print(Failures.line(problem));
    } catch (OutputException e) {
      throw new UncheckedIOException(e);
    }
  }
}
