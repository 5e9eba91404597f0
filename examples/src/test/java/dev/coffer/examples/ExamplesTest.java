package dev.coffer.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples run and print what they should, and the README quotes them word for word. */
final class ExamplesTest {
  private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @TempDir Path temp;

  @Test
  void quickStartRunsTwice() throws Exception {
    List<String> printed = List.of("Hello, Coffer", "/2026/hello.txt 13", "to be moved");
    assertEquals(printed, run("QuickStart"));
    Files.delete(temp.resolve("notes.coffer"));
    assertEquals(printed, run("QuickStart"));
  }

  @Test
  void batchImportRuns() throws Exception {
    // The records, their folders, and the folder of those.
    assertEquals(List.of("imported 2504 entries"), run("BatchImport", "2500"));
  }

  @Test
  void theReadmeQuotesExamplesWordForWord() throws IOException {
    StringBuilder sources = new StringBuilder();
    try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
      for (Path file :
          (Iterable<Path>) files.filter(f -> f.toString().endsWith(".java"))::iterator) {
        sources.append(Files.readString(file));
      }
    }
    String all = onOneLine(sources.toString());
    Matcher block = JAVA_BLOCK.matcher(Files.readString(Path.of("../README.md")));
    int blocks = 0;
    while (block.find()) {
      blocks++;
      assertTrue(all.contains(onOneLine(block.group(1))), "in no example:\n" + block.group(1));
    }
    assertTrue(blocks > 0, "the README shows no Java");
  }

  private static String onOneLine(String code) {
    return code.replaceAll("\\s+", " ").strip();
  }

  private List<String> run(String example, String... args) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("dev.coffer.examples." + example);
    command.addAll(List.of(args));
    Path out = temp.resolve("out");
    Process process =
        new ProcessBuilder(command)
            .directory(temp.toFile())
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertEquals(0, process.waitFor());
    return Files.readString(out, UTF_8).lines().toList();
  }
}
