package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A map that need not fit in memory: what changed since the newest run, over what is being written
 * as a run, over the parts of runs. Values are never removed, only replaced.
 *
 * <p>Read without locks; changed under the lock of the store.
 */
final class LayeredTable<K extends Comparable<K>, V> {
  private final TableFormat<K, V> format;
  private volatile Layers<K, V> layers;

  private record Layers<K, V>(
      ConcurrentHashMap<K, V> changed, Map<K, V> frozen, List<TablePart> parts) {}

  /** A table of the parts of runs, the newest first. */
  LayeredTable(TableFormat<K, V> format, List<TablePart> parts) {
    this.format = format;
    this.layers = new Layers<>(new ConcurrentHashMap<>(), Map.of(), List.copyOf(parts));
  }

  TableFormat<K, V> format() {
    return format;
  }

  @Nullable V get(K key) throws StoreException {
    Layers<K, V> now = layers;
    V value = now.changed.get(key);
    if (value == null) {
      value = now.frozen.get(key);
    }
    if (value != null || now.parts.isEmpty()) {
      return value;
    }
    byte[] bytes = format.key(key);
    for (TablePart part : now.parts) {
      byte[] row = find(part, bytes);
      if (row != null) {
        return format.value(row, 0);
      }
    }
    return null;
  }

  private static byte @Nullable [] find(TablePart part, byte[] key) throws StoreException {
    try {
      return part.find(key);
    } catch (StoreCorruptException e) {
      throw new IndexDamage(e);
    }
  }

  List<TablePart> parts() {
    return layers.parts;
  }

  /** Whether the newest value of a key is that of one of these parts. */
  boolean isIn(K key, Set<TablePart> some) throws StoreException {
    Layers<K, V> now = layers;
    if (now.changed.containsKey(key) || now.frozen.containsKey(key)) {
      return false;
    }
    byte[] bytes = format.key(key);
    for (TablePart part : now.parts) {
      if (find(part, bytes) != null) {
        return some.contains(part);
      }
    }
    return false;
  }

  void put(K key, V value) {
    layers.changed.put(key, value);
  }

  /** Forgets what was put since the newest run; for keys that were new. */
  void undo(K key) {
    layers.changed.remove(key);
  }

  /** How many values changed since the newest run. */
  int changed() {
    return layers.changed.size();
  }

  /** Sets aside what changed, to be written as a run; answers it in order. */
  SortedMap<K, V> freeze() {
    Layers<K, V> now = layers;
    if (!now.frozen.isEmpty()) {
      throw new IllegalStateException("table is frozen already: rows=" + now.frozen.size());
    }
    layers = new Layers<>(new ConcurrentHashMap<>(), now.changed, now.parts);
    return new TreeMap<>(now.changed);
  }

  /** Takes what another table of the same keys holds in memory in the place of all runs. */
  void rebase(LayeredTable<K, V> other) {
    ConcurrentHashMap<K, V> all = new ConcurrentHashMap<>(other.inMemory());
    all.putAll(inMemory());
    layers = new Layers<>(all, Map.of(), List.of());
  }

  /** The parts of runs hold everything now. */
  void restart(List<TablePart> parts) {
    layers = new Layers<>(new ConcurrentHashMap<>(), Map.of(), List.copyOf(parts));
  }

  /** What no run holds, in order. */
  SortedMap<K, V> inMemory() {
    Layers<K, V> now = layers;
    TreeMap<K, V> memory = new TreeMap<>(now.frozen);
    memory.putAll(now.changed);
    return memory;
  }

  /** The parts of runs are others now. */
  void replace(boolean withFrozen, List<TablePart> parts) {
    Layers<K, V> now = layers;
    layers = new Layers<>(now.changed, withFrozen ? Map.of() : now.frozen, List.copyOf(parts));
  }

  /** Walks over everything in order, at one moment of each layer; the newest value of each key. */
  Walk<K, V> walk() throws StoreException {
    return new Walk<>(format, inMemory(), layers.parts);
  }

  /** One walk; for one thread. */
  static final class Walk<K extends Comparable<K>, V> {
    private final TableFormat<K, V> format;
    private final List<Source<K, V>> sources = new ArrayList<>();
    private @Nullable Source<K, V> current;

    /** A walk over {@code memory} and older parts, the newest first. */
    Walk(TableFormat<K, V> format, SortedMap<K, V> memory, List<TablePart> parts)
        throws StoreException {
      this.format = format;
      addIfAny(new Source<>(memory.entrySet().iterator(), null));
      for (TablePart part : parts) {
        addIfAny(new Source<>(null, part.cursor()));
      }
    }

    private void addIfAny(Source<K, V> source) throws StoreException {
      if (source.advance(format)) {
        sources.add(source);
      }
    }

    /** Goes on to the next key; false behind the last. */
    boolean next() throws StoreException {
      Source<K, V> before = current;
      if (before != null) {
        K passed = before.key();
        for (int i = sources.size() - 1; i >= 0; i--) {
          Source<K, V> source = sources.get(i);
          if (source.key().compareTo(passed) == 0 && !source.advance(format)) {
            sources.remove(i);
          }
        }
      }
      current = null;
      for (Source<K, V> source : sources) {
        if (current == null || source.key().compareTo(current.key()) < 0) {
          current = source;
        }
      }
      return current != null;
    }

    K key() {
      return require().key();
    }

    V value() throws StoreException {
      return require().value(format);
    }

    private Source<K, V> require() {
      if (current == null) {
        throw new IllegalStateException("walk is not at a row");
      }
      return current;
    }
  }

  /** Rows of memory or of a part. */
  private static final class Source<K extends Comparable<K>, V> {
    private final java.util.@Nullable Iterator<Map.Entry<K, V>> memory;
    private final TablePart.@Nullable Cursor cursor;
    private Map.@Nullable Entry<K, V> entry;
    private @Nullable K key;

    Source(
        java.util.@Nullable Iterator<Map.Entry<K, V>> memory, TablePart.@Nullable Cursor cursor) {
      this.memory = memory;
      this.cursor = cursor;
    }

    boolean advance(TableFormat<K, V> format) throws StoreException {
      if (cursor != null) {
        boolean more = IndexDamage.guard(cursor::next);
        key = more ? format.key(cursor.bytes(), cursor.offset()) : null;
        return more;
      }
      if (memory == null || !memory.hasNext()) {
        return false;
      }
      entry = memory.next();
      key = entry.getKey();
      return true;
    }

    K key() {
      return java.util.Objects.requireNonNull(key);
    }

    V value(TableFormat<K, V> format) throws StoreException {
      return cursor != null
          ? format.value(cursor.bytes(), cursor.offset())
          : java.util.Objects.requireNonNull(entry).getValue();
    }
  }
}
