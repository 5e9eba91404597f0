package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreFullException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the index of a store that is open for writing small in memory: what came since the newest
 * run becomes a run now and then, and runs are merged, by one thread in the background.
 *
 * <p>Called under the lock of the store's commits, except where said otherwise.
 */
final class IndexKeeper {
  /** What a changed content id takes in memory. */
  private static final int CHUNK_HEAP = 160;

  /** A commit waits at most this long for the background, and only if that is far behind. */
  private static final long BRAKE_MILLIS = 10;

  private static final int FAR_BEHIND = 4;

  private final Live live;
  private final IndexFiles files;
  private final Tuning tuning;
  private final Features features;

  private volatile @Nullable IndexRoot newest;

  /** Where the newest root lies in the log, or 0 if it does not. */
  private long newestOffset;

  private boolean begun;
  private long heapBytes;
  private @Nullable Frozen frozen;
  private @Nullable ExecutorService executor;
  private @Nullable Future<?> job;

  /** What is to become a run, and what a root will say with it. */
  private record Frozen(
      IndexRoot root,
      IndexMap rows,
      SortedMap<Long, ChunkInfo> chunks,
      SortedMap<Location, Integer> shared) {}

  /**
   * @param root what opening went on from, or null
   * @param rootOffset where that lies in the log, or 0
   * @param heapBytes what the index takes in memory so far
   */
  IndexKeeper(
      Live live,
      IndexFiles files,
      Tuning tuning,
      Features features,
      @Nullable IndexRoot root,
      long rootOffset,
      long heapBytes) {
    this.live = live;
    this.files = files;
    this.tuning = tuning;
    this.features = features;
    this.newest = root;
    this.newestOffset = rootOffset;
    this.heapBytes = heapBytes;
  }

  /**
   * Something will be written, and with the trailer goes what led to the index in the log: leaves a
   * root that leads there, if there is room for it. May be called by any thread.
   */
  synchronized void begin(Reserve reserve) throws StoreException {
    if (begun) {
      return;
    }
    IndexRoot root = newest;
    if (root != null && newestOffset > 0 && root.end().offset() > tuning.replayBytes()) {
      try {
        reserve.run(() -> files.publish(root));
      } catch (StoreFullException e) {
        // After a crash the log will be replayed from its beginning.
      }
    }
    begun = true;
  }

  /** A commit was published, whose rows take this much memory. */
  void committed(long bytes) throws StoreException {
    heapBytes += bytes;
    long total = heapBytes + (long) CHUNK_HEAP * live.references().contents().table().changed();
    if (total < tuning.freezeBytes()) {
      return;
    }
    if (!isBusy()) {
      if (frozen == null) {
        freeze();
      }
      start();
    } else if (total > FAR_BEHIND * tuning.freezeBytes()) {
      await(BRAKE_MILLIS);
    }
  }

  /** What the store uses. */
  Features features() {
    return features;
  }

  /** Whether the background is at work. */
  boolean isBusy() {
    return job != null && !job.isDone();
  }

  private void freeze() {
    live.lock.lock();
    try {
      Snapshot snapshot = live.snapshot();
      IndexRoot root = state(snapshot);
      References references = live.references();
      frozen =
          new Frozen(
              root,
              snapshot.index().delta(),
              references.contents().table().freeze(),
              references.shared().freeze());
      live.publishLayers(snapshot.index().frozenNow());
      heapBytes = 0;
    } finally {
      live.lock.unlock();
    }
  }

  private IndexRoot state(Snapshot snapshot) {
    return state(
        snapshot, live.references(), live.frame(), live.appender().epoch(), live.nextContentId());
  }

  /** What a root says of a snapshot, but for its runs; called with the store's lock held. */
  IndexRoot state(
      Snapshot snapshot, References references, Live.Frame frame, int epoch, long nextContentId) {
    return IndexRoot.of(snapshot, references, frame, features, epoch, nextContentId);
  }

  private void start() throws StoreException {
    if (!tuning.inBackground()) {
      var unused = work();
      return;
    }
    if (executor == null) {
      executor =
          Executors.newSingleThreadExecutor(
              task -> {
                Thread thread = new Thread(task, "coffer-log-index");
                thread.setDaemon(true);
                return thread;
              });
    }
    job = executor.submit(this::work);
  }

  /** Waits for the background; what failed there is tried again with the next commits. */
  private void await(long millis) {
    Future<?> running = job;
    boolean interrupted = false;
    long left = TimeUnit.MILLISECONDS.toNanos(millis);
    long until = System.nanoTime() + left;
    while (running != null && left > 0) {
      try {
        var unused = running.get(left, TimeUnit.NANOSECONDS);
        break;
      } catch (InterruptedException e) {
        interrupted = true;
        left = until - System.nanoTime();
      } catch (ExecutionException | TimeoutException e) {
        break;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until the background has nothing to do. */
  void drain() {
    while (isBusy()) {
      await(Long.MAX_VALUE / TimeUnit.MILLISECONDS.toNanos(1) / 2);
    }
  }

  /** One job: a run of what is frozen, then whatever is to be merged. */
  private Void work() throws StoreException {
    Frozen current = frozen;
    if (current != null) {
      live.force(); // A run must never know more of the log than the device does.
      write(current);
      frozen = null;
    }
    while (mergeSome()) {
      // Until nothing is worth merging.
    }
    return null;
  }

  private void write(Frozen current) throws StoreException {
    List<Run> runs = live.snapshot().index().runs();
    RunWriter writer = new RunWriter(files, true, tuning.partRows());
    boolean done = false;
    try {
      addRows(writer, new Index.MapCursor(current.rows.iterator()), !runs.isEmpty());
      writer.addChunks(new LayeredTable.Walk<>(TableFormat.CHUNKS, current.chunks, List.of()));
      writer.addShared(new LayeredTable.Walk<>(TableFormat.SHARED, current.shared, List.of()));
      List<Run> newer = new ArrayList<>();
      newer.add(IndexBase.open(writer.store(), live.snapshot().segments(), files));
      newer.addAll(runs);
      publish(current.root, newer, true);
      done = true;
    } finally {
      if (done) {
        writer.release();
      } else {
        writer.discard();
      }
    }
  }

  private static void addRows(RunWriter writer, RowCursor cursor, boolean withDeletions)
      throws StoreException {
    while (cursor.next()) {
      if (withDeletions || !cursor.row().isDeletion()) {
        writer.add(cursor.row());
      }
    }
  }

  /** Makes runs the ones that count: on disk first, then for readers. */
  private void publish(IndexRoot state, List<Run> runs, boolean withFrozen) throws StoreException {
    IndexRoot root = state.withRuns(runs.stream().map(Run::info).toList());
    files.publish(root);
    live.lock.lock();
    try {
      Index index = live.snapshot().index();
      live.publishLayers(index.withLayers(withFrozen ? IndexMap.EMPTY : index.frozen(), runs));
      References references = live.references();
      references.contents().table().replace(withFrozen, Run.chunks(runs));
      references.shared().replace(withFrozen, Run.shared(runs));
    } finally {
      live.lock.unlock();
    }
    newest = root;
    newestOffset = 0;
  }

  /** How many of the newest runs are to become one, for a sum of rows that is newer than all. */
  static int mergeable(Tuning tuning, long newerRows, List<Run> runs) {
    long sum = newerRows;
    int count = 0;
    while (count < runs.size() && runs.get(count).info().rows() < tuning.mergeRatio() * sum) {
      sum += runs.get(count).info().rows();
      count++;
    }
    return count;
  }

  private boolean mergeSome() throws StoreException {
    List<Run> runs = live.snapshot().index().runs();
    IndexRoot state = newest;
    if (runs.isEmpty() || state == null) {
      return false;
    }
    int count = 1 + mergeable(tuning, runs.get(0).info().rows(), runs.subList(1, runs.size()));
    if (count < 2) {
      return false;
    }
    List<Run> merged = runs.subList(0, count);
    RunWriter writer = new RunWriter(files, true, tuning.partRows());
    boolean done = false;
    try {
      merge(writer, IndexMap.EMPTY, merged, count < runs.size());
      writer.addChunks(walk(TableFormat.CHUNKS, new TreeMap<>(), Run.chunks(merged)));
      writer.addShared(walk(TableFormat.SHARED, new TreeMap<>(), Run.shared(merged)));
      List<Run> newer = new ArrayList<>();
      newer.add(IndexBase.open(writer.store(), live.snapshot().segments(), files));
      newer.addAll(runs.subList(count, runs.size()));
      publish(state, newer, false);
      done = true;
    } finally {
      if (done) {
        writer.release();
      } else {
        writer.discard();
      }
    }
    files.keepOnly(newest);
    return true;
  }

  private static <K extends Comparable<K>, V> LayeredTable.Walk<K, V> walk(
      TableFormat<K, V> format, SortedMap<K, V> memory, List<TablePart> parts)
      throws StoreException {
    return new LayeredTable.Walk<>(format, memory, parts);
  }

  /** Writes rows and those of older runs as one. */
  static void merge(RunWriter writer, IndexMap rows, List<Run> runs, boolean withDeletions)
      throws StoreException {
    RowCursor[] sources = new RowCursor[runs.size() + 1];
    sources[0] = new Index.MapCursor(rows.iterator());
    for (int i = 0; i < runs.size(); i++) {
      sources[i + 1] = runs.get(i).from(new byte[0]);
    }
    addRows(writer, new MergeCursor(withDeletions, sources), withDeletions);
  }

  /**
   * Appends to the log what makes the next opening fast, unless that is fast anyway; once all
   * commits are in the log, and nothing else is written any more.
   *
   * @return where the newest root lies in the log, or 0 if none does
   */
  long close() throws StoreException {
    drain();
    stop();
    Snapshot snapshot = live.snapshot();
    IndexRoot root = newest;
    long covered = root == null ? FileHeader.LENGTH : root.end().offset();
    boolean inLog = root == null || newestOffset > 0;
    if (inLog && snapshot.end().offset() - covered < tuning.replayBytes()) {
      return newestOffset;
    }
    IndexRoot state;
    live.lock.lock();
    try {
      state = state(snapshot);
    } finally {
      live.lock.unlock();
    }
    return append(state, snapshot);
  }

  /** As {@link #close}, where the index stays beside the log; all of that was forced. */
  void closeBeside() throws StoreException {
    drain();
    stop();
    Snapshot snapshot = live.snapshot();
    IndexRoot root = newest;
    boolean brief;
    if (root == null) {
      brief = snapshot.segments().length() < tuning.replayBytes();
    } else {
      brief =
          root.end().segment() == snapshot.end().segment()
              && snapshot.end().offset() - root.end().offset() < tuning.replayBytes();
    }
    if (!brief) {
      writeAll();
    }
    files.keepOnly(newest);
  }

  /** Makes the index on disk cover all commits so far, which are forced. */
  private void writeAll() throws StoreException {
    Frozen left = frozen;
    if (left != null) {
      write(left);
    }
    freeze();
    write(Objects.requireNonNull(frozen));
    frozen = null;
  }

  /** Up to where the log is covered by the index on disk; null if there is none. */
  @Nullable Location covered() {
    IndexRoot root = newest;
    return root == null ? null : root.end();
  }

  /**
   * Makes the index on disk cover all commits so far, unless there is none; called without any lock
   * but that of commits, and waits for the disk.
   */
  void cover() throws StoreException {
    drain();
    if (newest != null) {
      live.force();
      writeAll();
    }
  }

  /** As {@link #cover}, but does not wait; called under the lock of commits. */
  void coverSoon() throws StoreException {
    if (!isBusy()) {
      if (frozen == null) {
        freeze();
      }
      start();
    }
  }

  private long append(IndexRoot state, Snapshot snapshot) throws StoreException {
    Segment segment = live.active();
    Index index = snapshot.index();
    References references = live.references();
    List<Run> runs = index.runs();
    IndexMap memory = index.frozen().size() == 0 ? index.delta() : overlaid(index);
    int count = mergeable(tuning, memory.size(), runs);
    List<Run> merged = runs.subList(0, count);
    RunWriter writer = new RunWriter(files, false, tuning.partRows());
    try {
      merge(writer, memory, merged, count < runs.size());
      writer.addChunks(
          walk(TableFormat.CHUNKS, references.contents().table().inMemory(), Run.chunks(merged)));
      writer.addShared(
          walk(TableFormat.SHARED, references.shared().inMemory(), Run.shared(merged)));
      List<RunInfo> infos = new ArrayList<>();
      RunInfo young = writer.append(segment);
      if (young.rows() > 0) {
        infos.add(young);
      }
      for (Run run : runs.subList(count, runs.size())) {
        infos.add(run.info().isInLog() ? run.info() : RunWriter.copy(run, segment));
      }
      return segment
          .appender()
          .append(RecordKind.INDEX_ROOT, state.sequence(), state.withRuns(infos).encode());
    } finally {
      writer.discard();
    }
  }

  private static IndexMap overlaid(Index index) {
    IndexMap.Editor all = index.frozen().edit();
    index.delta().forEach(all::put);
    return all.done();
  }

  /** The store went over to another file, or its runs are no more: a root that holds for it. */
  void restart(@Nullable IndexRoot root) throws StoreException {
    newest = root;
    newestOffset = 0;
    heapBytes = 0;
    frozen = null;
    begun = true;
    if (root != null) {
      files.publish(root);
    }
    files.keepOnly(root);
  }

  void stop() {
    if (executor != null) {
      executor.shutdown();
    }
  }
}
