package dev.coffer.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** One run of the command line in this process. */
final class Run {
  private final int code;
  private final byte[] bytes;
  private final String err;

  Run(int code, byte[] bytes, String err) {
    this.code = code;
    this.bytes = bytes;
    this.err = err;
  }

  static Run of(Object... args) {
    return withInput(new byte[0], args);
  }

  static Run withInput(byte[] in, Object... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    String[] strings = Arrays.stream(args).map(Object::toString).toArray(String[]::new);
    int code = Main.run(strings, new ByteArrayInputStream(in), out, err);
    return new Run(code, out.toByteArray(), err.toString(StandardCharsets.UTF_8));
  }

  /** Runs a command that has to succeed. */
  static Run ok(Object... args) {
    Run run = of(args);
    if (run.code != 0) {
      throw new AssertionError("exit code " + run.code + ": " + run.err);
    }
    return run;
  }

  int code() {
    return code;
  }

  byte[] bytes() {
    return bytes;
  }

  String err() {
    return err;
  }

  String out() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  List<String> lines() {
    return out().lines().toList();
  }
}
