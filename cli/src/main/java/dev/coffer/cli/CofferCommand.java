package dev.coffer.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command itself: the options every subcommand has. */
@Command(
    name = "coffer",
    description = "Packs files into a compressed store, and gets them out again.",
    synopsisSubcommandLabel = "COMMAND",
    versionProvider = CofferCommand.Version.class,
    sortOptions = false,
    footer = {
      "",
      "Exit codes: 0 done; 1 damaged, or some entries failed (each is named);",
      "2 cannot open, read or write; 3 wrong usage."
    })
final class CofferCommand implements Runnable {
  private final Console console;

  @Spec CommandSpec spec = CommandSpec.create();

  CofferCommand(Console console) {
    this.console = console;
  }

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "Show stack traces of errors.")
  void setVerbose(boolean value) {
    console.setVerbose(value);
  }

  @Option(
      names = {"-q", "--quiet"},
      scope = ScopeType.INHERIT,
      description = "Say nothing but errors.")
  void setQuiet(boolean value) {
    console.setQuiet(value);
  }

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help and exit.")
  boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Show the version and exit.")
  boolean version;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "no command is named");
  }

  /** Answers the version in the jar's manifest. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {line()};
    }

    static String line() {
      String version = Version.class.getPackage().getImplementationVersion();
      return "coffer " + (version == null ? "(unpackaged)" : version);
    }
  }
}
