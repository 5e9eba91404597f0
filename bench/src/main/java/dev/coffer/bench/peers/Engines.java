package dev.coffer.bench.peers;

import dev.coffer.vfs.Layout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The engines by name. */
public final class Engines {
  /** Opens or creates an engine whose files are all in one folder. */
  @FunctionalInterface
  private interface Opener {
    Engine open(Path directory, EngineOptions options) throws Exception;
  }

  private static final Map<String, Opener> OPENERS =
      Map.ofEntries(
          Map.entry("log", CofferEngine.of("log", Layout.FILE)::open),
          Map.entry("log-folder", CofferEngine.of("log", Layout.FOLDER)::open),
          Map.entry("sqlite", CofferEngine.of("sqlite", Layout.FILE)::open),
          Map.entry("duckdb", CofferEngine.of("duckdb", Layout.FILE)::open),
          Map.entry("memory", CofferEngine::inMemory),
          Map.entry("sqlite-bare", (d, o) -> new SqliteEngine(d, o, false)),
          Map.entry("sqlite-tuned", (d, o) -> new SqliteEngine(d, o, true)),
          Map.entry("sqlite-schema", SqliteSchemaEngine::new),
          Map.entry("duckdb-bare", DuckEngine::new),
          Map.entry("rocksdb", RocksEngine::new),
          Map.entry("lmdb", LmdbEngine::new),
          Map.entry("mvstore", MvStoreEngine::new),
          Map.entry("files", FilesEngine::new),
          Map.entry("zipfs", ZipEngine::new),
          Map.entry("bare", BareEngine::new));

  /** All names, Coffer's own first. */
  public static final List<String> NAMES =
      List.of(
          "log",
          "log-folder",
          "sqlite",
          "duckdb",
          "memory",
          "sqlite-bare",
          "sqlite-tuned",
          "sqlite-schema",
          "duckdb-bare",
          "rocksdb",
          "lmdb",
          "mvstore",
          "files",
          "zipfs",
          "bare");

  private Engines() {}

  /** Opens an engine in a folder of its own, which exists. The caller closes it. */
  public static Engine open(String name, Path directory, EngineOptions options) throws Exception {
    Opener opener = OPENERS.get(name);
    if (opener == null) {
      throw new IllegalArgumentException("no such engine: name=" + name + " known=" + NAMES);
    }
    return opener.open(directory, options);
  }
}
