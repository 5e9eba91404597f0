package dev.coffer.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Exit codes and messages for what cannot even start. */
final class UsageTest {
  @TempDir Path temp;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nonsense",
        "ls",
        "ls s --nonsense",
        "pack s",
        "pack s . --backend floppy",
        "pack s . --level 23",
        "pack s . --level x",
        "pack s . --level 0",
        "put s x/",
        "put s x/ file",
        "mv s a",
        "extract",
        "put s"
      })
  void nonsenseIsAUsageErrorInOneLine(String line) {
    Run run = Run.of((Object[]) (line.isEmpty() ? new String[0] : line.split(" ")));
    assertEquals(3, run.code(), run.err());
    assertEquals(1, run.err().lines().count(), run.err());
    assertTrue(run.err().startsWith("coffer: ") && run.err().contains("--help"), run.err());
    assertEquals("", run.out());
  }

  @Test
  void anEmptyPathIsAUsageErrorWhereverItStands() {
    for (Object[] line :
        new Object[][] {
          {"ls", ""},
          {"ls", "s", ""},
          {"cat", "s", "a", ""},
          {"pack", "", "."},
          {"pack", "s", ""},
          {"pack", "s", "-C", "", "."},
          {"extract", "s", "-d", ""},
          {"extract", "s", ""},
          {"put", "s", ""},
          {"put", "s", "a", ""},
          {"rm", "-r", "s", ""},
          {"mv", "s", "a", ""},
          {"mkdir", "s", ""}
        }) {
      Run run = Run.of(line);
      assertEquals(3, run.code(), List.of(line) + run.err());
      assertTrue(run.err().contains("is empty"), run.err());
    }
  }

  @Test
  void anUnknownCommandIsCalledThat() {
    assertTrue(Run.of("nonsense", "s").err().startsWith("coffer: no such command: nonsense (see"));
    assertFalse(Run.of("--nonsense").err().contains("no such command"));
  }

  @Test
  void helpIsGivenForEverything() {
    assertTrue(Run.ok("--help").out().contains("extract"));
    for (String command :
        List.of(
            "pack", "ls", "cat", "extract", "put", "rm", "mv", "mkdir", "info", "verify", "compact",
            "seal", "backup")) {
      String help = Run.ok(command, "--help").out();
      assertTrue(help.startsWith("Usage: coffer " + command), help);
      assertTrue(help.contains("--verbose"), help);
    }
    assertEquals(Run.ok("--help").out(), Run.ok("help").out());
    assertEquals(Run.ok("ls", "--help").out(), Run.ok("help", "ls").out());
    assertTrue(Run.ok("--version").out().startsWith("coffer "));
  }

  @Test
  void whatIsNoStoreCannotBeOpened() throws IOException {
    Path junk = Files.writeString(temp.resolve("junk"), "this is no store\n".repeat(1000));
    Path empty = Files.createFile(temp.resolve("empty"));
    for (String command : List.of("ls", "info", "verify", "extract", "compact")) {
      for (Path file :
          List.of(junk, empty, temp, temp.resolve("missing"), temp.resolve("no/way"))) {
        Run run = Run.of(command, file);
        assertEquals(2, run.code(), command + " " + file + run.err());
        assertEquals(1, run.err().lines().count(), run.err());
        assertTrue(run.err().startsWith("coffer: "), run.err());
      }
    }
    assertFalse(Files.exists(temp.resolve("missing")));
  }

  @Test
  void packRefusesToTouchWhatIsThere() throws IOException {
    Path file = Files.writeString(temp.resolve("there"), "precious");
    Run run = Run.of("pack", file, "-C", temp, ".");
    assertEquals(2, run.code());
    assertTrue(run.err().contains("put"), run.err());
    assertEquals("precious", Files.readString(file));
  }

  @Test
  void aLayoutThatIsNoneOrCannotBeIsRefused() {
    Run unknown = Run.of("pack", "--layout", "heap", temp.resolve("s"), temp);
    assertEquals(3, unknown.code(), unknown.err());
    Path file = temp.resolve("s.sqlite");
    Run impossible = Run.of("pack", "--layout", "folder", file, "-C", temp, ".");
    assertEquals(2, impossible.code(), impossible.err());
    assertTrue(impossible.err().contains("layout"), impossible.err());
    assertFalse(Files.exists(file));
  }

  @Test
  void packOfWhatIsMissingMakesNoStore() {
    Run run = Run.of("pack", temp.resolve("s"), "-C", temp, "missing\u001b");
    assertEquals(2, run.code());
    assertTrue(run.err().contains("missing\\x1B"), run.err());
    assertFalse(Files.exists(temp.resolve("s")));
  }

  @Test
  void verboseShowsTheTrace() {
    Run run = Run.of("--verbose", "ls", temp.resolve("missing"));
    assertEquals(2, run.code());
    assertTrue(run.err().contains("\tat dev.coffer."), run.err());
    assertTrue(Run.of("ls", "--verbose", temp.resolve("missing")).err().contains("\tat "));
  }

  @Test
  void aBrokenPipeEndsQuietlyAndAFullDeviceDoesNot() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    assertEquals(0, help(new Failing("Broken pipe"), err));
    assertEquals("", err.toString(StandardCharsets.UTF_8));
    assertEquals(2, help(new Failing("No space left on device"), err));
    assertEquals(
        "coffer: cannot write output: No space left on device\n",
        err.toString(StandardCharsets.UTF_8));
  }

  private static int help(OutputStream out, OutputStream err) {
    return Main.run(new String[] {"--help"}, InputStream.nullInputStream(), out, err);
  }

  private static final class Failing extends OutputStream {
    private final String message;

    Failing(String message) {
      this.message = message;
    }

    @Override
    public void write(int b) throws IOException {
      throw new IOException(message);
    }
  }
}
