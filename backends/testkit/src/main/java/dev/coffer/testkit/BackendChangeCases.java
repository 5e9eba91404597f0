package dev.coffer.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.coffer.vfs.Durability;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.PackedChunk;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Commits that replace, delete, move and copy. What each leaves is compared as a whole after the
 * test, once more after closing and opening.
 */
abstract class BackendChangeCases extends FreshBackendCases {

  BackendChangeCases(BackendContract contract) {
    super(contract);
  }

  private Given make(Shape shape, long seed) throws StoreException {
    return shape.make(backend(), seed);
  }

  @ParameterizedTest
  @EnumSource
  void replacesContentOfEveryShape(Shape shape) throws StoreException {
    for (Shape before : Shape.values()) {
      begin().file("/" + before, make(before, before.seed())).commit();
    }
    fixture().check();
    CommitBuilder replacing = begin();
    for (Shape before : Shape.values()) {
      if (before != Shape.DEEP) {
        replacing.file("/" + before, make(shape, 100 + before.seed()));
      }
    }
    replacing.commit();
    fixture().check();
    begin().file("/" + shape, make(shape, 7)).commit();
  }

  @ParameterizedTest
  @EnumSource
  void deletesContentOfEveryShape(Shape shape) throws StoreException {
    begin().file("/a", make(shape, 1)).file("/b", make(shape, 2)).commit();
    begin().delete("/a").commit();
    fixture().reopenIfKept();
    begin().delete("/b").commit();
    assertEquals(0, backend().stats().entries());
  }

  @ParameterizedTest
  @EnumSource
  void movesContentOfEveryShape(Shape shape) throws StoreException {
    begin().file("/from", make(shape, 1)).commit();
    begin().move("/from", "/to").commit();
    fixture().check();
    fixture().reopenIfKept();
    begin().move("/to", "/dir/deeper/to").commit();
    fixture().check();
    begin().small("/in the way").commit();
    begin().move("/dir/deeper/to", "/in the way").commit();
  }

  @ParameterizedTest
  @EnumSource
  void swapsContentOfEveryShape(Shape shape) throws StoreException {
    begin().file("/a", make(shape, 1)).file("/b", make(Shape.SMALL, 2)).commit();
    begin().move("/a", "/b").move("/b", "/a").commit();
    fixture().check();
    fixture().reopenIfKept();
    begin().move("/a", "/b").move("/b", "/a").commit();
  }

  @ParameterizedTest
  @EnumSource
  void rotatesAChainAtOnce(Shape shape) throws StoreException {
    begin()
        .file("/1", make(shape, 1))
        .file("/2", make(shape, 2))
        .file("/3", make(Shape.TINY, 3))
        .commit();
    begin().move("/1", "/2").move("/2", "/3").move("/3", "/4").commit();
    fixture().check();
    begin().move("/2", "/1").move("/3", "/2").delete("/4").commit();
  }

  @ParameterizedTest
  @EnumSource
  void copiesShareContentUntilTheLastIsGone(Shape shape) throws StoreException {
    begin().file("/a", make(shape, 1)).commit();
    begin().copy("/a", "/b").copy("/a", "/c").commit();
    fixture().check();
    begin().delete("/a").commit();
    fixture().check();
    fixture().reopenIfKept();
    begin().file("/b", make(Shape.SMALL, 9)).commit();
    fixture().check();
    begin().copy("/c", "/d").delete("/c").commit();
    fixture().compact();
    fixture().check();
    begin().delete("/d").commit();
  }

  @ParameterizedTest
  @EnumSource
  void copiesAndReplacesTheSourceAtOnce(Shape shape) throws StoreException {
    begin().file("/a", make(shape, 1)).commit();
    begin().copy("/a", "/kept").file("/a", make(shape, 2)).commit();
    fixture().check();
    begin().copy("/kept", "/a").file("/kept", make(shape, 3)).commit();
  }

  @ParameterizedTest
  @EnumSource
  void changesAttributesWithoutTouchingContent(Shape shape) throws StoreException {
    begin().file("/a", make(shape, 1)).commit();
    begin().attributes("/a", CommitBuilder.attributes().withMode(0600)).commit();
    fixture().check();
    fixture().reopenIfKept();
    begin().attributes("/a", CommitBuilder.attributes().withOwner("me", null)).commit();
  }

  @ParameterizedTest
  @EnumSource
  void putsTheSameContentUnderSeveralKeysAtOnce(Shape shape) throws StoreException {
    Given given = make(shape, 5);
    begin().file("/a", given).file("/b", given).commit();
    fixture().check();
    begin().delete("/a").commit();
  }

  @Test
  void membersOfAClusterLiveAndDieAlone() throws StoreException {
    PackedChunk cluster = Chunks.packed(1, 3000, 10_000);
    long id = backend().stage(List.of(cluster))[0];
    CommitBuilder commit = begin();
    for (int i = 0; i < 10; i++) {
      commit.file("/member" + i, Given.member(cluster, id, i * 1000, 1000));
    }
    commit.commit();
    for (int i = 0; i < 10; i++) {
      begin().delete("/member" + i).commit();
      fixture().check();
      if (i == 5) {
        fixture().compact();
        fixture().reopenIfKept();
      }
    }
  }

  @Test
  void kindsMayChange() throws StoreException {
    begin().small("/x").commit();
    begin().directory("/x").commit();
    fixture().check();
    begin().link("/x", "elsewhere").commit();
    fixture().check();
    begin().file("/x", make(Shape.TABLE, 1)).commit();
    fixture().check();
    begin().link("/x", "back").commit();
  }

  @Test
  void aDirectoryMovesWithAllBelow() throws StoreException {
    CommitBuilder commit = begin().directory("/from").directory("/from/sub").link("/from/l", "x");
    for (Shape shape : Shape.values()) {
      commit.file("/from/sub/" + shape, make(shape, shape.seed()));
    }
    commit.commit();
    CommitBuilder move = begin();
    for (EntryKey key : fixture().snapshot().keySet()) {
      move.move(key.path(), key.path().replace("/from", "/to/where"));
    }
    move.commit();
  }

  @ParameterizedTest
  @EnumSource
  void everyDurabilityIsVisibleAtReturn(Durability durability) throws StoreException {
    for (int i = 0; i < 5; i++) {
      begin().small("/f" + i).small("/same" + (i % 2)).commit(durability);
      Entry entry = Objects.requireNonNull(backend().lookup(EntryKey.of("/f" + i)));
      assertEquals(i + 1, entry.version());
      assertEquals(i + 1, backend().sequence());
      fixture().check();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100, 5000})
  void commitsOfManyChangesAreOne(int count) throws StoreException {
    CommitBuilder create = begin();
    for (int i = 0; i < count; i++) {
      create.small("/d" + i % 10 + "/" + i);
    }
    create.commit();
    assertEquals(1, backend().sequence());
    fixture().check();
    CommitBuilder change = begin();
    for (int i = 0; i < count; i += 2) {
      change.delete("/d" + i % 10 + "/" + i);
      change.small("/new/" + i);
    }
    change.commit();
  }

  @Test
  void anEmptyCommitCounts() throws StoreException {
    begin().commit();
    begin().commit(Durability.SYNC);
    assertEquals(2, backend().sequence());
  }

  @Test
  void keysThatComeAndGoManyTimesEndRight() throws StoreException {
    for (int i = 0; i < 60; i++) {
      CommitBuilder commit = begin();
      if (i % 3 == 2) {
        commit.delete("/x").small("/y");
      } else {
        commit.file("/x", Given.inline(Chunks.raw(i, 10 + i)));
        if (fixture().entries().containsKey(EntryKey.of("/y"))) {
          commit.delete("/y");
        }
      }
      commit.commit();
    }
    assertEquals(60, backend().sequence());
  }
}
