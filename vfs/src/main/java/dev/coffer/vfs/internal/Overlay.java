package dev.coffer.vfs.internal;

import dev.coffer.codecs.Dictionary;
import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.EntryKind;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The backend as it will be after the requests applied so far: what changed, over what is. A
 * request that fails is rolled back to the {@link #mark} before it. For one thread.
 */
final class Overlay {
  private static final int PAGE = 1000;

  /** So few slots are sorted anew for each range. */
  private static final int FEW = 32;

  private final EntryReader base;
  private final long sequence;
  private final Instant now;

  /**
   * What was looked at or changed. Mostly changed in key order, and kept in the order it came, for
   * sorting to find it nearly sorted.
   */
  private final Map<EntryKey, Slot> slots;

  /** The slots in key order, kept only once a range of more than a few was asked for. */
  private @Nullable TreeMap<EntryKey, Slot> ordered;

  private final TreeMap<String, String> properties = new TreeMap<>();
  private final Deque<Undo> undos = new ArrayDeque<>();

  /** A key whose parent is known to be a directory, as that of the next one mostly is too. */
  private @Nullable EntryKey placed;

  private @Nullable Attributes fresh;

  /** Whether what is changed now may have to be told from what was changed before. */
  private boolean undoable;

  /**
   * @param expected about how many keys will be looked at or changed
   */
  Overlay(EntryReader base, Instant now, int expected) {
    this.base = base;
    this.slots = new LinkedHashMap<>(expected + expected / 2);
    this.sequence = base.sequence() + 1;
    this.now = now;
  }

  /** What a key held before this commit, and what it is to hold after it. */
  private static final class Slot {
    final @Nullable Entry before;
    @Nullable Entry after;
    boolean changed;

    Slot(@Nullable Entry before) {
      this.before = before;
      this.after = before;
    }
  }

  private sealed interface Undo {
    record Key(Slot slot, @Nullable Entry after, boolean changed) implements Undo {}

    record Property(String name, @Nullable String value) implements Undo {}
  }

  /** When the commit is made. */
  Instant now() {
    return now;
  }

  /** The version that entries of this commit get. */
  long sequence() {
    return sequence;
  }

  /** The attributes of something new of this mode. */
  Attributes newAttributes(int mode) {
    Attributes attributes = fresh;
    if (attributes == null || attributes.mode() != mode) {
      attributes = Attributes.of(mode, now);
      fresh = attributes;
    }
    return attributes;
  }

  @Nullable Entry get(EntryKey key) throws StoreException {
    return slot(key).after;
  }

  /** Keeps an entry under its key; it gets the version of this commit. */
  void put(Entry entry) throws StoreException {
    set(slot(entry.key()), versioned(entry));
  }

  /** Keeps an entry as {@link #put} does where nothing is stored below the base's directory. */
  void putUnstored(Entry entry) {
    Slot slot = slots.get(entry.key());
    set(slot == null ? add(entry.key(), null) : slot, versioned(entry));
  }

  private Entry versioned(Entry entry) {
    return entry.version() == sequence ? entry : entry.withVersion(sequence);
  }

  void delete(EntryKey key) throws StoreException {
    set(slot(key), null);
  }

  /** Deletes what {@link #subtree} answered. */
  void deleteFound(Entry entry) {
    Slot slot = slots.get(entry.key());
    set(slot == null ? add(entry.key(), entry) : slot, null);
  }

  void setProperty(String name, String value) {
    String before = properties.put(name, value);
    if (undoable) {
      undos.push(new Undo.Property(name, before));
    }
  }

  /** Whether a key's parent is known to be a directory, from {@link #placed}. */
  boolean isPlaced(EntryKey key) {
    return placed != null && placed.hasSameParent(key);
  }

  /** The parent of a key was seen to be a directory. */
  void placed(EntryKey key) {
    placed = key;
  }

  /** Whether nothing is stored below a directory, whatever was changed there since. */
  boolean isUnstored(String directory) throws StoreException {
    return base.scan(ScanRange.subtree(directory), null, 1).isEmpty();
  }

  /** Whether a directory has children. */
  boolean hasChildren(String directory) throws StoreException {
    ScanRange range = ScanRange.children(directory);
    for (Slot slot : range(range).values()) {
      if (slot.after != null) {
        return true;
      }
    }
    // What is left in the base may have been deleted here.
    EntryKey after = null;
    while (true) {
      List<Entry> page = base.scan(range, after, PAGE);
      for (Entry entry : page) {
        if (!slots.containsKey(entry.key())) {
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
    Map<EntryKey, Slot> touched = range(range);
    return touched.isEmpty() ? stored : merge(stored, touched);
  }

  private static List<Entry> merge(List<Entry> stored, Map<EntryKey, Slot> touched) {
    TreeMap<EntryKey, Entry> found = new TreeMap<>();
    stored.forEach(entry -> found.put(entry.key(), entry));
    touched.forEach(
        (key, slot) -> {
          if (slot.after == null) {
            found.remove(key);
          } else {
            found.put(key, slot.after);
          }
        });
    return new ArrayList<>(found.values());
  }

  /** A point to roll back to. */
  int mark() {
    undoable = !slots.isEmpty() || !properties.isEmpty();
    return undos.size();
  }

  /** Takes back what was changed since the last {@link #mark}. */
  void rollBackTo(int mark) {
    placed = null;
    if (!undoable) {
      slots.clear();
      ordered = null;
      properties.clear();
      return;
    }
    while (undos.size() > mark) {
      Undo undo = undos.pop();
      if (undo instanceof Undo.Key key) {
        key.slot().after = key.after();
        key.slot().changed = key.changed();
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
    List<Change> changes = new ArrayList<>(slots.size());
    slots.forEach(
        (key, slot) -> {
          if (slot.changed && (slot.before != null || slot.after != null)) {
            changes.add(new Change(key, slot.before, slot.after));
          }
        });
    ChangeOrder.sort(changes);
    List<Dictionary> noDictionaries = List.of();
    return new Commit(sequence, now, changes, new TreeMap<>(properties), noDictionaries);
  }

  private void set(Slot slot, @Nullable Entry after) {
    if (undoable) {
      undos.push(new Undo.Key(slot, slot.after, slot.changed));
    }
    if (slot.after != null && slot.after.kind() == EntryKind.DIRECTORY) {
      placed = null; // It may have been the known parent.
    }
    slot.after = after;
    slot.changed = true;
  }

  private Slot slot(EntryKey key) throws StoreException {
    Slot slot = slots.get(key);
    return slot == null ? add(key, base.lookup(key)) : slot;
  }

  private Slot add(EntryKey key, @Nullable Entry before) {
    Slot slot = new Slot(before);
    slots.put(key, slot);
    if (ordered != null) {
      ordered.put(key, slot);
    }
    return slot;
  }

  /** The slots in a range of keys, in key order. */
  private Map<EntryKey, Slot> range(ScanRange range) {
    TreeMap<EntryKey, Slot> all = ordered;
    if (all == null) {
      all = new TreeMap<>(slots);
      if (all.size() > FEW) {
        ordered = all;
      }
    }
    Map<EntryKey, Slot> inside = new LinkedHashMap<>();
    // The range is contiguous: it starts at the first key whose parent is the directory.
    for (Map.Entry<EntryKey, Slot> each :
        all.tailMap(EntryKey.child(range.directory(), ""), true).entrySet()) {
      if (!range.contains(each.getKey())) {
        break;
      }
      inside.put(each.getKey(), each.getValue());
    }
    return inside;
  }
}
