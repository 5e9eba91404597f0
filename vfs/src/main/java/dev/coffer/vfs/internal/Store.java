package dev.coffer.vfs.internal;

import dev.coffer.vfs.Durability;
import dev.coffer.vfs.EntryKind;
import dev.coffer.vfs.FileEntry;
import dev.coffer.vfs.Packing;
import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreClosedException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreOptions;
import dev.coffer.vfs.StoreReadOnlyException;
import dev.coffer.vfs.StoreStats;
import dev.coffer.vfs.VerifyReport;
import dev.coffer.vfs.VirtualFileStore;
import dev.coffer.vfs.WriteBatch;
import dev.coffer.vfs.WriteOption;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.BackendStats;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.View;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The store over any backend: paths, packing and the commit queue on top, reads below. */
final class Store extends MutatingOperations implements VirtualFileStore {
  /** How much one step of an explicit compaction moves between commits. */
  private static final long COMPACT_STEP_BYTES = 4L * 1024 * 1024;

  private final Backend backend;
  private final StoreOptions options;
  private final StoreCodecs codecs;
  private final ContentReader contents;
  private final StoreReads reads;
  private final CommitQueue queue;
  private final Packer packer;
  private final Kinds kinds;
  private final PackWorkers workers;
  private volatile boolean closed;

  /**
   * @param backend closed with the store
   * @param codecs closed with the store
   * @param file the store's file, for messages
   */
  Store(
      Backend backend, StoreOptions options, StoreCodecs codecs, String file, InstantSource clock) {
    this(
        backend,
        options,
        codecs,
        file,
        clock,
        new Packer(codecs, options.chunkLength()),
        new PackWorkers());
  }

  private Store(
      Backend backend,
      StoreOptions options,
      StoreCodecs codecs,
      String file,
      InstantSource clock,
      Packer packer,
      PackWorkers workers) {
    super(new Mutations(backend, packer, workers, options.chunkLength()));
    this.packer = packer;
    this.workers = workers;
    this.kinds = new Kinds(options.chunkLength());
    this.backend = backend;
    this.options = options;
    this.codecs = codecs;
    this.contents =
        new ContentReader(new ChunkReader(codecs, file), new ChunkCache(options.cacheBytes()));
    this.reads = new StoreReads(backend, contents);
    this.queue = new CommitQueue(backend, clock);
  }

  Backend backend() {
    return backend;
  }

  StoreOptions options() {
    return options;
  }

  // Changes: each a batch of one.

  @Override
  public OutputStream newOutputStream(String path, WriteOption... how) throws IOException {
    requireWritable();
    EntryKey key = StorePath.key(path);
    return new StoreOutputStream(
        mutations().newWriter(),
        writer -> {
          requireOpen();
          apply(Mutations.write(key, writer, null, how));
        });
  }

  @Override
  public WriteBatch newBatch() throws IOException {
    return newBatch(Packing.ALONE);
  }

  @Override
  public WriteBatch newBatch(Packing packing) throws IOException {
    requireWritable();
    return new Batch(this, mutations(), packing == Packing.CLUSTERED ? kinds : null);
  }

  EqualFiles newEqualFiles() {
    return new EqualFiles(backend, contents);
  }

  ClusterWriter newClusterWriter(Kinds deciding, Consumer<FileWrite> separated) {
    return new ClusterWriter(backend, packer, workers, deciding, options.chunkLength(), separated);
  }

  /** Commits mutations that carry {@code bytes} packed bytes in memory, all or none. */
  long commit(List<Mutation> mutations, Durability durability, long bytes) throws StoreException {
    requireWritable();
    return queue.commit(mutations, durability, bytes);
  }

  @Override
  void apply(Mutation mutation) throws StoreException {
    boolean inMemory =
        mutation instanceof FileWrite write && write.content() instanceof Content.Packed;
    long bytes = inMemory ? ((FileWrite) mutation).content().packedLength() : 0;
    commit(List.of(mutation), options.durability(), bytes);
  }

  // Reads.

  @Override
  public byte[] read(String path) throws IOException {
    requireOpen();
    return reads.readAll(StorePath.key(path));
  }

  @Override
  public byte[] readRange(String path, long position, int length) throws IOException {
    if (position < 0 || length < 0) {
      throw new IllegalArgumentException(
          "range is negative: position=" + position + " length=" + length);
    }
    requireOpen();
    return reads.readRange(StorePath.key(path), position, length);
  }

  @Override
  public InputStream newInputStream(String path) throws IOException {
    requireOpen();
    return reads.open(StorePath.key(path));
  }

  @Override
  public FileEntry stat(String path) throws IOException {
    FileEntry entry = find(path);
    if (entry == null) {
      throw TreeOperations.noSuchEntry(StorePath.key(path));
    }
    return entry;
  }

  @Override
  public @Nullable FileEntry find(String path) throws IOException {
    requireOpen();
    EntryKey key = StorePath.key(path);
    Entry entry = backend.lookup(key);
    if (entry == null) {
      return key.isRoot() ? EntryMapper.unstoredRoot() : null;
    }
    return EntryMapper.toFileEntry(entry, key);
  }

  @Override
  public boolean exists(String path) throws IOException {
    return find(path) != null;
  }

  @Override
  public List<FileEntry> list(String path) throws IOException {
    FileEntry directory = stat(path);
    if (directory.kind() != EntryKind.DIRECTORY) {
      throw TreeOperations.notADirectory(StorePath.key(path));
    }
    return reads.list(directory.path());
  }

  @Override
  public Stream<FileEntry> walk(String path) throws IOException {
    requireOpen();
    return reads.walk(StorePath.key(path));
  }

  @Override
  public int readFiles(
      String directory, @Nullable String after, int limit, BiConsumer<FileEntry, byte[]> files)
      throws IOException {
    if (limit < 0) {
      throw new IllegalArgumentException("limit is negative: limit=" + limit);
    }
    requireOpen();
    return reads.readFiles(
        StorePath.key(directory).path(), after == null ? null : StorePath.key(after), limit, files);
  }

  @Override
  public SortedMap<String, String> properties() throws IOException {
    requireOpen();
    return backend.properties();
  }

  // The store as a whole.

  @Override
  public void force() throws IOException {
    requireWritable();
    queue.exclusively(backend::force);
  }

  @Override
  public StoreStats stats() throws IOException {
    requireOpen();
    BackendStats stats = backend.stats();
    return new StoreStats(
        backend.name(), backend.sequence(), stats.entries(), stats.liveBytes(), stats.fileBytes());
  }

  @Override
  public boolean isReadOnly() {
    return backend.isReadOnly();
  }

  @Override
  public List<Problem> recoveryReport() {
    return backend.recoveryReport();
  }

  @Override
  public VerifyReport verify(Consumer<Problem> problems) throws IOException {
    requireOpen();
    return reads.verify(problems);
  }

  @Override
  public List<Problem> findLostEntries() throws IOException {
    requireOpen();
    return reads.lostEntries();
  }

  @Override
  public void compact() throws IOException {
    requireWritable();
    AtomicBoolean done = new AtomicBoolean();
    while (!done.get()) {
      queue.exclusively(() -> done.set(backend.compact(COMPACT_STEP_BYTES).done()));
    }
  }

  @Override
  public void sealTo(Path file) throws IOException {
    requireOpen();
    try (View view = backend.openView()) {
      StoreOpener.seal(view, file);
    }
  }

  @Override
  public void backupTo(Path target) throws IOException {
    requireOpen();
    backend.backup(target);
  }

  @Override
  public void close() throws IOException {
    closed = true;
    queue.close();
    try {
      queue.exclusively(backend::close);
    } finally {
      workers.close();
      codecs.close();
    }
  }

  private void requireOpen() throws StoreClosedException {
    if (closed) {
      throw new StoreClosedException("store is closed");
    }
  }

  @Override
  void requireWritable() throws StoreException {
    requireOpen();
    if (backend.isReadOnly()) {
      throw new StoreReadOnlyException("store is open read-only: backend=" + backend.name());
    }
  }
}
