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
 * runs start faster. Works in the folder it is given.
 */
final class Training {
  private Training() {}

  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    Path tree = Files.createDirectories(folder.resolve("tree"));
    Files.writeString(tree.resolve("file"), "coffer ".repeat(1000), StandardCharsets.UTF_8);
    Files.createSymbolicLink(tree.resolve("link"), Path.of("file"));
    for (String backend : List.of("log", "sqlite", "duckdb")) {
      String store = folder.resolve(backend).toString();
      run("pack", store, "--backend", backend, "-C", folder.toString(), "tree");
      run("ls", store);
      run("ls", "-lR", store);
      run("ls", "--json", store, "/tree");
      run("cat", store, "tree/file");
      run("put", store, "tree/more");
      run("extract", store, "-d", folder.resolve("out-" + backend).toString());
      run("info", store);
      run("verify", store);
    }
    run("--help");
  }

  private static void run(String... command) {
    InputStream in = new ByteArrayInputStream(new byte[0]);
    Main.run(command, in, OutputStream.nullOutputStream(), OutputStream.nullOutputStream());
  }
}
