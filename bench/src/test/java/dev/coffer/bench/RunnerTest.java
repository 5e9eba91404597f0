package dev.coffer.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.bench.results.Report;
import dev.coffer.bench.results.Results;
import dev.coffer.bench.workloads.Scale;
import dev.coffer.bench.workloads.Workload;
import dev.coffer.bench.workloads.Workloads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tiny runs, so that the runner does not rot. */
class RunnerTest {
  private static final List<String> ENGINES = List.of("log", "sqlite-bare");

  @TempDir Path directory;

  private Results run(String id) throws IOException {
    Settings settings =
        new Settings(ENGINES, 1, new Scale(true, 0.02), "random", null, directory, false);
    Workload workload = Workloads.named(id);
    Results results = new Runner(settings, line -> {}).run(workload);
    assertEquals(Map.of(), results.problems());
    assertEquals(Set.copyOf(ENGINES), results.engines());
    Report report = new Report(Map.of("machine", "any"));
    assertTrue(
        report
            .add(id, workload.title(), results, workload.goals(settings.scale()))
            .contains("| log |"),
        report::markdown);
    assertTrue(report.json().contains("\"engine\": \"sqlite-bare\""), report::json);
    try (Stream<Path> left = Files.list(directory)) {
      assertEquals(0, left.count());
    }
    return results;
  }

  @Test
  void ingests() throws IOException {
    assertNotNull(run("w5").spread("4 KiB folders ingest", "log"));
  }

  @Test
  void readsWhatWasBuiltOnce() throws IOException {
    assertNotNull(run("w6").spread("64 KiB folders read RssAnon", "sqlite-bare"));
  }
}
