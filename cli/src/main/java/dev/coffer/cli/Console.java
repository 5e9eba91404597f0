package dev.coffer.cli;

import dev.coffer.vfs.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;

/**
 * Standard input, output and error of one run, and what has gone wrong so far. Output is buffered
 * and in UTF-8; errors are single lines. Reporting is thread-safe, output is for one thread.
 */
final class Console {
  private static final int BUFFER = 64 * 1024;

  private final InputStream in;
  private final OutputStream out;
  private final OutputStream err;
  private final byte[] buffer = new byte[BUFFER];
  private int buffered;
  private boolean verbose;
  private boolean quiet;
  private volatile boolean failed;

  Console(InputStream in, OutputStream out, OutputStream err) {
    this.in = in;
    this.out = out;
    this.err = err;
  }

  void setVerbose(boolean value) {
    verbose = value;
  }

  void setQuiet(boolean value) {
    quiet = value;
  }

  boolean isQuiet() {
    return quiet;
  }

  InputStream in() {
    return in;
  }

  /** Prints a line; the caller has escaped the names in it. */
  void print(String line) throws OutputException {
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    write(bytes, 0, bytes.length);
    write(new byte[] {'\n'}, 0, 1);
  }

  void write(byte[] bytes, int from, int length) throws OutputException {
    if (length > BUFFER - buffered) {
      drain();
    }
    if (length > BUFFER) {
      try {
        out.write(bytes, from, length);
      } catch (IOException e) {
        throw new OutputException(e);
      }
      return;
    }
    System.arraycopy(bytes, from, buffer, buffered, length);
    buffered += length;
  }

  void flush() throws OutputException {
    drain();
    try {
      out.flush();
    } catch (IOException e) {
      throw new OutputException(e);
    }
  }

  private void drain() throws OutputException {
    int length = buffered;
    buffered = 0;
    try {
      out.write(buffer, 0, length);
    } catch (IOException e) {
      throw new OutputException(e);
    }
  }

  /** Says something on standard error that is no failure, unless told to be quiet. */
  void note(String message) {
    if (!quiet) {
      error(message);
    }
  }

  /** Says on standard error that something is amiss, without failing the run. */
  void warn(String message) {
    error(message);
  }

  /** Names one entry that failed; the run goes on and ends with {@link ExitCodes#FAILED}. */
  void fail(String path, Throwable cause) {
    fail(path, Failures.messageWithoutPath(cause));
    trace(cause);
  }

  /** Names one entry that failed; the run goes on and ends with {@link ExitCodes#FAILED}. */
  void fail(String path, String why) {
    failEscaped(Names.escape(path), why);
  }

  /** As {@link #fail(String, String)}, for a name that is already escaped. */
  void failEscaped(String path, String why) {
    failed = true;
    error(path + ": " + why);
  }

  /** Names damage; the run goes on and ends with {@link ExitCodes#FAILED}. */
  void fail(Problem problem) {
    failed = true;
    error(Failures.line(problem));
  }

  /** Marks the run as failed; what failed was already said. */
  void fail() {
    failed = true;
  }

  /** What the run ends with if nothing else goes wrong. */
  int exitCode() {
    return failed ? ExitCodes.FAILED : ExitCodes.DONE;
  }

  /** Reports what ended the run, and answers its exit code. */
  int end(Throwable cause) {
    if (Failures.unwrap(cause) instanceof OutputException output) {
      if (output.isBrokenPipe()) {
        return exitCode();
      }
      error("cannot write output: " + output.getMessage());
      return ExitCodes.CANNOT;
    }
    error(Failures.message(cause));
    trace(cause);
    return Math.max(exitCode(), Failures.exitCode(cause));
  }

  void trace(Throwable cause) {
    if (verbose) {
      StringWriter trace = new StringWriter();
      cause.printStackTrace(new PrintWriter(trace, true));
      print(err, trace.toString());
    }
  }

  private void error(String message) {
    print(err, "coffer: " + Names.line(message) + "\n");
  }

  private static synchronized void print(OutputStream err, String text) {
    try {
      err.write(text.getBytes(StandardCharsets.UTF_8));
      err.flush();
    } catch (IOException e) {
      // There is nowhere left to say so; the exit code still tells.
      return;
    }
  }
}
