package dev.coffer.vfs.internal;

import dev.coffer.codecs.Dictionary;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Change;
import dev.coffer.vfs.spi.Commit;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.EntryReader;
import dev.coffer.vfs.spi.ScanRange;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The backend as it will be after the requests applied so far: what changed, over what is. A
 * request that fails is rolled back to the {@link #mark} before it. For one thread.
 */
final class Overlay {
  private static final int PAGE = 1000;

  private final EntryReader base;
  private final long sequence;
  private final Instant now;
  private final TreeMap<EntryKey, State> states = new TreeMap<>();
  private final TreeMap<String, String> properties = new TreeMap<>();
  private final Deque<Undo> undos = new ArrayDeque<>();

  Overlay(EntryReader base, Instant now) {
    this.base = base;
    this.sequence = base.sequence() + 1;
    this.now = now;
  }

  /** What a key held before this commit, and what it is to hold after it. */
  private record State(@Nullable Entry before, @Nullable Entry after, boolean changed) {}

  private sealed interface Undo {
    record Key(EntryKey key, @Nullable State state) implements Undo {}

    record Property(String name, @Nullable String value) implements Undo {}
  }

  /** When the commit is made. */
  Instant now() {
    return now;
  }

  @Nullable Entry get(EntryKey key) throws StoreException {
    return state(key).after();
  }

  /** Keeps an entry under its key; it gets the version of this commit. */
  void put(Entry entry) throws StoreException {
    set(entry.key(), entry.withVersion(sequence));
  }

  void delete(EntryKey key) throws StoreException {
    set(key, null);
  }

  void setProperty(String name, String value) {
    undos.push(new Undo.Property(name, properties.put(name, value)));
  }

  /** Whether a directory has children. */
  boolean hasChildren(String directory) throws StoreException {
    ScanRange range = ScanRange.children(directory);
    for (State state : range(range).values()) {
      if (state.after() != null) {
        return true;
      }
    }
    // What is left in the base may have been deleted here.
    EntryKey after = null;
    while (true) {
      List<Entry> page = base.scan(range, after, PAGE);
      for (Entry entry : page) {
        if (!states.containsKey(entry.key())) {
          return true;
        }
      }
      if (page.size() < PAGE) {
        return false;
      }
      after = page.get(page.size() - 1).key();
    }
  }

  /** Everything below a directory, in key order. */
  List<Entry> subtree(String directory) throws StoreException {
    ScanRange range = ScanRange.subtree(directory);
    List<Entry> stored = new ArrayList<>();
    EntryKey after = null;
    List<Entry> page;
    do {
      page = base.scan(range, after, PAGE);
      stored.addAll(page);
      after = page.isEmpty() ? null : page.get(page.size() - 1).key();
    } while (page.size() == PAGE);
    SortedMap<EntryKey, State> touched = range(range);
    return touched.isEmpty() ? stored : merge(stored, touched);
  }

  private static List<Entry> merge(List<Entry> stored, SortedMap<EntryKey, State> touched) {
    TreeMap<EntryKey, Entry> found = new TreeMap<>();
    stored.forEach(entry -> found.put(entry.key(), entry));
    touched.forEach(
        (key, state) -> {
          if (state.after() == null) {
            found.remove(key);
          } else {
            found.put(key, state.after());
          }
        });
    return new ArrayList<>(found.values());
  }

  /** A point to roll back to. */
  int mark() {
    return undos.size();
  }

  void rollBackTo(int mark) {
    while (undos.size() > mark) {
      Undo undo = undos.pop();
      if (undo instanceof Undo.Key key) {
        if (key.state() == null) {
          states.remove(key.key());
        } else {
          states.put(key.key(), key.state());
        }
      } else if (undo instanceof Undo.Property property) {
        if (property.value() == null) {
          properties.remove(property.name());
        } else {
          properties.put(property.name(), property.value());
        }
      }
    }
  }

  /** All that changed, as one commit. */
  Commit toCommit() {
    List<Change> changes = new ArrayList<>(states.size());
    for (Map.Entry<EntryKey, State> each : states.entrySet()) {
      State state = each.getValue();
      if (state.changed() && (state.before() != null || state.after() != null)) {
        changes.add(new Change(each.getKey(), state.before(), state.after()));
      }
    }
    List<Dictionary> noDictionaries = List.of();
    return new Commit(sequence, now, changes, new TreeMap<>(properties), noDictionaries);
  }

  private void set(EntryKey key, @Nullable Entry after) throws StoreException {
    State state = states.get(key);
    Entry before = state == null ? base.lookup(key) : state.before();
    undos.push(new Undo.Key(key, state));
    states.put(key, new State(before, after, true));
  }

  private State state(EntryKey key) throws StoreException {
    State state = states.get(key);
    if (state == null) {
      Entry entry = base.lookup(key);
      state = new State(entry, entry, false);
      states.put(key, state);
    }
    return state;
  }

  /** The states in a range of keys. */
  private SortedMap<EntryKey, State> range(ScanRange range) {
    TreeMap<EntryKey, State> inside = new TreeMap<>();
    // The range is contiguous: it starts at the first key whose parent is the directory.
    for (Map.Entry<EntryKey, State> each :
        states.tailMap(EntryKey.child(range.directory(), ""), true).entrySet()) {
      if (!range.contains(each.getKey())) {
        break;
      }
      inside.put(each.getKey(), each.getValue());
    }
    return inside;
  }
}
