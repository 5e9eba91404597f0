package dev.coffer.cli;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The entry point of the {@code coffer} command. */
public final class Main {
  private static final List<String> COMMANDS =
      List.of(
          "pack", "ls", "cat", "extract", "put", "rm", "mv", "mkdir", "info", "verify", "compact",
          "seal", "backup");

  private Main() {}

  public static void main(String[] args) {
    // System.out would swallow errors and knows another encoding than UTF-8 on some systems.
    int code =
        run(
            args,
            new FileInputStream(FileDescriptor.in),
            new FileOutputStream(FileDescriptor.out),
            new FileOutputStream(FileDescriptor.err));
    System.exit(code);
  }

  /** Runs one command line. Neither exits nor throws; the streams stay open. */
  static int run(String[] args, InputStream in, OutputStream out, OutputStream err) {
    Console console = new Console(in, out, err);
    try {
      int code = execute(args, console);
      console.flush();
      return code;
    } catch (OutputException | RuntimeException | Error e) {
      return console.end(e);
    }
  }

  private static int execute(String[] args, Console console) throws OutputException {
    StoreCommand command = args.length == 0 ? null : command(args[0], console);
    if (command != null && QuickLine.accept(command, args, console)) {
      return command.call();
    }
    if (args.length == 1 && args[0].equals("--version")) {
      console.print(CofferCommand.Version.line());
      return ExitCodes.DONE;
    }
    String[] line = withoutHelpWord(args);
    return commandLine(line, console).execute(line);
  }

  private static CommandLine commandLine(String[] args, Console console) {
    CommandLine main = new CommandLine(CommandSpec.forAnnotatedObject(new CofferCommand(console)));
    // Looking at every command's options costs more than running most commands does.
    String named = firstWord(args);
    StoreCommand only = command(named, console);
    if (only != null) {
      main.addSubcommand(named, only);
    } else {
      COMMANDS.forEach(name -> main.addSubcommand(name, command(name, console)));
    }
    main.registerConverter(Path.class, Main::nonEmptyPath);
    main.registerConverter(String.class, Main::nonEmpty);
    PrintWriter out = new PrintWriter(new ConsoleWriter(console), true);
    // An argument that starts with @ is a name like any other.
    return main.setExpandAtFiles(false)
        .setOut(out)
        .setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF))
        .setParameterExceptionHandler((e, ignored) -> usageError(console, e))
        .setExecutionExceptionHandler((e, line, result) -> executionError(console, e, line));
  }

  /** {@code help} is {@code --help}, and {@code help ls} is {@code ls --help}. */
  private static String[] withoutHelpWord(String[] args) {
    if (args.length == 0 || !args[0].equals("help")) {
      return args;
    }
    return args.length == 1 ? new String[] {"--help"} : new String[] {args[1], "--help"};
  }

  /**
   * An empty argument is a variable that was not set; taken as a path, it is the current folder.
   */
  private static String nonEmpty(String argument) {
    if (argument.isEmpty()) {
      throw new TypeConversionException("is empty");
    }
    return argument;
  }

  private static Path nonEmptyPath(String argument) {
    try {
      return Path.of(nonEmpty(argument));
    } catch (InvalidPathException e) {
      throw new TypeConversionException("is no path: " + e.getReason());
    }
  }

  private static String firstWord(String[] args) {
    for (String arg : args) {
      if (!arg.startsWith("-")) {
        return arg;
      }
    }
    return "";
  }

  private static int usageError(Console console, ParameterException e) {
    return usageError(console, e, e.getCommandLine());
  }

  private static int executionError(Console console, Exception e, CommandLine line) {
    return e instanceof UsageException ? usageError(console, e, line) : console.end(e);
  }

  private static int usageError(Console console, Exception e, CommandLine line) {
    String message = e.getMessage() == null ? "" : e.getMessage();
    if (e instanceof UnmatchedArgumentException unmatched && !unmatched.isUnknownOption()) {
      String first = unmatched.getUnmatched().get(0);
      if (first.isEmpty()) {
        message = "an argument is empty";
      } else if (line.getParent() == null) {
        message = "no such command: " + first;
      }
    }
    String help = line.getCommandSpec().qualifiedName() + " --help";
    console.warn(message.lines().findFirst().orElse("") + " (see " + help + ")");
    return ExitCodes.USAGE;
  }

  /** A new command of this name, or null. */
  static @Nullable StoreCommand command(String name, Console console) {
    return switch (name) {
      case "pack" -> new PackCommand(console);
      case "ls" -> new LsCommand(console);
      case "cat" -> new CatCommand(console);
      case "extract" -> new ExtractCommand(console);
      case "put" -> new PutCommand(console);
      case "rm" -> new RmCommand(console);
      case "mv" -> new MvCommand(console);
      case "mkdir" -> new MkdirCommand(console);
      case "info" -> new InfoCommand(console);
      case "verify" -> new VerifyCommand(console);
      case "compact" -> new CompactCommand(console);
      case "seal" -> new SealCommand(console);
      case "backup" -> new BackupCommand(console);
      default -> null;
    };
  }

  /** Lets picocli print its help to the console. */
  private static final class ConsoleWriter extends Writer {
    private final Console console;

    ConsoleWriter(Console console) {
      this.console = console;
    }

    @Override
    public void write(char[] chars, int from, int length) throws OutputException {
      byte[] bytes = new String(chars, from, length).getBytes(StandardCharsets.UTF_8);
      console.write(bytes, 0, bytes.length);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
