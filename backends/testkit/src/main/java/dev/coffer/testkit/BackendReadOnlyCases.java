package dev.coffer.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.coffer.vfs.Durability;
import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreLockedException;
import dev.coffer.vfs.StoreReadOnlyException;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.Change;
import dev.coffer.vfs.spi.Commit;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.Pin;
import dev.coffer.vfs.spi.View;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stores opened read-only: they serve everything and change nothing on disk. */
abstract class BackendReadOnlyCases {
  private final BackendContract contract;
  private Path directory;
  private BackendFixture fixture;
  private SortedMap<String, String> before;

  @SuppressWarnings("NullAway.Init") // JUnit calls prepare before every test.
  BackendReadOnlyCases(BackendContract contract) {
    this.contract = contract;
  }

  @BeforeEach
  void prepare(@TempDir Path temporary) throws IOException {
    assumeTrue(contract.outlivesClose(), "there are no files to open");
    directory = temporary;
    fixture = new BackendFixture(contract, directory);
    CommitBuilder commit = fixture.begin().directory("/dir").link("/dir/link", "target");
    for (Shape shape : Shape.values()) {
      if (shape != Shape.DEEP) {
        commit.file("/dir/" + shape, shape.make(fixture.backend(), shape.seed()));
      }
    }
    commit.property("note", "kept").commit();
    fixture.begin().delete("/dir/TINY").commit();
    fixture.close();
    before = FileListing.fingerprint(directory);
  }

  @AfterEach
  void nothingChanged() throws IOException {
    if (contract.outlivesClose()) {
      assertEquals(before, FileListing.fingerprint(directory), "files of the store");
    }
  }

  private Backend open() throws StoreException {
    return contract.provider().open(fixture.path(), BackendFixture.READ_ONLY);
  }

  @Test
  void servesEverythingAndWritesNothing() throws IOException {
    try (Backend backend = open()) {
      assertTrue(backend.isReadOnly());
      BackendFixture.assertHolds(backend, fixture.entries(), "read-only");
      assertEquals(fixture.properties(), backend.properties());
      assertEquals(fixture.entries().size(), backend.stats().entries());
      assertEquals(before, FileListing.fingerprint(directory), "files while open");
    }
  }

  @Test
  void verifies() throws StoreException {
    List<Problem> problems = new ArrayList<>();
    try (Backend backend = open()) {
      backend.verify(problems::add);
      backend.verifyEntries(problems::add);
    }
    assertEquals(List.of(), problems);
  }

  @Test
  void hasViewsAndPins() throws StoreException {
    try (Backend backend = open();
        View view = backend.openView()) {
      BackendFixture.assertHolds(view, fixture.entries(), "view of a read-only store");
      Entry entry = Objects.requireNonNull(backend.lookup(EntryKey.of("/dir/CHUNK")));
      try (Pin pin = Objects.requireNonNull(backend.pin(entry.content()))) {
        assertEquals(fixture.stored("/dir/CHUNK"), Stored.read(backend, entry), pin.toString());
      }
    }
  }

  @Test
  void refusesWrites() throws StoreException {
    try (Backend backend = open()) {
      Entry entry = Objects.requireNonNull(backend.lookup(EntryKey.of("/dir/SMALL")));
      Commit commit =
          new Commit(
              backend.sequence() + 1,
              entry.attributes().changed(),
              List.of(new Change(entry.key(), entry, null)),
              Collections.emptySortedMap(),
              List.of());
      assertThrows(StoreReadOnlyException.class, () -> backend.commit(commit, Durability.SYNC));
      assertThrows(StoreReadOnlyException.class, () -> backend.stage(List.of(Chunks.raw(1, 100))));
      assertThrows(StoreReadOnlyException.class, () -> backend.compact(Long.MAX_VALUE));
      BackendFixture.assertHolds(backend, fixture.entries(), "after refused writes");
    }
  }

  @Test
  void severalAtOnce() throws StoreException {
    try (Backend first = open()) {
      try (Backend second = open()) {
        BackendFixture.assertHolds(first, fixture.entries(), "first");
        BackendFixture.assertHolds(second, fixture.entries(), "second");
      }
      BackendFixture.assertHolds(first, fixture.entries(), "first, after the second closed");
    }
  }

  @Test
  void besideAWriterOfThisProcess() throws IOException {
    try (Backend writer = contract.provider().open(fixture.path(), BackendFixture.EXISTING)) {
      try (Backend reader = open()) {
        BackendFixture.assertHolds(reader, fixture.entries(), "beside a writer");
      } catch (StoreLockedException e) {
        // Allowed: not every backend can be opened twice in one process.
      }
      BackendFixture.assertHolds(writer, fixture.entries(), "writer");
      assertThrows(
          StoreLockedException.class,
          () -> contract.provider().open(fixture.path(), BackendFixture.EXISTING).close(),
          "the writer still holds its lock");
    }
    before = FileListing.fingerprint(directory); // The writer may tidy up when it closes.
  }
}
