package dev.coffer.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The launcher script as it is, with an empty environment, over a stand-in for the build: classes
 * are taken from this test's own class path.
 */
final class LauncherTest {
  @TempDir Path temp;
  private Path home;

  @BeforeEach
  void install() throws IOException {
    home = Files.createDirectories(temp.resolve("a home/coffer"));
    Path app = Files.createDirectories(home.resolve("cli/target/coffer"));
    Files.copy(Path.of("../coffer"), home.resolve("coffer"));
    home.resolve("coffer").toFile().setExecutable(true);
    writeJar(app.resolve("coffer.jar"));
  }

  /** A jar without classes whose manifest leads to the class path of this test. */
  private static void writeJar(Path jar) throws IOException {
    StringBuilder classPath = new StringBuilder();
    for (String entry : System.getProperty("java.class.path").split(":", -1)) {
      classPath.append(Path.of(entry).toUri()).append(' ');
    }
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.putValue("Manifest-Version", "1.0");
    attributes.putValue("Main-Class", Main.class.getName());
    attributes.putValue("Class-Path", classPath.toString());
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
  }

  private Run run(Path folder, String script, String... args) throws Exception {
    List<String> command = new ArrayList<>(List.of("/usr/bin/env", "-i"));
    command.add("JAVA_HOME=" + System.getProperty("java.home"));
    command.add(script);
    command.addAll(List.of(args));
    Path out = temp.resolve("out");
    Path err = temp.resolve("err");
    int code =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start()
            .waitFor();
    return new Run(code, Files.readAllBytes(out), Files.readString(err));
  }

  @Test
  void runsFromAnywhereThroughALinkWithAnEmptyEnvironment() throws Exception {
    Path work = Files.createDirectories(temp.resolve("work here"));
    Files.createSymbolicLink(work.resolve("cof"), Path.of("../a home/coffer/coffer"));
    Trees.file(work, "tree/\u00e9 \ud83d\ude80", "content");
    Run pack = run(work, "./cof", "pack", "s.coffer", "tree");
    assertEquals(0, pack.code(), pack.err());
    Run list = run(work, "./cof", "ls", "-R", "s.coffer");
    assertEquals("tree/\ntree/\u00e9 \ud83d\ude80\n", list.out(), list.err());
    assertEquals("", list.err());
    Run cat =
        run(
            temp,
            home.resolve("coffer").toString(),
            "cat",
            work + "/s.coffer",
            "tree/\u00e9 \ud83d\ude80");
    assertEquals("content", new String(cat.bytes(), StandardCharsets.UTF_8), cat.err());
    assertEquals(3, run(work, "./cof", "nonsense").code());
  }

  @Test
  void closedStreamsAreNotThoseOfOtherFiles() throws Exception {
    Path work = Files.createDirectories(temp.resolve("work"));
    Files.createSymbolicLink(work.resolve("cof"), home.resolve("coffer"));
    Trees.file(work, "tree/a", "content");
    assertEquals(0, run(work, "./cof", "pack", "s", "tree").code());
    Run put = run(work, "/bin/sh", "-c", "exec ./cof put s tree/b <&-");
    assertEquals(2, put.code(), put.err());
    assertEquals("coffer: standard input is closed\n", put.err());
    assertEquals("tree/\ntree/a\n", run(work, "./cof", "ls", "-R", "s").out());
    Run empty = run(work, "/bin/sh", "-c", "exec ./cof put s tree/c </dev/null");
    assertEquals(0, empty.code(), empty.err());
    byte[] before = Files.readAllBytes(work.resolve("s"));
    assertEquals(0, run(work, "/bin/sh", "-c", "exec ./cof ls -R s >&-").code());
    assertEquals(1, run(work, "/bin/sh", "-c", "exec ./cof cat s missing 2>&-").code());
    assertArrayEquals(before, Files.readAllBytes(work.resolve("s")));
  }

  @Test
  void saysWhatIsWrongWithJava() throws Exception {
    Path fake = Files.createDirectories(temp.resolve("old/bin"));
    Files.writeString(temp.resolve("old/release"), "JAVA_VERSION=\"11.0.2\"\n");
    Files.createFile(fake.resolve("java")).toFile().setExecutable(true);
    ProcessBuilder builder =
        new ProcessBuilder(home.resolve("coffer").toString(), "ls")
            .redirectErrorStream(true)
            .redirectOutput(temp.resolve("out").toFile());
    builder.environment().put("JAVA_HOME", temp.resolve("old").toString());
    assertEquals(2, builder.start().waitFor());
    assertTrue(Files.readString(temp.resolve("out")).contains("Java 17"));
  }

  /** Left by a build that was killed, before or after it said who it was. */
  @ParameterizedTest
  @ValueSource(strings = {"", "999999999"})
  @Timeout(60)
  void takesOverALockThatNobodyHolds(String pid) throws Exception {
    Files.delete(home.resolve("cli/target/coffer/coffer.jar"));
    Path lock = Files.createDirectories(home.resolve("cli/target/coffer.lock"));
    if (!pid.isEmpty()) {
      Files.writeString(lock.resolve("pid"), pid);
    }
    Run run = run(temp, home.resolve("coffer").toString(), "ls");
    assertEquals(2, run.code(), run.err());
    // There is nothing to be built here, so it gets as far as that.
    assertTrue(run.err().matches("(?s).*(no mvn found|the build failed).*"), run.err());
    assertFalse(Files.exists(lock));
  }
}
