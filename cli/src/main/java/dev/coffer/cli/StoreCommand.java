package dev.coffer.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Parameters;

/** A subcommand: every one works on a store, its first argument. */
abstract class StoreCommand implements Callable<Integer> {
  final Console console;

  @Parameters(index = "0", paramLabel = "STORE", description = "The store's file or folder.")
  Path file = Path.of("");

  StoreCommand(Console console) {
    this.console = console;
  }

  /** Does the work. Single entries that fail are told to the console; whatever else is thrown. */
  abstract void run() throws IOException;

  /**
   * Takes what {@link QuickLine} found, if it is all as it has to be; the command is not to be used
   * after it was refused.
   *
   * @param switches such as {@code -l} and {@code --json}; those known are removed
   * @param operands those after the store
   */
  boolean accepts(Set<String> switches, List<String> operands) {
    return false;
  }

  @Override
  public final Integer call() {
    try {
      run();
      console.flush();
      return console.exitCode();
    } catch (UsageException e) {
      throw e;
    } catch (Exception | OutOfMemoryError | StackOverflowError e) {
      return endAfterOutput(e);
    }
  }

  private int endAfterOutput(Throwable cause) {
    int code = console.end(cause);
    try {
      console.flush();
    } catch (OutputException e) {
      return Math.max(code, console.end(e));
    }
    return code;
  }
}
