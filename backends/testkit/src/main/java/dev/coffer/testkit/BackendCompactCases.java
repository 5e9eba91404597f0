package dev.coffer.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.coffer.vfs.Durability;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.BackendStats;
import dev.coffer.vfs.spi.CompactStep;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.View;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compaction changes no listing and no content, and gives back what dead content held. */
abstract class BackendCompactCases extends FreshBackendCases {

  BackendCompactCases(BackendContract contract) {
    super(contract);
  }

  private void put(int from, int to) throws StoreException {
    CommitBuilder commit = begin();
    for (int i = from; i < to; i++) {
      Shape shape = Shape.ALL.get(i % (Shape.ALL.size() - 1));
      commit.file("/f" + i, shape.make(backend(), i));
    }
    commit.commit();
  }

  private void delete(int from, int to, int step) throws StoreException {
    CommitBuilder commit = begin();
    for (int i = from; i < to; i += step) {
      commit.delete("/f" + i);
    }
    commit.commit();
  }

  @Test
  void anEmptyStoreCompacts() throws StoreException {
    fixture().compact();
    assertEquals(0, backend().sequence());
  }

  @Test
  void aStoreWithoutDeadContentStaysAsItIs() throws StoreException {
    put(0, 20);
    fixture().compact();
    fixture().check();
    fixture().compact();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 4096, 1 << 20, Long.MAX_VALUE})
  void anyBudgetEndsDone(long budget) throws StoreException {
    put(0, 30);
    delete(0, 30, 2);
    boolean done = false;
    for (int step = 0; step < 2000 && !done; step++) {
      CompactStep result = backend().compact(budget);
      assertTrue(result.movedBytes() >= 0, result.toString());
      done = result.done();
      if (step < 5) {
        fixture().check();
      }
    }
    assertTrue(done || budget == 0, "compaction ends");
  }

  @Test
  void roomIsGivenBack() throws StoreException {
    assumeTrue(contract().outlivesClose());
    CommitBuilder commit = begin();
    for (int i = 0; i < 60; i++) {
      commit.file("/f" + i, Given.inline(Chunks.raw(i, 100_000)));
      commit.file("/staged" + i, Given.chunk(backend(), Chunks.raw(-i, 50_000)));
    }
    commit.commit(Durability.SYNC);
    fixture().reopen();
    long full = backend().stats().fileBytes();
    assertTrue(full > 9_000_000, "fileBytes of a full store: " + full);
    CommitBuilder deleting = begin();
    for (int i = 0; i < 60; i++) {
      if (i % 10 != 0) {
        deleting.delete("/f" + i).delete("/staged" + i);
      }
    }
    deleting.commit(Durability.SYNC);
    fixture().compact();
    fixture().check();
    fixture().reopen();
    fixture().compact();
    long left = backend().stats().fileBytes();
    assertTrue(left < full / 2, "fileBytes: full=" + full + " left=" + left);
  }

  @Test
  void liveBytesFollowTheEntries() throws StoreException {
    begin().file("/a", Given.inline(Chunks.raw(1, 100_000))).commit();
    begin().file("/b", Given.inline(Chunks.raw(2, 100_000))).commit();
    BackendStats two = backend().stats();
    begin().delete("/a").commit();
    BackendStats one = backend().stats();
    assertTrue(two.fileBytes() >= 0 && one.fileBytes() >= 0);
    if (two.liveBytes() != -1) {
      assertTrue(two.liveBytes() >= 200_000, two.toString());
      assertTrue(one.liveBytes() >= 100_000 && one.liveBytes() < two.liveBytes(), one.toString());
    }
  }

  @Test
  void commitsGoOnBetweenSteps() throws StoreException {
    put(0, 40);
    for (int round = 0; round < 5; round++) {
      delete(round * 8, round * 8 + 8, 1);
      CompactStep step = backend().compact(10_000);
      put(100 + round * 8, 104 + round * 8);
      fixture().check();
      if (step.done()) {
        begin().small("/done" + round).commit();
      }
    }
    fixture().compact();
  }

  @Test
  void viewsReadOnThroughCompaction() throws StoreException {
    put(0, 24);
    SortedMap<EntryKey, Stored> then = fixture().snapshot();
    try (View view = backend().openView()) {
      delete(0, 24, 1);
      put(50, 60);
      fixture().compact();
      BackendFixture.assertHolds(view, then, "view after compaction");
    }
    fixture().compact();
  }

  @Test
  void manyRoundsOfReplacementStayBounded() throws StoreException {
    assumeTrue(contract().outlivesClose());
    for (int round = 0; round < 12; round++) {
      CommitBuilder commit = begin();
      for (int i = 0; i < 10; i++) {
        commit.file("/f" + i, Given.inline(Chunks.raw(round * 100 + i, 50_000)));
      }
      commit.commit();
      fixture().compact();
    }
    fixture().reopen();
    fixture().compact();
    long bytes = backend().stats().fileBytes();
    assertTrue(bytes < 4_000_000, "500,000 live bytes after compaction: fileBytes=" + bytes);
  }
}
