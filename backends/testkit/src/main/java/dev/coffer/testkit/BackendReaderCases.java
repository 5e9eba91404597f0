package dev.coffer.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.coffer.codecs.Dictionary;
import dev.coffer.vfs.StoreClosedException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.ChunkBuffer;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.Pin;
import dev.coffer.vfs.spi.ScanRange;
import dev.coffer.vfs.spi.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Views keep a whole moment readable, pins one content, whatever is committed meanwhile. */
abstract class BackendReaderCases extends FreshBackendCases {

  BackendReaderCases(BackendContract contract) {
    super(contract);
  }

  private Entry entry(String path) throws StoreException {
    return Objects.requireNonNull(backend().lookup(EntryKey.of(path)), path);
  }

  private void putEveryShape(int seed) throws StoreException {
    CommitBuilder commit = begin();
    for (Shape shape : Shape.values()) {
      commit.file("/" + shape, shape.make(backend(), seed + shape.seed()));
    }
    commit.commit();
  }

  private void deleteEveryShape() throws StoreException {
    CommitBuilder commit = begin();
    for (Shape shape : Shape.values()) {
      commit.delete("/" + shape);
    }
    commit.commit();
  }

  @Test
  void aViewOfAnEmptyStoreStaysEmpty() throws StoreException {
    try (View view = backend().openView()) {
      putEveryShape(1);
      assertEquals(0, view.sequence());
      assertEquals(List.of(), view.scan(ScanRange.ALL, null, 10));
      assertNull(view.lookup(EntryKey.of("/TINY")));
    }
  }

  @Test
  void aViewSeesItsOwnMomentOnly() throws StoreException {
    putEveryShape(1);
    begin().small("/moved").property("p", "old").commit();
    SortedMap<EntryKey, Stored> then = fixture().snapshot();
    try (View view = backend().openView()) {
      BackendFixture.assertHolds(view, then, "new view");
      putEveryShape(100);
      BackendFixture.assertHolds(view, then, "after replacing");
      begin().move("/moved", "/TINY").property("p", "new").property("q", "x").commit();
      deleteEveryShape();
      BackendFixture.assertHolds(view, then, "after deleting");
      fixture().compact();
      BackendFixture.assertHolds(view, then, "after compacting");
      assertEquals(2, view.sequence());
      assertEquals("{p=old}", view.properties().toString());
      for (EntryKey key : then.keySet()) {
        Entry entry = Objects.requireNonNull(view.lookup(key));
        assertEquals(then.get(key), Stored.read(view, entry));
      }
    }
  }

  @Test
  void severalViewsSeeTheirOwnMoments() throws StoreException {
    List<View> views = new ArrayList<>();
    List<SortedMap<EntryKey, Stored>> moments = new ArrayList<>();
    try {
      for (int i = 0; i < 6; i++) {
        begin().file("/same", Shape.ALL.get(1 + i).make(backend(), i)).small("/only" + i).commit();
        if (i > 0) {
          begin().delete("/only" + (i - 1)).commit();
        }
        views.add(backend().openView());
        moments.add(fixture().snapshot());
      }
      fixture().compact();
      for (int i : new int[] {3, 0, 5, 1}) {
        BackendFixture.assertHolds(views.get(i), moments.get(i), "view " + i);
        views.get(i).close();
        begin().small("/after" + i).commit();
      }
      BackendFixture.assertHolds(views.get(2), moments.get(2), "view 2");
      BackendFixture.assertHolds(views.get(4), moments.get(4), "view 4");
    } finally {
      for (View view : views) {
        view.close();
      }
    }
  }

  @Test
  void aViewHasTheDictionariesOfItsMoment() throws StoreException {
    Dictionary dictionary = Dictionary.of(Chunks.bytes(3, 500));
    begin().dictionary(dictionary).commit();
    try (View view = backend().openView()) {
      assertEquals(dictionary.id(), Objects.requireNonNull(view.dictionary(dictionary.id())).id());
    }
  }

  @Test
  void aClosedViewIsClosed() throws StoreException {
    begin().small("/a").commit();
    View view = backend().openView();
    view.close();
    view.close();
    assertClosed(view);
  }

  @Test
  void viewsEndWithTheStore() throws StoreException {
    assumeTrue(contract().outlivesClose());
    begin().small("/a").commit();
    View view = backend().openView();
    fixture().reopen();
    assertClosed(view);
    view.close();
  }

  private static void assertClosed(View view) {
    assertThrows(StoreClosedException.class, () -> view.lookup(EntryKey.of("/a")));
    assertThrows(StoreClosedException.class, () -> view.scan(ScanRange.ALL, null, 10));
    assertThrows(StoreClosedException.class, () -> view.readChunk(1, new ChunkBuffer()));
    assertThrows(StoreClosedException.class, () -> view.dictionary(1));
    assertThrows(StoreClosedException.class, view::properties);
  }

  @ParameterizedTest
  @EnumSource
  void aPinOutlivesReplacement(Shape shape) throws StoreException {
    begin().file("/a", shape.make(backend(), 1)).commit();
    Entry old = entry("/a");
    Stored then = fixture().stored("/a");
    try (Pin pin = Objects.requireNonNull(backend().pin(old.content()))) {
      begin().file("/a", Given.inline(Chunks.raw(5, 50))).commit();
      assertEquals(then, Stored.read(backend(), old), () -> "after replacing: " + pin);
      fixture().compact();
      assertEquals(then, Stored.read(backend(), old), "after compacting");
      begin().delete("/a").commit();
      begin().small("/b").commit();
      fixture().compact();
      assertEquals(then, Stored.read(backend(), old), "after deleting");
    }
    fixture().compact();
  }

  @ParameterizedTest
  @EnumSource
  void aPinOutlivesDeletionAndOtherPins(Shape shape) throws StoreException {
    begin().file("/a", shape.make(backend(), 1)).commit();
    Entry old = entry("/a");
    Stored then = fixture().stored("/a");
    Pin first = Objects.requireNonNull(backend().pin(old.content()));
    try (Pin second = Objects.requireNonNull(backend().pin(old.content()))) {
      begin().delete("/a").commit();
      first.close();
      first.close();
      fixture().compact();
      assertEquals(then, Stored.read(backend(), old), () -> "one pin is left: " + second);
    }
    begin().small("/b").commit();
  }

  @ParameterizedTest
  @EnumSource
  void aPinOfWhatMayBeGoneIsNullOrHolds(Shape shape) throws StoreException {
    begin().file("/a", shape.make(backend(), 1)).commit();
    Entry old = entry("/a");
    Stored then = fixture().stored("/a");
    begin().delete("/a").commit();
    fixture().compact();
    Pin pin = backend().pin(old.content());
    if (pin != null) {
      try (pin) {
        begin().small("/b").commit();
        fixture().compact();
        assertEquals(then, Stored.read(backend(), old), "a pin that was given holds");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"CHUNK", "MEMBER", "TABLE"})
  void pinnedContentMayBeNamedAgain(Shape shape) throws StoreException {
    Given given = shape.make(backend(), 1);
    begin().file("/a", given).commit();
    try (Pin pin = Objects.requireNonNull(backend().pin(given.content()))) {
      begin().delete("/a").commit();
      fixture().compact();
      begin().file("/b", given).commit();
      assertEquals(
          fixture().stored("/b"), Stored.read(backend(), entry("/b")), () -> "pinned: " + pin);
    }
    fixture().compact();
  }

  @Test
  void pinsEndWithTheStore() throws StoreException {
    assumeTrue(contract().outlivesClose());
    begin().file("/a", Shape.CHUNK.make(backend(), 1)).commit();
    Pin pin = Objects.requireNonNull(backend().pin(entry("/a").content()));
    begin().delete("/a").commit();
    fixture().reopen();
    pin.close();
    pin.close();
  }

  @Test
  void anOpenViewDoesNotStopClosing() throws StoreException {
    assumeTrue(contract().outlivesClose());
    putEveryShape(1);
    View view = backend().openView();
    putEveryShape(50);
    fixture().reopen();
    view.close();
  }
}
