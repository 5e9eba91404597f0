package dev.coffer.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.ChunkBuffer;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.PackedChunk;
import dev.coffer.vfs.spi.ScanRange;
import dev.coffer.vfs.spi.TablePage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Staged content: unseen until named, swept if it never is, under ids that never come back. */
abstract class BackendStagingCases extends FreshBackendCases {

  BackendStagingCases(BackendContract contract) {
    super(contract);
  }

  private static List<PackedChunk> chunks(int count) {
    List<PackedChunk> chunks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      chunks.add(Chunks.packed(i, 100 + i, 4096));
    }
    return chunks;
  }

  private static Content.Chunk content(PackedChunk chunk, long id) {
    return (Content.Chunk) Given.member(chunk, id, 0, chunk.plainLength()).content();
  }

  @Test
  void isInvisible() throws StoreException {
    begin().small("/a").commit();
    backend().stage(chunks(20));
    Shape.TABLE.make(backend(), 1);
    assertEquals(1, backend().sequence());
    assertEquals(1, Stored.scan(backend(), ScanRange.ALL, 10).size());
    fixture().check();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 100, 1000})
  void answersOneIdForEach(int count) throws StoreException {
    long[] ids = backend().stage(chunks(count));
    assertEquals(count, ids.length);
    Set<Long> distinct = new HashSet<>();
    for (long id : ids) {
      assertTrue(id > 0, "ids are positive");
      assertTrue(distinct.add(id), "ids are distinct");
    }
  }

  @Test
  void idsAreNeverUsedAgain() throws StoreException {
    Set<Long> used = new HashSet<>();
    for (int round = 0; round < 4; round++) {
      List<PackedChunk> staged = chunks(10);
      long[] ids = backend().stage(staged);
      for (long id : ids) {
        assertTrue(used.add(id), "id used again: round=" + round + " id=" + id);
      }
      CommitBuilder commit = begin();
      for (int i = 0; i < 5; i++) {
        commit.file("/f" + i, Given.member(staged.get(i), ids[i], 0, 4096));
      }
      commit.commit();
      fixture().reopenIfKept();
      begin().delete("/f0").delete("/f1").commit();
      fixture().compact();
      if (round == 1) {
        begin().delete("/f2").delete("/f3").delete("/f4").commit();
        fixture().compact();
      }
      fixture().reopenIfKept();
    }
  }

  @Test
  void idsAreNotUsedAgainThoughNothingWasCommitted() throws StoreException {
    long[] first = backend().stage(chunks(3));
    assertUnused(first);
    begin().file("/a", Given.chunk(backend(), Chunks.raw(1, 99))).commit();
    begin().delete("/a").commit();
    assertUnused(first);
  }

  private void assertUnused(long[] before) throws StoreException {
    Set<Long> used = new HashSet<>();
    for (long id : before) {
      used.add(id);
    }
    for (long id : backend().stage(chunks(5))) {
      assertFalse(used.contains(id), "id used again: id=" + id);
    }
  }

  @Test
  void whatNoCommitNamedIsGoneAfterOpening() throws StoreException {
    assumeTrue(contract().outlivesClose());
    List<PackedChunk> staged = chunks(10);
    long[] ids = backend().stage(staged);
    begin().file("/kept", Given.member(staged.get(4), ids[4], 0, 4096)).commit();
    fixture().reopen();
    for (int i = 0; i < ids.length; i++) {
      assertEquals(i == 4, backend().readChunk(ids[i], new ChunkBuffer()), "chunk " + i);
      if (i != 4) {
        assertNull(backend().pin(content(staged.get(i), ids[i])));
      }
    }
  }

  @Test
  void whatOnlyAnOrphanedPageNamesIsGoneToo() throws StoreException {
    assumeTrue(contract().outlivesClose());
    List<PackedChunk> leaves = Shape.leaves(1, 3);
    long[] ids = backend().stage(leaves);
    byte[] page =
        TablePage.encode(ids, leaves.stream().mapToInt(PackedChunk::checksum).toArray(), 3);
    long root = backend().stage(List.of(PackedChunk.of(true, 0, 0, page.length, page)))[0];
    fixture().reopen();
    assertFalse(backend().readChunk(root, new ChunkBuffer()));
    for (long id : ids) {
      assertFalse(backend().readChunk(id, new ChunkBuffer()));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"CHUNK", "MEMBER", "TABLE", "SPARSE", "DEEP"})
  void whatNoEntryNamesAnyMoreIsGoneAfterOpening(Shape shape) throws StoreException {
    assumeTrue(contract().outlivesClose());
    Given given = shape.make(backend(), 3);
    long id =
        given.content() instanceof Content.Table table
            ? table.rootId()
            : ((Content.Chunk) given.content()).id();
    begin().file("/a", given).file("/b", given).commit();
    begin().delete("/a").commit();
    fixture().reopen();
    assertTrue(backend().readChunk(id, new ChunkBuffer()), "one entry is left");
    begin().file("/b", Given.inline(Chunks.raw(1, 10))).commit();
    fixture().reopen();
    assertFalse(backend().readChunk(id, new ChunkBuffer()), "no entry is left");
    assertNull(backend().pin(given.content()));
  }

  @Test
  void pagesMayShareChildren() throws StoreException {
    List<PackedChunk> leaves = Shape.leaves(1, 3);
    Given first = Given.table(backend(), leaves, 4096, 100);
    begin().file("/old", first).commit();
    long firstRoot = ((Content.Table) first.content()).rootId();
    ChunkBuffer page = new ChunkBuffer();
    assertTrue(backend().readChunk(firstRoot, page));
    byte[] old = page.toChunk().bytes();
    PackedChunk changed = Chunks.packed(77, 30, 4096);
    long[] ids = {TablePage.id(old, 0), backend().stage(List.of(changed))[0], TablePage.id(old, 2)};
    int[] checksums = {leaves.get(0).checksum(), changed.checksum(), leaves.get(2).checksum()};
    byte[] bytes = TablePage.encode(ids, checksums, 3);
    PackedChunk newPage = PackedChunk.of(true, 0, 0, bytes.length, bytes);
    long root = backend().stage(List.of(newPage))[0];
    long packed = bytes.length;
    for (PackedChunk leaf : List.of(leaves.get(0), changed, leaves.get(2))) {
      packed += leaf.length();
    }
    Given second =
        new Given(
            new Content.Table(root, newPage.checksum(), 4096, packed, Chunks.ZSTD),
            first.length(),
            new Body(
                List.of(
                    Body.Leaf.of(leaves.get(0)),
                    Body.Leaf.of(changed),
                    Body.Leaf.of(leaves.get(2))),
                0,
                4096));
    begin().file("/new", second).commit();
    fixture().check();
    begin().delete("/old").commit();
    fixture().compact();
    fixture().check();
    fixture().reopenIfKept();
    assertEquals(
        fixture().stored("/new"),
        Stored.read(backend(), Objects.requireNonNull(backend().lookup(EntryKey.of("/new")))));
    begin().delete("/new").commit();
  }

  @Test
  void mayHappenBetweenCommits() throws StoreException {
    Given early = Shape.CHUNK.make(backend(), 1);
    Given table = Shape.TABLE.make(backend(), 2);
    for (int i = 0; i < 5; i++) {
      begin().small("/other" + i).commit();
    }
    fixture().compact();
    begin().file("/table", table).commit();
    begin().file("/early", early).commit();
  }

  @Test
  void anUnknownIdIsNotThere() throws StoreException {
    assertFalse(backend().readChunk(987_654_321, new ChunkBuffer()));
    assertFalse(backend().readChunk(Long.MAX_VALUE, new ChunkBuffer()));
    assertNull(backend().pin(content(Chunks.raw(1, 10), 987_654_321)));
  }
}
