package dev.coffer.bench;

import dev.coffer.vfs.FileEntry;
import dev.coffer.vfs.StoreOptions;
import dev.coffer.vfs.VirtualFileStore;
import dev.coffer.vfs.WriteBatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Batched ingest, shuffled warm reads and a listing, on each backend in turn in one JVM (workloads
 * W5 and W6 in outline). Prints a Markdown table of medians with their ranges.
 *
 * <p>Arguments, all optional: files=4096 size=4096 batch=128 rounds=5 payload=random|text
 * backends=log,sqlite,duckdb dir=(temporary). The first round warms up and is not counted.
 */
public final class IngestBenchmark {
  private final int files;
  private final int size;
  private final int batch;
  private final Payload payload;
  private final Path directory;

  private IngestBenchmark(Arguments arguments, Path directory) {
    this.files = arguments.number("files", 4096);
    this.size = arguments.number("size", 4096);
    this.batch = arguments.number("batch", 128);
    this.payload = Payload.named(arguments.text("payload", "random"));
    this.directory = directory;
  }

  /** Runs the benchmark. */
  public static void main(String[] args) throws IOException {
    Arguments arguments = new Arguments(args);
    Path directory =
        arguments.has("dir")
            ? Files.createDirectories(Path.of(arguments.text("dir", "")))
            : Files.createTempDirectory("coffer-bench");
    IngestBenchmark benchmark = new IngestBenchmark(arguments, directory);
    int rounds = arguments.number("rounds", 5);
    List<String> backends = List.of(arguments.text("backends", "log,sqlite,duckdb").split(","));

    System.out.printf(
        "files=%d size=%d batch=%d payload=%s rounds=%d durability=SYNC java=%s cores=%d%n%n",
        benchmark.files,
        benchmark.size,
        benchmark.batch,
        benchmark.payload,
        rounds,
        System.getProperty("java.version"),
        Runtime.getRuntime().availableProcessors());
    List<List<Figures>> results = new ArrayList<>();
    backends.forEach(backend -> results.add(new ArrayList<>()));
    for (int round = 0; round <= rounds; round++) {
      for (int i = 0; i < backends.size(); i++) {
        Figures figures = benchmark.run(backends.get(i), round);
        if (round > 0) {
          results.get(i).add(figures);
        }
      }
    }
    System.out.println("| backend | ingest and close ms | reads µs each | list ms | file MB |");
    System.out.println("|---|---|---|---|---|");
    for (int i = 0; i < backends.size(); i++) {
      List<Figures> figures = results.get(i);
      System.out.printf(
          "| %s | %s | %s | %s | %s |%n",
          backends.get(i),
          median(figures.stream().mapToDouble(f -> f.ingestNanos() / 1e6)),
          median(figures.stream().mapToDouble(f -> f.readNanos() / 1e3 / benchmark.files)),
          median(figures.stream().mapToDouble(f -> f.listNanos() / 1e6)),
          median(figures.stream().mapToDouble(f -> f.bytes() / 1e6)));
    }
  }

  private record Figures(long ingestNanos, long readNanos, long listNanos, long bytes) {}

  private Figures run(String backend, int round) throws IOException {
    Path file = directory.resolve("bench-" + backend + ".coffer");
    Files.deleteIfExists(file);
    SplittableRandom random = new SplittableRandom(round);
    byte[][] values = new byte[files][];
    Arrays.setAll(values, i -> payload.make(random.split(), size));

    long start = System.nanoTime();
    try (VirtualFileStore store =
        VirtualFileStore.create(file, StoreOptions.DEFAULT.withBackend(backend))) {
      for (int from = 0; from < files; from += batch) {
        try (WriteBatch writes = store.newBatch()) {
          for (int i = from; i < Math.min(files, from + batch); i++) {
            writes.write(path(i), values[i]);
          }
          writes.commit();
        }
      }
    }
    long ingested = System.nanoTime();

    List<Integer> order = new ArrayList<>(files);
    for (int i = 0; i < files; i++) {
      order.add(i);
    }
    Collections.shuffle(order, new Random(round));
    try (VirtualFileStore store =
        VirtualFileStore.open(file, StoreOptions.DEFAULT.withReadOnly(true))) {
      order.forEach(i -> check(store, i, values[i])); // one warm pass
      long opened = System.nanoTime();
      order.forEach(i -> check(store, i, values[i]));
      long read = System.nanoTime();
      try (Stream<FileEntry> walk = store.walk("/")) {
        requireEqual(files, walk.filter(FileEntry::isFile).count());
      }
      long listed = System.nanoTime();
      return new Figures(ingested - start, read - opened, listed - read, Files.size(file));
    }
  }

  private static String path(int i) {
    return String.format(Locale.ROOT, "/folder-%04d/%048x.bin", i / 1000, i);
  }

  private static void check(VirtualFileStore store, int i, byte[] expected) {
    try {
      requireEqual(0, Arrays.compare(expected, store.read(path(i))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void requireEqual(long expected, long found) {
    if (expected != found) {
      throw new IllegalStateException("result differs: expected=" + expected + " found=" + found);
    }
  }

  private static String median(DoubleStream figures) {
    double[] sorted = figures.sorted().toArray();
    return String.format(
        Locale.ROOT,
        "%.2f (%.2f–%.2f)",
        sorted[sorted.length / 2],
        sorted[0],
        sorted[sorted.length - 1]);
  }
}
