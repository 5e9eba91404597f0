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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

  @Test
  void opensAsItWasWritten(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("v1.coffer");
    Files.write(file, resource("v1.coffer"));
    List<String> expected = new String(resource("v1.txt"), StandardCharsets.UTF_8).lines().toList();
    for (boolean readOnly : new boolean[] {true, false, true}) {
      BackendOptions options = new BackendOptions(BackendOptions.Creation.NEVER, readOnly);
      try (LogBackend backend = LogOpener.open(new DiskStorage(), file, options, Tuning.DEFAULT)) {
        assertEquals(List.of(), backend.recoveryReport());
        assertEquals(expected, listing(backend));
        backend.verify(problem -> org.junit.jupiter.api.Assertions.fail(problem.toString()));
        if (!readOnly) {
          assertFalse(backend.isReadOnly());
          var unused = backend.compact(Long.MAX_VALUE);
          assertEquals(expected, listing(backend));
        }
      }
    }
  }
}
