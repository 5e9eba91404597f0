package dev.coffer.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.BackendOptions;
import dev.coffer.vfs.spi.BackendOptions.Creation;
import dev.coffer.vfs.spi.BackendProvider;
import dev.coffer.vfs.spi.CompactStep;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.EntryReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** One open store and what it must hold. One thread commits through it at a time. */
final class BackendFixture implements AutoCloseable {
  static final BackendOptions EXISTING = new BackendOptions(Creation.NEVER, false);
  static final BackendOptions READ_ONLY = new BackendOptions(Creation.NEVER, true);

  private final BackendContract contract;
  private final Path path;
  private final SortedMap<EntryKey, Stored> entries = new TreeMap<>();
  private final SortedMap<String, String> properties = new TreeMap<>();
  private Backend backend;
  private long sequence;

  BackendFixture(BackendContract contract, Path directory) throws StoreException {
    this.contract = contract;
    this.path = contract.storePath(directory);
    this.backend = contract.provider().open(path, contract.options(Creation.ALWAYS, false));
  }

  Backend backend() {
    return backend;
  }

  BackendProvider provider() {
    return contract.provider();
  }

  Path path() {
    return path;
  }

  /** The live map of what must be there. */
  SortedMap<EntryKey, Stored> entries() {
    return entries;
  }

  SortedMap<String, String> properties() {
    return properties;
  }

  /** A copy of what must be there, to compare a view with later. */
  SortedMap<EntryKey, Stored> snapshot() {
    return Collections.unmodifiableSortedMap(new TreeMap<>(entries));
  }

  Stored stored(String file) {
    Stored stored = entries.get(EntryKey.of(file));
    if (stored == null) {
      throw new IllegalStateException("the test never put it there: path=" + file);
    }
    return stored;
  }

  CommitBuilder begin() {
    return new CommitBuilder(this);
  }

  void committed(long newSequence) {
    sequence = newSequence;
  }

  /** Compares the whole store with what must be there. */
  void check() throws StoreException {
    assertEquals(sequence, backend.sequence(), "sequence");
    assertHolds(backend, entries, "store");
    assertEquals(properties, backend.properties(), "properties");
    assertEquals(entries.size(), backend.stats().entries(), "entries in stats");
    List<Problem> problems = Collections.synchronizedList(new ArrayList<>());
    backend.verify(problems::add);
    assertEquals(List.of(), problems, "verify");
    backend.verifyEntries(problems::add);
    assertEquals(List.of(), problems, "verifyEntries");
  }

  static void assertHolds(EntryReader reader, SortedMap<EntryKey, Stored> expected, String where)
      throws StoreException {
    Stored.assertSame(expected, Stored.readAll(reader), where);
  }

  /** Closes, opens again and checks; skips the test where nothing outlives close. */
  void reopen() throws StoreException {
    assumeTrue(contract.outlivesClose(), "the store ends with close");
    backend.close();
    backend = contract.provider().open(path, EXISTING);
    assertEquals(List.of(), backend.recoveryReport(), "recovery report after a clean close");
    check();
  }

  void reopenIfKept() throws StoreException {
    if (contract.outlivesClose()) {
      reopen();
    }
  }

  /** Opens what a test closed; where nothing outlives close that is a new, empty store. */
  void openAgain() throws StoreException {
    if (contract.outlivesClose()) {
      backend = contract.provider().open(path, EXISTING);
    } else {
      backend = contract.provider().open(path, contract.options(Creation.ALWAYS, false));
      entries.clear();
      properties.clear();
      sequence = 0;
    }
  }

  /** Compacts until done. */
  void compact() throws StoreException {
    for (int steps = 0; ; steps++) {
      CompactStep step = backend.compact(64 * 1024);
      if (step.done()) {
        return;
      }
      if (steps > 10_000) {
        throw new AssertionError("compaction never ends: " + step);
      }
    }
  }

  @Override
  public void close() throws StoreException {
    backend.close();
  }
}
