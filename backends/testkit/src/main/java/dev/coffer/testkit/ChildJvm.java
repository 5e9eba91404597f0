package dev.coffer.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A JVM of its own that runs a main method, tells what it did in lines on its standard output, and
 * may be killed at any moment: no shutdown hook runs, no buffer is flushed. For one thread; closing
 * it kills it.
 */
public final class ChildJvm implements AutoCloseable {
  private static final int MEGABYTES = 128;
  private static final int SECONDS_TO_DIE = 30;

  private final Process process;
  private final BufferedReader lines;
  private long last = -1;

  private ChildJvm(Process process) {
    this.process = process;
    this.lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Starts a main method, with the class path of this JVM and a small heap. */
  public static ChildJvm start(Class<?> main, String... arguments) throws IOException {
    return start(MEGABYTES, main, arguments);
  }

  /** Starts a main method with a heap of so many megabytes. */
  public static ChildJvm start(int megabytes, Class<?> main, String... arguments)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + megabytes + "m",
                "-XX:TieredStopAtLevel=1",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=/dev/null",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    command.addAll(List.of(arguments));
    return new ChildJvm(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start());
  }

  /** Waits for the next line; null if there comes none, because the process has ended. */
  public @Nullable String line() throws IOException {
    return lines.readLine();
  }

  /** Waits for the next line, a number; false if there comes none. */
  public boolean next() throws IOException {
    String line = line();
    if (line == null) {
      return false;
    }
    last = Long.parseLong(line);
    return true;
  }

  /** The last number told so far; -1 if there was none. */
  public long last() {
    return last;
  }

  /**
   * Kills the process, and answers the last number it told before it died; -1 if there was none.
   */
  public long kill() throws IOException, InterruptedException {
    process.toHandle().destroyForcibly(); // Unlike the process, leaves the pipe open.
    while (next()) {
      // What it told before it died counts.
    }
    awaitExit();
    return last;
  }

  /** Ends what the process reads on its standard input. */
  public void endInput() throws IOException {
    process.getOutputStream().close();
  }

  /** Waits for the process to end, and answers its exit code. */
  public int awaitExit() throws InterruptedException {
    if (!process.waitFor(SECONDS_TO_DIE, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("the process does not end: seconds=" + SECONDS_TO_DIE);
    }
    return process.exitValue();
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    lines.close();
  }
}
