package dev.coffer.vfs.internal;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.PackedChunk;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Gathers a batch's small files in clusters by kind, has them packed in several threads, and stages
 * them in the order in which they filled up. Holds a bounded amount of memory. For one thread at a
 * time.
 */
final class ClusterWriter {
  /** Open clusters take at most so many plain bytes; above, the longest is packed as it is. */
  private static final long MAX_OPEN_BYTES = 32L * 1024 * 1024;

  /** Packed chunks are staged together from this many bytes on. */
  private static final int STAGE_BYTES = 1024 * 1024;

  /** A last cluster below this plain length is packed together with those of other kinds. */
  private static final int MIN_LENGTH = 16 * 1024;

  private record Packing(Cluster cluster, Future<PackedChunk> chunk) {}

  private final Backend backend;
  private final Packer packer;
  private final PackWorkers workers;
  private final Kinds kinds;
  private final int clusterLength;
  private final Consumer<FileWrite> separated;
  private final TreeMap<String, Cluster> open = new TreeMap<>();
  private final ArrayDeque<Packing> packing = new ArrayDeque<>();
  private final List<Cluster> unstaged = new ArrayList<>();
  private final List<PackedChunk> unstagedChunks = new ArrayList<>();
  private long openBytes;
  private long unstagedBytes;
  private long packedBytes;

  /**
   * @param clusterLength how long clusters get, in plain bytes
   * @param separated hears of files that were gathered, but are packed alone after all
   */
  ClusterWriter(
      Backend backend,
      Packer packer,
      PackWorkers workers,
      Kinds kinds,
      int clusterLength,
      Consumer<FileWrite> separated) {
    this.backend = backend;
    this.packer = packer;
    this.workers = workers;
    this.kinds = kinds;
    this.clusterLength = clusterLength;
    this.separated = separated;
  }

  /** How many packed bytes were staged. */
  long packedBytes() {
    return packedBytes;
  }

  /** Whether a file of this kind and length is to be gathered. */
  boolean gathers(String kind, int length) {
    return length > 0 && length <= clusterLength / 2 && kinds.gathers(kind, length);
  }

  /** Gathers a file, whose place is told to {@code write} by the end of {@link #finish}. */
  void add(FileWrite write, String kind, byte[] bytes) throws StoreException {
    Cluster cluster = open.get(kind);
    if (cluster != null && !cluster.hasRoomFor(bytes.length)) {
      remove(kind, cluster);
      close(kind, cluster);
      cluster = null;
      if (!kinds.areClustered(kind)) {
        write.placed(new Content.Packed(packer.pack(bytes, 0, bytes.length)));
        separated.accept(write);
        return;
      }
    }
    if (cluster == null) {
      cluster = new Cluster(clusterLength);
      open.put(kind, cluster);
    }
    cluster.add(write, bytes);
    openBytes += bytes.length;
    if (openBytes > MAX_OPEN_BYTES) {
      closeLongest();
    }
  }

  private void remove(String kind, Cluster cluster) {
    open.remove(kind);
    openBytes -= cluster.length();
  }

  private void closeLongest() throws StoreException {
    Map.Entry<String, Cluster> longest =
        open.entrySet().stream()
            .max(Comparator.comparingInt(entry -> entry.getValue().length()))
            .orElseThrow();
    remove(longest.getKey(), longest.getValue());
    close(longest.getKey(), longest.getValue());
  }

  /** Packs and stages all that is left. */
  void finish() throws StoreException {
    Cluster mixed = new Cluster(clusterLength);
    while (!open.isEmpty()) {
      Map.Entry<String, Cluster> first = open.firstEntry();
      Cluster cluster = first.getValue();
      remove(first.getKey(), cluster);
      if (cluster.length() >= MIN_LENGTH) {
        close(first.getKey(), cluster);
      } else {
        if (!mixed.hasRoomFor(cluster.length())) {
          tryOut(mixed);
          mixed = new Cluster(clusterLength);
        }
        mixed.addAll(cluster);
      }
    }
    if (mixed.count() > 0) {
      tryOut(mixed);
    }
    while (!packing.isEmpty()) {
      takeFirst();
    }
    stage();
  }

  private void close(String kind, Cluster cluster) throws StoreException {
    if (kinds.isTrialDue(kind)) {
      kinds.decide(kind, tryOut(cluster));
      return;
    }
    while (packing.size() >= 2 * workers.count()) {
      takeFirst();
    }
    packing.add(new Packing(cluster, workers.submit(() -> cluster.pack(packer))));
  }

  /** Packs a cluster as is smaller; answers whether that is together. */
  private boolean tryOut(Cluster cluster) throws StoreException {
    List<PackedChunk> alone = cluster.packAlone(packer);
    PackedChunk together = cluster.pack(packer);
    boolean pays = cluster.count() > 1 && Cluster.pays(together, alone);
    if (pays) {
      while (!packing.isEmpty()) {
        takeFirst();
      }
      take(cluster, together);
    } else {
      cluster.separated(alone).forEach(separated);
    }
    return pays;
  }

  private void takeFirst() throws StoreException {
    Packing first = packing.remove();
    take(first.cluster, PackWorkers.await(first.chunk));
  }

  private void take(Cluster cluster, PackedChunk chunk) throws StoreException {
    unstaged.add(cluster);
    unstagedChunks.add(chunk);
    unstagedBytes += chunk.length();
    packedBytes += chunk.length();
    if (unstagedBytes >= STAGE_BYTES) {
      stage();
    }
  }

  private void stage() throws StoreException {
    if (unstaged.isEmpty()) {
      return;
    }
    long[] ids = backend.stage(unstagedChunks);
    for (int i = 0; i < ids.length; i++) {
      unstaged.get(i).staged(ids[i], unstagedChunks.get(i));
    }
    unstaged.clear();
    unstagedChunks.clear();
    unstagedBytes = 0;
  }
}
