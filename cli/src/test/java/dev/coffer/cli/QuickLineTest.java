package dev.coffer.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What is understood without picocli means what picocli takes it for, or is left to it. */
final class QuickLineTest {
  private final Console quickConsole = console();
  private final Console console = console();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ls s",
        "ls s a/b",
        "ls -l s",
        "ls s -lR",
        "ls -l -R s a",
        "ls -q s",
        "ls --recursive --json s",
        "cat s a",
        "cat s a b a",
        "rm s a",
        "rm -r s a b",
        "rm --quiet --recursive s a",
        "mkdir s a b",
        "mv s a b",
        "mv -f s a b",
        "mv s a b --force",
        "put s a",
        "put s a file",
        "info s",
        "verify -q s"
      })
  void whatIsAcceptedIsWhatPicocliMakesOfIt(String line) throws Exception {
    String[] args = line.split(" ");
    StoreCommand quick = Main.command(args[0], quickConsole);
    assertTrue(QuickLine.accept(quick, args, quickConsole));
    StoreCommand expected = Main.command(args[0], console);
    CommandLine picocli =
        new CommandLine(CommandSpec.forAnnotatedObject(new CofferCommand(console)));
    picocli.addSubcommand(args[0], expected);
    picocli.parseArgs(args);
    assertEquals(values(expected), values(quick));
    assertEquals(console.isQuiet(), quickConsole.isQuiet());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ls",
        "ls -l",
        "ls  s",
        "put s  a",
        "ls s a b",
        "ls -ll s",
        "ls -l s -l",
        "ls -R --recursive s",
        "ls -q --quiet s",
        "ls --nonsense s",
        "ls --json=true s",
        "ls -lx s",
        "ls --verbose s",
        "ls --help",
        "ls -h s",
        "ls s -- -a",
        "cat s",
        "cat -l s a",
        "rm s",
        "mkdir s",
        "mv s a",
        "mv s a b c",
        "put s",
        "put s a -",
        "put s a/ b",
        "put s a b\0",
        "ls s\0",
        "put s a b c",
        "info s a",
        "verify s a",
        "pack s .",
        "extract s",
        "compact s"
      })
  void theRestIsLeftToPicocli(String line) {
    String[] args = line.split(" ");
    assertFalse(QuickLine.accept(Main.command(args[0], console), args, console));
    assertFalse(console.isQuiet());
  }

  private static Console console() {
    return new Console(
        InputStream.nullInputStream(),
        OutputStream.nullOutputStream(),
        OutputStream.nullOutputStream());
  }

  /** Everything that arguments can set. */
  private static Map<String, Object> values(StoreCommand command) throws IllegalAccessException {
    Map<String, Object> values = new TreeMap<>();
    for (Class<?> type = command.getClass(); type != null; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (field.isAnnotationPresent(Option.class)
            || field.isAnnotationPresent(Parameters.class)) {
          field.setAccessible(true);
          values.put(field.getName(), field.get(command));
        }
      }
    }
    assertFalse(values.isEmpty());
    return values;
  }
}
