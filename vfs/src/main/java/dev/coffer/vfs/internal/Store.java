package dev.coffer.vfs.internal;

import dev.coffer.codecs.Codec;
import dev.coffer.codecs.Codecs;
import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.Durability;
import dev.coffer.vfs.EntryKind;
import dev.coffer.vfs.FileEntry;
import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreBackendException;
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
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The store over any backend: paths, packing and the commit queue on top, reads below. */
final class Store implements VirtualFileStore {
  /** The codec that new content is packed with. */
  private static final String CODEC = "zstd";

  /** How much one step of an explicit compaction moves between commits. */
  private static final long COMPACT_STEP_BYTES = 4L * 1024 * 1024;

  private final Backend backend;
  private final StoreOptions options;
  private final Codecs codecs;
  private final Packer packer;
  private final StoreReads reads;
  private final CommitQueue queue;
  private volatile boolean closed;

  /**
   * @param backend closed with the store
   * @param codecs closed with the store
   * @param file the store's file, for messages
   */
  Store(Backend backend, StoreOptions options, Codecs codecs, String file, InstantSource clock)
      throws StoreException {
    this.backend = backend;
    this.options = options;
    this.codecs = codecs;
    Codec codec = codecs.byName(CODEC);
    if (codec == null) {
      throw new StoreBackendException("no such codec is installed: codec=" + CODEC);
    }
    this.packer = new Packer(codec, options.chunkLength());
    ContentReader contents =
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
  public void write(
      String path, byte[] content, @Nullable Attributes attributes, WriteOption... how)
      throws IOException {
    commitOne(fileWrite(path, content, attributes, how));
  }

  @Override
  public void write(
      String path, InputStream content, @Nullable Attributes attributes, WriteOption... how)
      throws IOException {
    commitOne(fileWrite(path, content, attributes, how));
  }

  @Override
  public void createSymbolicLink(
      String path, String target, @Nullable Attributes attributes, WriteOption... how)
      throws IOException {
    commitOne(linkWrite(path, target, attributes, how));
  }

  @Override
  public void createDirectories(String path) throws IOException {
    EntryKey key = StorePath.key(path);
    commitOne(overlay -> TreeOperations.createDirectories(overlay, key));
  }

  @Override
  public void delete(String path) throws IOException {
    EntryKey key = StorePath.key(path);
    commitOne(overlay -> TreeOperations.delete(overlay, key));
  }

  @Override
  public void deleteRecursively(String path) throws IOException {
    EntryKey key = StorePath.key(path);
    commitOne(overlay -> TreeOperations.deleteRecursively(overlay, key));
  }

  @Override
  public void move(String from, String to, WriteOption... how) throws IOException {
    EntryKey source = StorePath.key(from);
    EntryKey target = StorePath.key(to);
    commitOne(overlay -> TreeOperations.move(overlay, source, target, TreeOperations.setOf(how)));
  }

  @Override
  public void copy(String from, String to, WriteOption... how) throws IOException {
    EntryKey source = StorePath.key(from);
    EntryKey target = StorePath.key(to);
    commitOne(overlay -> TreeOperations.copy(overlay, source, target, TreeOperations.setOf(how)));
  }

  @Override
  public void setAttributes(String path, Attributes attributes) throws IOException {
    EntryKey key = StorePath.key(path);
    Limits.check(attributes, path);
    commitOne(overlay -> TreeOperations.setAttributes(overlay, key, attributes));
  }

  @Override
  public OutputStream newOutputStream(String path, WriteOption... how) throws IOException {
    requireWritable();
    EntryKey key = StorePath.key(path);
    Set<WriteOption> set = TreeOperations.setOf(how);
    return new StoreOutputStream(
        new ContentWriter(backend, packer, options.chunkLength()),
        writer -> {
          requireOpen();
          Content content = writer.finish();
          commitOne(FileWrite.file(key, writer.length(), content, null, set));
        });
  }

  @Override
  public WriteBatch newBatch() throws IOException {
    requireWritable();
    return new Batch(this);
  }

  /** Packs a file, without making it visible. */
  FileWrite fileWrite(
      String path, byte[] bytes, @Nullable Attributes attributes, WriteOption... how)
      throws StoreException {
    requireWritable();
    EntryKey key = StorePath.key(path);
    Limits.check(attributes, path);
    Content content = ContentWriter.ofArray(backend, packer, options.chunkLength(), bytes);
    return FileWrite.file(key, bytes.length, content, attributes, TreeOperations.setOf(how));
  }

  /** Packs, and stages if it is large, a file from a stream, without making it visible. */
  FileWrite fileWrite(
      String path, InputStream in, @Nullable Attributes attributes, WriteOption... how)
      throws IOException {
    requireWritable();
    EntryKey key = StorePath.key(path);
    Limits.check(attributes, path);
    ContentWriter writer = new ContentWriter(backend, packer, options.chunkLength());
    writer.readFrom(in);
    Content content = writer.finish();
    return FileWrite.file(key, writer.length(), content, attributes, TreeOperations.setOf(how));
  }

  FileWrite linkWrite(
      String path, String target, @Nullable Attributes attributes, WriteOption... how)
      throws StoreException {
    requireWritable();
    EntryKey key = StorePath.key(path);
    Limits.check(attributes, path);
    int length = Limits.utf8Length("link target", target, StorePath.MAX_PATH_LENGTH, path);
    if (length == 0 || target.indexOf('\0') >= 0) {
      throw StorePath.invalid("link target is empty or has a NUL: targetBytes=" + length, path);
    }
    return FileWrite.link(key, target, length, attributes, TreeOperations.setOf(how));
  }

  /** Commits mutations that carry {@code bytes} packed bytes in memory, all or none. */
  long commit(List<Mutation> mutations, Durability durability, long bytes) throws StoreException {
    requireWritable();
    return queue.commit(mutations, durability, bytes);
  }

  private void commitOne(Mutation mutation) throws StoreException {
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
    return EntryMapper.toFileEntry(entry);
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
    return reads.verify(true, problems);
  }

  @Override
  public VerifyReport verifyEntries() throws IOException {
    requireOpen();
    return reads.verify(false, problem -> {});
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
  public void close() throws IOException {
    closed = true;
    queue.close();
    try {
      queue.exclusively(backend::close);
    } finally {
      codecs.close();
    }
  }

  private void requireOpen() throws StoreClosedException {
    if (closed) {
      throw new StoreClosedException("store is closed");
    }
  }

  private void requireWritable() throws StoreException {
    requireOpen();
    if (backend.isReadOnly()) {
      throw new StoreReadOnlyException("store is open read-only: backend=" + backend.name());
    }
  }
}
