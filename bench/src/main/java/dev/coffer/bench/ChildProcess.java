package dev.coffer.bench;

import dev.coffer.bench.results.Figure;
import dev.coffer.bench.workloads.Phase;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Starts a JVM for one phase and hears its figures. */
final class ChildProcess {
  /** What Coffer's own native library and the peers need on every JDK. */
  private static final List<String> OPENS =
      List.of(
          "--add-opens=java.base/java.nio=ALL-UNNAMED",
          "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED");

  private static final int LAST_LINES = 5;

  /** A phase that failed. */
  static final class FailedException extends Exception {
    private static final long serialVersionUID = 1L;

    FailedException(String message) {
      super(message);
    }
  }

  private ChildProcess() {}

  /**
   * Runs a phase to its end.
   *
   * @param arguments what the child is told; gets what it tells in turn
   * @param log takes what else it prints
   * @return its figures
   * @throws FailedException if it exits otherwise than it should
   */
  static List<Figure> run(Phase phase, Map<String, String> arguments, Path log)
      throws IOException, FailedException {
    List<String> command = command(phase);
    arguments.forEach((name, value) -> command.add(name + "=" + value));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.to(log.toFile())).start();
    List<Figure> figures = new ArrayList<>();
    boolean done = false;
    boolean killed = false;
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (Figure.isLine(line)) {
          figures.add(Figure.ofLine(line));
        } else if (line.startsWith("@tell\t") && line.endsWith("\t.")) { // Not cut by a kill.
          String[] parts = line.split("\t", -1);
          arguments.put(parts[1], parts[2]);
        } else if (line.equals("@kill") && phase.killed()) {
          process.toHandle().destroyForcibly(); // Keeps the pipe, with what else it said.
          killed = true;
        } else if (line.equals("@done")) {
          done = true;
        }
      }
    } finally {
      end(process);
    }
    if (killed != phase.killed() || (!done && !killed)) {
      throw new FailedException(lastLines(log, process));
    }
    return figures;
  }

  private static void end(Process process) {
    try {
      if (!process.waitFor(1, TimeUnit.MINUTES)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private static List<String> command(Phase phase) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + phase.heapMib() + "m");
    command.add("-XX:+UseSerialGC");
    if (phase.smallHeap()) {
      command.addAll(List.of("-Xms24m", "-Xmn16m"));
    } else {
      command.add("-Xms" + phase.heapMib() + "m");
    }
    command.addAll(OPENS);
    if (Runtime.version().feature() >= 24) {
      command.add("--enable-native-access=ALL-UNNAMED");
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Child.class.getName()));
    return command;
  }

  private static String lastLines(Path log, Process process) throws IOException {
    List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
    List<String> said =
        lines.stream().filter(line -> !line.startsWith("\tat ")).limit(LAST_LINES).toList();
    return "exit="
        + (process.isAlive() ? "none" : process.exitValue())
        + " "
        + String.join(" | ", said);
  }
}
