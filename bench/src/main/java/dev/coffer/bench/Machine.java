package dev.coffer.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;

/** The machine that figures come from, without anything that names it. */
final class Machine {
  private Machine() {}

  static Map<String, String> describe(Settings settings) {
    Map<String, String> machine = new LinkedHashMap<>();
    machine.put("date", LocalDate.now(ZoneOffset.UTC).toString());
    machine.put("cpu", field("/proc/cpuinfo", "model name"));
    machine.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    machine.put("memory", field("/proc/meminfo", "MemTotal"));
    machine.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    machine.put("filesystem", fileSystem(settings.directory()));
    machine.put(
        "jdk", System.getProperty("java.vendor") + " " + System.getProperty("java.version"));
    machine.put("payload", settings.payload());
    machine.put("rounds", Integer.toString(settings.rounds()));
    machine.put(
        "scale",
        (settings.scale().quick() ? "quick (says that it works, not how fast it is) x " : "full x ")
            + settings.scale().factor());
    return machine;
  }

  private static String field(String file, String name) {
    try {
      for (String line : Files.readAllLines(Path.of(file))) {
        if (line.startsWith(name)) {
          return line.substring(line.indexOf(':') + 1).strip();
        }
      }
    } catch (IOException e) {
      return "unknown";
    }
    return "unknown";
  }

  private static String fileSystem(Path directory) {
    try {
      return Files.getFileStore(directory).type();
    } catch (IOException e) {
      return "unknown";
    }
  }
}
