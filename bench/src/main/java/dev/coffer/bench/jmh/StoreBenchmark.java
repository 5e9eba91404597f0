package dev.coffer.bench.jmh;

import dev.coffer.vfs.Durability;
import dev.coffer.vfs.StoreOptions;
import dev.coffer.vfs.VirtualFileStore;
import dev.coffer.vfs.WriteBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Single gets and puts on the log backend; run with {@code -prof gc} for the garbage of each. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Benchmark)
public class StoreBenchmark {
  private static final int FILES = 100_000;
  private static final int FOLDER_SIZE = 1000;

  /** The length of each file, of bytes that do not shrink. */
  @Param({"100", "4096"})
  public int length;

  private final AtomicInteger put = new AtomicInteger(FILES);
  private final String[] paths = new String[FILES];
  private Path directory = Path.of("");
  private VirtualFileStore store = empty();

  private static VirtualFileStore empty() {
    try {
      return VirtualFileStore.inMemory(StoreOptions.DEFAULT);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A thread's random numbers and what it puts. */
  @State(Scope.Thread)
  public static class Own {
    final SplittableRandom random = new SplittableRandom(Thread.currentThread().getId());
    byte[] content = {};

    /** Makes the content. */
    @Setup
    public void fill(StoreBenchmark shared) {
      content = new byte[shared.length];
      random.nextBytes(content);
    }
  }

  private static String path(int index) {
    return "/folder-" + index / FOLDER_SIZE + "/file-" + index;
  }

  /** Fills a store, closes it and opens it again. */
  @Setup(Level.Trial)
  public void fill() throws IOException {
    store.close();
    directory = Files.createTempDirectory("coffer-jmh");
    Path file = directory.resolve("store.coffer");
    StoreOptions options = StoreOptions.DEFAULT.withDurability(Durability.BUFFERED);
    SplittableRandom random = new SplittableRandom(1);
    try (VirtualFileStore filling = VirtualFileStore.create(file, options)) {
      for (int i = 0; i < FILES; i += FOLDER_SIZE) {
        try (WriteBatch batch = filling.newBatch()) {
          for (int j = i; j < i + FOLDER_SIZE; j++) {
            byte[] content = new byte[length];
            random.nextBytes(content);
            paths[j] = path(j);
            batch.write(paths[j], content);
          }
          batch.commit();
        }
      }
    }
    store = VirtualFileStore.open(file, options);
  }

  /** Deletes it. */
  @TearDown
  public void delete() throws IOException {
    store.close();
    List<Path> all;
    try (Stream<Path> files = Files.walk(directory)) {
      all = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : all) {
      Files.delete(file);
    }
  }

  /** A random file. */
  @Benchmark
  public byte[] get(Own own) throws IOException {
    return store.read(paths[own.random.nextInt(FILES)]);
  }

  /** A new file, not forced. */
  @Benchmark
  public void put(Own own) throws IOException {
    store.write(path(put.getAndIncrement()), own.content);
  }

  /** Another content for a file, not forced. */
  @Benchmark
  public void replace(Own own) throws IOException {
    store.write(paths[own.random.nextInt(FILES)], own.content);
  }
}
