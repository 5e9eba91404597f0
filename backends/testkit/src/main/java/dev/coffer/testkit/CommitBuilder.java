package dev.coffer.testkit;

import dev.coffer.codecs.Dictionary;
import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.Durability;
import dev.coffer.vfs.EntryKind;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.Change;
import dev.coffer.vfs.spi.Commit;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.PackedChunk;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Builds one commit the way the store does, and keeps the fixture's expectations in step. Sources
 * of moves and copies are what is there before the commit.
 */
final class CommitBuilder {
  private static final Instant TIME = Instant.parse("2026-03-04T05:06:07.123456789Z");

  private final BackendFixture fixture;
  private final Backend backend;
  private final long sequence;
  private final SortedMap<EntryKey, @Nullable Entry> after = new TreeMap<>();
  private final SortedMap<EntryKey, @Nullable Stored> expected = new TreeMap<>();
  private final SortedMap<String, String> properties = new TreeMap<>();
  private final List<Dictionary> dictionaries = new ArrayList<>();

  CommitBuilder(BackendFixture fixture) {
    this.fixture = fixture;
    this.backend = fixture.backend();
    this.sequence = backend.sequence() + 1;
  }

  /** The attributes of entries whose attributes do not matter. */
  static Attributes attributes() {
    return Attributes.of(Attributes.FILE_MODE, TIME);
  }

  CommitBuilder file(String path, Given given) {
    return file(path, given, attributes());
  }

  CommitBuilder file(String path, Given given, Attributes attributes) {
    EntryKey key = EntryKey.of(path);
    return put(
        new Entry(key, EntryKind.FILE, sequence, given.length(), attributes, null, given.content()),
        given.body());
  }

  /** A file of a few bytes that differ from path to path. */
  CommitBuilder small(String path) {
    byte[] bytes = ("content of " + path).getBytes(StandardCharsets.UTF_8);
    return file(path, Given.inline(PackedChunk.of(false, Chunks.RAW, 0, bytes.length, bytes)));
  }

  CommitBuilder directory(String path) {
    return put(
        new Entry(
            EntryKey.of(path),
            EntryKind.DIRECTORY,
            sequence,
            0,
            attributes().withMode(Attributes.DIRECTORY_MODE),
            null,
            Content.NONE),
        Body.NONE);
  }

  CommitBuilder link(String path, String target) {
    return put(
        new Entry(
            EntryKey.of(path),
            EntryKind.SYMBOLIC_LINK,
            sequence,
            target.getBytes(StandardCharsets.UTF_8).length,
            attributes().withMode(Attributes.LINK_MODE),
            target,
            Content.NONE),
        Body.NONE);
  }

  CommitBuilder attributes(String path, Attributes attributes) throws StoreException {
    Entry entry = existing(path).withAttributes(attributes).withVersion(sequence);
    after.put(entry.key(), entry);
    expected.put(entry.key(), fixture.stored(path).with(entry));
    return this;
  }

  CommitBuilder delete(String path) {
    EntryKey key = EntryKey.of(path);
    after.put(key, null);
    expected.put(key, null);
    return this;
  }

  CommitBuilder copy(String from, String to) throws StoreException {
    Entry entry = existing(from).withKey(EntryKey.of(to)).withVersion(sequence);
    after.put(entry.key(), entry);
    expected.put(entry.key(), fixture.stored(from).with(entry));
    return this;
  }

  CommitBuilder move(String from, String to) throws StoreException {
    copy(from, to);
    EntryKey source = EntryKey.of(from);
    if (!after.containsKey(source)) {
      delete(from);
    }
    return this;
  }

  CommitBuilder property(String name, String value) {
    properties.put(name, value);
    return this;
  }

  CommitBuilder dictionary(Dictionary dictionary) {
    dictionaries.add(dictionary);
    return this;
  }

  private CommitBuilder put(Entry entry, Body body) {
    after.put(entry.key(), entry);
    expected.put(entry.key(), Stored.of(entry, body));
    return this;
  }

  private Entry existing(String path) throws StoreException {
    Entry entry = backend.lookup(EntryKey.of(path));
    if (entry == null) {
      throw new AssertionError("the entry is gone: path=" + OddNames.escape(path));
    }
    return entry;
  }

  /** The commit, with each key's entry before looked up. */
  Commit build() throws StoreException {
    List<Change> changes = new ArrayList<>();
    for (Map.Entry<EntryKey, @Nullable Entry> change : after.entrySet()) {
      Entry before = backend.lookup(change.getKey());
      changes.add(new Change(change.getKey(), before, change.getValue()));
    }
    return new Commit(sequence, TIME, changes, properties, dictionaries);
  }

  void commit() throws StoreException {
    commit(Durability.BUFFERED);
  }

  void commit(Durability durability) throws StoreException {
    backend.commit(build(), durability);
    fixture.committed(sequence);
    expected.forEach(
        (key, stored) -> {
          if (stored == null) {
            fixture.entries().remove(key);
          } else {
            fixture.entries().put(key, stored);
          }
        });
    properties.forEach(
        (name, value) -> {
          if (value.isEmpty()) {
            fixture.properties().remove(name);
          } else {
            fixture.properties().put(name, value);
          }
        });
  }
}
