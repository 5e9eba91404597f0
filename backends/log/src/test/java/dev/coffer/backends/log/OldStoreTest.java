package dev.coffer.backends.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.coffer.vfs.spi.BackendOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store written by the first version opens in every later one, and can be gone on with. */
class OldStoreTest {

  static List<String> listing(LogBackend backend) throws IOException {
    List<String> lines = new ArrayList<>();
    Script.contents(backend).forEach((path, value) -> lines.add(path + " = " + value));
    return lines;
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = OldStoreTest.class.getResourceAsStream("/stores/" + name)) {
      return Objects.requireNonNull(in).readAllBytes();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1", "v1-index", "v1-sealed", "v1-blocks"})
  void opensAsItWasWritten(String name, @TempDir Path directory) throws IOException {
    Path file = directory.resolve(name + ".coffer");
    Files.write(file, resource(name + ".coffer"));
    List<String> expected =
        new String(resource(name + ".txt"), StandardCharsets.UTF_8).lines().toList();
    for (boolean readOnly : new boolean[] {true, false, true}) {
      BackendOptions options = new BackendOptions(BackendOptions.Creation.NEVER, readOnly);
      try (LogBackend backend = LogOpener.open(new DiskStorage(), file, options, Tuning.DEFAULT)) {
        assertEquals(List.of(), backend.recoveryReport());
        assertEquals(expected, listing(backend));
        backend.verify(problem -> org.junit.jupiter.api.Assertions.fail(problem.toString()));
        if (!readOnly && !name.endsWith("sealed")) {
          assertFalse(backend.isReadOnly());
          while (!backend.compact(Long.MAX_VALUE).done()) {
            // Until it is done.
          }
          assertEquals(expected, listing(backend));
        }
      }
    }
  }
}
