package dev.coffer.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.vfs.Durability;
import dev.coffer.vfs.EntryExistsException;
import dev.coffer.vfs.NoSuchEntryException;
import dev.coffer.vfs.NotADirectoryException;
import dev.coffer.vfs.PathException;
import dev.coffer.vfs.StoreClosedException;
import dev.coffer.vfs.VersionMismatchException;
import dev.coffer.vfs.WriteBatch;
import dev.coffer.vfs.WriteOption;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Batches: all or nothing, checked in order, properties, and versions demanded. */
abstract class StoreBatchCases extends StoreCases {

  StoreBatchCases(StoreContract contract) {
    super(contract);
  }

  @ParameterizedTest
  @EnumSource
  void everythingHappensTogether(Durability durability) throws IOException {
    write("/old", "old");
    store().write("/moved", mixed(3, 20_000));
    long before = store().stats().sequence();
    try (WriteBatch batch = store().newBatch()) {
      batch.write("/a", text("a"));
      batch.write("/large", mixed(1, 30_000));
      batch.write("/streamed", new ByteArrayInputStream(mixed(2, 9000)), null);
      batch.createSymbolicLink("/link", "a", null);
      batch.createDirectories("/dir/sub");
      batch.delete("/old");
      batch.move("/moved", "/dir/moved");
      batch.copy("/dir/moved", "/copied");
      batch.setAttributes("/a", CommitBuilder.attributes());
      batch.setProperty("note", "value");
      assertEquals(List.of("/", "/moved", "/old"), paths(), "nothing is visible yet");
      assertTrue(batch.packedBytes() > 0);
      assertEquals(before + 1, batch.commit(durability));
    }
    assertEquals(before + 1, store().stats().sequence());
    assertEquals(
        List.of(
            "/", "/a", "/copied", "/dir", "/large", "/link", "/streamed", "/dir/moved", "/dir/sub"),
        paths());
    assertContent(mixed(3, 20_000), "/copied");
    assertContent(mixed(1, 30_000), "/large");
    assertContent(mixed(2, 9000), "/streamed");
    assertEquals(CommitBuilder.attributes(), store().stat("/a").attributes());
    assertEquals("{note=value}", store().properties().toString());
  }

  @Test
  void laterChangesSeeEarlierOnes() throws IOException {
    try (WriteBatch batch = store().newBatch()) {
      batch.write("/d/a", text("first"));
      batch.write("/d/a", text("second"), WriteOption.MUST_EXIST);
      batch.copy("/d/a", "/d/b");
      batch.write("/d/a", mixed(1, 20_000));
      batch.move("/d", "/e");
      batch.delete("/e/a");
      batch.write("/e/a", text("third"), WriteOption.CREATE_NEW);
      batch.createDirectories("/f");
      batch.delete("/f");
      batch.write("/f", text("a file now"));
      batch.commit();
    }
    assertEquals(List.of("/", "/e", "/f", "/e/a", "/e/b"), paths());
    assertContent("second", "/e/b");
    assertContent("third", "/e/a");
    assertContent("a file now", "/f");
  }

  /** The one change of a batch that does not hold. */
  @FunctionalInterface
  private interface Step {
    void in(WriteBatch batch) throws IOException;
  }

  static Stream<Named<Step>> failingSteps() {
    return Stream.of(
        Named.of("delete nothing", b -> b.delete("/nothing")),
        Named.of("delete twice", b -> b.delete("/a")),
        Named.of("delete a full directory", b -> b.delete("/dir")),
        Named.of("move nothing", b -> b.move("/nothing", "/x")),
        Named.of("move onto", b -> b.move("/dir", "/kept")),
        Named.of("move below itself", b -> b.move("/dir", "/dir/x")),
        Named.of("copy onto", b -> b.copy("/kept", "/dir/file")),
        Named.of("write a directory", b -> b.write("/dir", new byte[10])),
        Named.of("write below a file", b -> b.write("/kept/x", new byte[10])),
        Named.of("write what is there", b -> b.write("/kept", new byte[1], WriteOption.CREATE_NEW)),
        Named.of("write what is not", b -> b.write("/no", new byte[1], WriteOption.MUST_EXIST)),
        Named.of("write large", b -> b.write("/dir", new byte[50_000])),
        Named.of("link onto", b -> b.createSymbolicLink("/dir", "x", null)),
        Named.of("directory onto", b -> b.createDirectories("/kept")),
        Named.of("attributes", b -> b.setAttributes("/no", CommitBuilder.attributes())),
        Named.of("version of nothing", b -> b.requireVersion("/no", 1)),
        Named.of("nothing, but something", b -> b.requireVersion("/kept", 0)));
  }

  @ParameterizedTest
  @MethodSource("failingSteps")
  void oneThatFailsFailsAll(Step step) throws IOException {
    write("/a", "a");
    write("/kept", "kept");
    write("/dir/file", "file");
    long sequence = store().stats().sequence();
    assertRefused(
        PathException.class,
        () -> {
          try (WriteBatch batch = store().newBatch()) {
            batch.delete("/a");
            batch.write("/before", text("x"));
            batch.write("/large", mixed(1, 20_000));
            batch.setProperty("note", "value");
            step.in(batch);
            batch.write("/after", text("x"));
            batch.commit();
          }
        });
    assertEquals(sequence, store().stats().sequence());
    assertTrue(store().properties().isEmpty());
    assertContent("a", "/a");
  }

  @Test
  void anAbandonedBatchDoesNothing() throws IOException {
    try (WriteBatch batch = store().newBatch()) {
      batch.write("/a", text("x"));
      batch.write("/large", mixed(1, 20_000));
    }
    assertEquals(List.of("/"), paths());
    assertEquals(0, store().stats().sequence());
  }

  @Test
  void aBatchEndsOnce() throws IOException {
    WriteBatch committed = store().newBatch();
    committed.write("/a", text("x"));
    committed.commit();
    assertThrows(StoreClosedException.class, () -> committed.write("/b", text("y")));
    assertThrows(StoreClosedException.class, committed::commit);
    committed.close();
    committed.close();
    WriteBatch failed = store().newBatch();
    failed.delete("/nothing");
    assertThrows(NoSuchEntryException.class, failed::commit);
    assertThrows(StoreClosedException.class, failed::commit);
    WriteBatch closed = store().newBatch();
    closed.close();
    assertThrows(StoreClosedException.class, () -> closed.delete("/a"));
    assertThrows(StoreClosedException.class, closed::commit);
    assertEquals(List.of("/", "/a"), paths());
  }

  @Test
  void anEmptyBatchChangesNothing() throws IOException {
    write("/a", "x");
    long sequence = store().stats().sequence();
    for (Durability durability : Durability.values()) {
      try (WriteBatch batch = store().newBatch()) {
        assertEquals(sequence, batch.commit(durability));
      }
    }
  }

  @Test
  void versionsAreDemanded() throws IOException {
    write("/a", "x");
    long version = store().stat("/a").version();
    try (WriteBatch batch = store().newBatch()) {
      batch.requireVersion("/a", version);
      batch.requireVersion("/new", 0);
      batch.write("/a", text("y"));
      batch.write("/new", text("y"));
      batch.commit();
    }
    assertContent("y", "/a");
    assertRefused(
        VersionMismatchException.class,
        () -> {
          try (WriteBatch batch = store().newBatch()) {
            batch.requireVersion("/a", version);
            batch.write("/a", text("lost update"));
            batch.commit();
          }
        });
    try (WriteBatch batch = store().newBatch()) {
      batch.requireVersion("/a", store().stat("/a").version());
      batch.delete("/a");
      write("/a", "meanwhile");
      assertThrows(VersionMismatchException.class, batch::commit);
    }
    assertContent("meanwhile", "/a");
  }

  @Test
  void preconditionsHoldAtCommitNotBefore() throws IOException {
    try (WriteBatch batch = store().newBatch()) {
      batch.write("/a", text("batch"), WriteOption.CREATE_NEW);
      write("/a", "meanwhile");
      assertThrows(EntryExistsException.class, batch::commit);
    }
    try (WriteBatch batch = store().newBatch()) {
      batch.write("/d/x", text("batch"));
      write("/d", "a file");
      assertThrows(NotADirectoryException.class, batch::commit);
    }
    try (WriteBatch batch = store().newBatch()) {
      batch.delete("/later");
      write("/later", "x");
      batch.commit();
    }
    assertFalse(store().exists("/later"));
  }

  @Test
  void largeBatchesAreStaged() throws IOException {
    int files = 60;
    try (WriteBatch batch = store().newBatch()) {
      for (int i = 0; i < files; i++) {
        for (int j = 0; j < 60; j++) {
          batch.write("/f" + i + "/" + j, Chunks.bytes(i * 1000L + j, 3000));
        }
      }
      assertTrue(batch.packedBytes() > 10_000_000);
      batch.commit();
    }
    for (int i = 0; i < files; i += 7) {
      assertContent(Chunks.bytes(i * 1000L + 5, 3000), "/f" + i + "/5");
    }
    store().deleteRecursively("/f1");
    store().compact();
    assertContent(Chunks.bytes(2059, 3000), "/f2/59");
  }

  @Test
  void propertiesAreSetAndDeleted() throws IOException {
    try (WriteBatch batch = store().newBatch()) {
      batch.setProperty("a", "1");
      batch.setProperty("b", "\u00e9\n");
      batch.setProperty("b", "2");
      batch.commit();
    }
    assertEquals("{a=1, b=2}", store().properties().toString());
    try (WriteBatch batch = store().newBatch()) {
      batch.setProperty("a", "");
      batch.commit();
    }
    assertEquals("{b=2}", store().properties().toString());
  }
}
