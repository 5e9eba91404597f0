package dev.coffer.cli;

import dev.coffer.vfs.Layout;
import dev.coffer.vfs.StoreExistsException;
import dev.coffer.vfs.StoreLockedException;
import dev.coffer.vfs.StoreOptions;
import dev.coffer.vfs.VirtualFileStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Packs trees into a new store. */
@Command(
    name = "pack",
    description = "Packs files and folders into a new store.",
    sortOptions = false,
    footer = {
      "",
      "Small files of one kind, as their names' extensions tell, are packed together where",
      "that saves enough.",
      "",
      "Keeps times of modification, permissions, symbolic links and empty folders. What",
      "cannot be read is named and left out, and so are devices, pipes and sockets; the",
      "exit code is 1 then. Nothing is packed if a PATH does not exist.",
      "",
      "Until packing has ended, ls, info, extract and verify call the store an incomplete",
      "pack; what was committed by then can be read. Packing into such a store starts over:",
      "the store is deleted and made anew. If nothing at all was packed, no store is left."
    })
final class PackCommand extends StoreCommand {
  private static final Set<String> BACKENDS = Set.of("log", "sqlite", "duckdb");

  /** Packs source code smaller than tar and zstd -3, in time that reading takes about half of. */
  private static final int LEVEL = 8;

  private static final int BEST_LEVEL = 19;

  private static final int BEST_CLUSTER = 1 << 20;

  private static final Map<String, Layout> LAYOUTS =
      Map.of("file", Layout.FILE, "folder", Layout.FOLDER);

  @Parameters(index = "1", arity = "1..*", paramLabel = "PATH", description = "What to pack.")
  List<Path> paths = new ArrayList<>();

  @Option(
      names = {"-C", "--directory"},
      paramLabel = "DIR",
      description = "Look for relative PATHs in DIR.")
  Path directory = Path.of("");

  @Option(
      names = "--backend",
      paramLabel = "NAME",
      description = {
        "What keeps the store: log, sqlite or duckdb. If left out, STORE's",
        "name tells: .sqlite or .db, .duckdb, and log for any other."
      })
  @Nullable String backend;

  @Option(
      names = "--layout",
      paramLabel = "LAYOUT",
      description = {
        "file: the store is one file; so it is if left out. folder: it is a folder,",
        "which suits large stores that change much; only the log backend has those."
      })
  String layout = "file";

  @Option(
      names = "--level",
      paramLabel = "N",
      description = "How hard to pack, 1 to 22; 8 if left out.")
  @Nullable Integer level;

  @Option(
      names = "--best",
      description = {
        "Pack as small as can be: level 19 unless --level is given, and larger clusters.",
        "Takes some twenty times as long, and a single file takes longer to read."
      })
  boolean best;

  PackCommand(Console console) {
    super(console);
  }

  @Override
  void run() throws IOException {
    StoreOptions options = options();
    List<PackSource> sources = sources();
    for (PackSource source : sources) {
      Path onDisk = source.onDisk(source.path());
      if (!Files.exists(onDisk, LinkOption.NOFOLLOW_LINKS)) {
        throw new NoSuchFileException(onDisk.toString());
      }
    }
    if (Stores.isAbandonedPack(file)) {
      console.note("starting over, for the store there is an incomplete pack: file=" + file);
      StoreFiles.delete(file);
    }
    pack(options, sources);
  }

  /** Leaves no store behind if it fails before anything is in it. */
  private void pack(StoreOptions options, List<PackSource> sources) throws IOException {
    boolean worthKeeping = Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    try (VirtualFileStore store = create(options)) {
      Packer packer = new Packer(store, console);
      try (packer) {
        TreeScanner scanner = new TreeScanner(console, StoreFiles.of(file), packer);
        for (PackSource source : sources) {
          scanner.scan(source);
        }
        packer.finish();
        console.note("packed: entries=" + packer.entries() + " bytes=" + packer.plainBytes());
      } finally {
        worthKeeping = packer.hasCommitted();
      }
    } catch (StoreExistsException | StoreLockedException e) {
      worthKeeping = true; // Somebody else's.
      throw e;
    } finally {
      if (!worthKeeping) {
        StoreFiles.delete(file);
      }
    }
  }

  private StoreOptions options() {
    String name = backend == null ? backendByName() : backend;
    if (!BACKENDS.contains(name)) {
      throw new UsageException("no such backend: " + name);
    }
    if (!LAYOUTS.containsKey(layout)) {
      throw new UsageException("no such layout: " + layout);
    }
    int hard = level != null ? level : best ? BEST_LEVEL : LEVEL;
    if (hard < 1 || hard > 22) {
      throw new UsageException("level is outside 1 to 22: " + hard);
    }
    StoreOptions options =
        StoreOptions.DEFAULT.withBackend(name).withLayout(LAYOUTS.get(layout)).withLevel(hard);
    return best ? options.withChunkLength(BEST_CLUSTER) : options;
  }

  private String backendByName() {
    String name = file.toString().toLowerCase(Locale.ROOT);
    if (name.endsWith(".sqlite") || name.endsWith(".db")) {
      return "sqlite";
    }
    return name.endsWith(".duckdb") ? "duckdb" : "log";
  }

  private List<PackSource> sources() {
    try {
      return PackSource.of(directory, paths, console);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private VirtualFileStore create(StoreOptions options) throws IOException {
    try {
      return VirtualFileStore.create(file, options);
    } catch (StoreExistsException e) {
      throw new StoreExistsException(
          "something is already there; pack makes new stores, put adds a file to one: file=" + file,
          e);
    }
  }
}
