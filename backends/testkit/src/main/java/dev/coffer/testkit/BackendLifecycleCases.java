package dev.coffer.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.coffer.vfs.Durability;
import dev.coffer.vfs.StoreClosedException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.ChunkBuffer;
import dev.coffer.vfs.spi.Commit;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.ScanRange;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Closing, opening again, forcing, and being interrupted. */
abstract class BackendLifecycleCases extends FreshBackendCases {

  BackendLifecycleCases(BackendContract contract) {
    super(contract);
  }

  @ParameterizedTest
  @EnumSource
  void closeKeepsEveryCommit(Durability durability) throws StoreException {
    assumeTrue(contract().outlivesClose());
    for (int i = 0; i < 4; i++) {
      begin()
          .file("/" + i, Shape.ALL.get(i * 2).make(backend(), i))
          .property("round", "" + i)
          .commit(durability);
      fixture().reopen();
      assertEquals(i + 1, backend().sequence());
    }
  }

  @Test
  void forceMayComeAnyTime() throws StoreException {
    backend().force();
    begin().small("/a").commit(Durability.BUFFERED);
    backend().force();
    backend().force();
    begin().file("/b", Shape.TABLE.make(backend(), 1)).commit(Durability.PROCESS);
    backend().force();
    fixture().check();
  }

  @Test
  void sequencesGoOnAfterOpening() throws StoreException {
    assumeTrue(contract().outlivesClose());
    for (int i = 1; i <= 6; i++) {
      begin().small("/f" + i % 2).commit();
      if (i % 2 == 0) {
        fixture().reopen();
      }
      Entry entry = Objects.requireNonNull(backend().lookup(EntryKey.of("/f" + i % 2)));
      assertEquals(i, entry.version());
      assertEquals(i, backend().sequence());
    }
  }

  @Test
  void deletingEverythingLeavesAnEmptyStore() throws StoreException {
    CommitBuilder commit = begin();
    for (Shape shape : Shape.values()) {
      commit.file("/" + shape, shape.make(backend(), shape.seed()));
    }
    commit.property("p", "v").commit();
    CommitBuilder deleting = begin();
    for (Shape shape : Shape.values()) {
      deleting.delete("/" + shape);
    }
    deleting.property("p", "").commit();
    assertEquals(0, backend().stats().entries());
    fixture().reopenIfKept();
    assertEquals(List.of(), backend().scan(ScanRange.ALL, null, 10));
  }

  /** A call on a backend, with what it needs prepared before the backend closes. */
  private interface Call {
    void on(Backend backend, Commit commit, Content content) throws StoreException;
  }

  static Stream<Named<Call>> calls() {
    return Stream.of(
        call("lookup", (b, commit, content) -> b.lookup(EntryKey.of("/a"))),
        call("scan", (b, commit, content) -> b.scan(ScanRange.ALL, null, 10)),
        call("readChunk", (b, commit, content) -> b.readChunk(1, new ChunkBuffer())),
        call("dictionary", (b, commit, content) -> b.dictionary(1)),
        call("properties", (b, commit, content) -> b.properties()),
        call("stage", (b, commit, content) -> b.stage(List.of(Chunks.raw(1, 10)))),
        call("commit", (b, commit, content) -> b.commit(commit, Durability.BUFFERED)),
        call("commit SYNC", (b, commit, content) -> b.commit(commit, Durability.SYNC)),
        call("force", (b, commit, content) -> b.force()),
        call("openView", (b, commit, content) -> b.openView()),
        call("pin", (b, commit, content) -> b.pin(content)),
        call("verify", (b, commit, content) -> b.verify(problem -> {})),
        call("verifyEntries", (b, commit, content) -> b.verifyEntries(problem -> {})),
        call("compact", (b, commit, content) -> b.compact(1000)),
        call("stats", (b, commit, content) -> b.stats()));
  }

  private static Named<Call> call(String name, Call call) {
    return Named.of(name, call);
  }

  @ParameterizedTest
  @MethodSource("calls")
  void aClosedStoreSaysSo(Call call) throws StoreException {
    begin().file("/a", Shape.CHUNK.make(backend(), 1)).commit();
    Backend closed = backend();
    Content content = Objects.requireNonNull(closed.lookup(EntryKey.of("/a"))).content();
    Commit commit = begin().small("/b").build();
    fixture().check();
    closed.close();
    assertClosed(() -> call.on(closed, commit, content));
    closed.close();
    closed.close();
    assertClosed(() -> call.on(closed, commit, content));
    fixture().openAgain();
  }

  private static void assertClosed(Executable executable) {
    assertThrows(StoreClosedException.class, executable);
  }

  @Test
  void anInterruptedThreadCommitsAndReads() throws StoreException {
    begin().small("/before").commit();
    Thread.currentThread().interrupt();
    try {
      for (Durability durability : Durability.values()) {
        begin()
            .file("/" + durability, Shape.TABLE.make(backend(), durability.name().length()))
            .file("/inline" + durability, Shape.SMALL.make(backend(), durability.name().length()))
            .commit(durability);
        assertTrue(Thread.currentThread().isInterrupted(), "the flag stays set");
      }
      fixture().check();
      backend().force();
      fixture().compact();
      backend().openView().close();
      assertTrue(Thread.currentThread().isInterrupted(), "the flag stays set");
    } finally {
      assertTrue(Thread.interrupted());
    }
    fixture().check();
    begin().small("/after").commit(Durability.SYNC);
  }

  @Test
  void anInterruptedThreadOpensAndCloses() throws StoreException {
    assumeTrue(contract().outlivesClose());
    begin().small("/a").commit();
    Thread.currentThread().interrupt();
    try {
      fixture().reopen();
      begin().small("/b").commit(Durability.SYNC);
      fixture().reopen();
      assertTrue(Thread.currentThread().isInterrupted(), "the flag stays set");
    } finally {
      assertTrue(Thread.interrupted());
    }
    begin().small("/c").commit();
    assertFalse(backend().isReadOnly());
  }

  @Test
  void storesSideBySideDoNotMix(@TempDir Path other) throws StoreException {
    try (BackendFixture second = new BackendFixture(contract(), other)) {
      begin().small("/only in the first").commit();
      second.begin().small("/only in the second").commit();
      second.begin().file("/table", Shape.TABLE.make(second.backend(), 1)).commit();
      fixture().check();
      second.check();
    }
  }
}
