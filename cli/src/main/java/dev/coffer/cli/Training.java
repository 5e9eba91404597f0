package dev.coffer.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs the common commands once, so that the launcher can archive the classes they load and later
 * runs start faster. Works in the folder it is given; fails if a command does.
 */
final class Training {
  /** Enough for a file that is kept in chunks. */
  private static final int LARGE = 2 * 1024 * 1024;

  private Training() {}

  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    Path tree = Files.createDirectories(folder.resolve("tree"));
    Files.writeString(tree.resolve("file"), "coffer ".repeat(1000), StandardCharsets.UTF_8);
    Files.write(tree.resolve("large"), new byte[LARGE]);
    Files.createSymbolicLink(tree.resolve("link"), Path.of("file"));
    int worst = 0;
    for (String backend : List.of("log", "sqlite", "duckdb")) {
      String store = folder.resolve(backend).toString();
      String out = folder.resolve("out-" + backend).toString();
      worst |= run("pack", store, "--backend", backend, "-C", folder.toString(), "tree");
      worst |= run("ls", store);
      worst |= run("ls", "-lR", store);
      worst |= run("ls", "--json", store, "/tree");
      worst |= run("cat", store, "tree/file", "tree/large");
      worst |= run("put", store, "tree/more");
      worst |= run("mkdir", store, "folder");
      worst |= run("mv", store, "tree/more", "folder");
      worst |= run("rm", "-r", store, "folder");
      worst |= run("extract", store, "-d", out);
      worst |= run("info", store);
      worst |= run("verify", store);
    }
    worst |= run("--help") | run("--version");
    System.exit(worst);
  }

  private static int run(String... command) {
    InputStream in = new ByteArrayInputStream(new byte[0]);
    return Main.run(command, in, OutputStream.nullOutputStream(), OutputStream.nullOutputStream());
  }
}
