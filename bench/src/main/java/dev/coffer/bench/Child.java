package dev.coffer.bench;

import dev.coffer.bench.results.Figure;
import dev.coffer.bench.workloads.Phase;
import dev.coffer.bench.workloads.PhaseRun;
import dev.coffer.bench.workloads.Scale;
import dev.coffer.bench.workloads.Workload;
import dev.coffer.bench.workloads.Workloads;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Runs one phase on one engine, in a JVM that the runner started for it. Arguments have the form
 * {@code name=value}; lines on standard output that begin with an at sign are for the runner.
 */
public final class Child {
  private Child() {}

  /** Runs the phase that the arguments name. */
  public static void main(String[] args) throws Exception {
    Memory memory = new Memory();
    memory.watch();
    Map<String, String> arguments = new HashMap<>();
    for (String arg : args) {
      int equals = arg.indexOf('=');
      arguments.put(arg.substring(0, equals), arg.substring(equals + 1));
    }
    Workload workload = Workloads.named(arguments.getOrDefault("workload", ""));
    String name = arguments.getOrDefault("phase", "");
    String variant = arguments.getOrDefault("variant", "");
    Scale scale =
        new Scale(
            Boolean.parseBoolean(arguments.get("quick")),
            Double.parseDouble(arguments.getOrDefault("scale", "1")));
    Phase phase =
        workload.phases(scale).stream()
            .filter(p -> p.name().equals(name) && p.variant().equals(variant))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("no such phase: name=" + name));
    PrintStream out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    workload.run(new PhaseRun(phase, arguments, out::println));
    if (phase.smallHeap()) {
      String prefix = phase.label(phase.name());
      out.println(new Figure(prefix + " RssAnon", memory.peakMib(), "MiB", true).toLine());
      out.println(new Figure(prefix + " VmHWM", memory.highWaterMib(), "MiB", true).toLine());
    }
    out.println("@done");
    System.exit(0); // Threads that a peer leaves behind keep nobody waiting.
  }
}
