package dev.coffer.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.coffer.vfs.Durability;
import dev.coffer.vfs.Layout;
import dev.coffer.vfs.NotAStoreException;
import dev.coffer.vfs.StoreBackendException;
import dev.coffer.vfs.StoreClosedException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreExistsException;
import dev.coffer.vfs.StoreLockedException;
import dev.coffer.vfs.StoreNotFoundException;
import dev.coffer.vfs.StoreOptions;
import dev.coffer.vfs.StoreReadOnlyException;
import dev.coffer.vfs.StoreStats;
import dev.coffer.vfs.VirtualFileStore;
import dev.coffer.vfs.WriteBatch;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Opening, closing, read-only stores, durability, statistics. */
abstract class StoreLifecycleCases extends StoreCases {

  StoreLifecycleCases(StoreContract contract) {
    super(contract);
  }

  private void fill() throws IOException {
    write("/a", "a");
    store().write("/d/large", mixed(1, 50_000));
    store().createSymbolicLink("/link", "a", null);
    store().createDirectories("/empty");
    try (WriteBatch batch = store().newBatch()) {
      batch.setProperty("note", "kept");
      batch.commit();
    }
  }

  private void reopen(boolean readOnly) throws IOException {
    assumeTrue(contract().outlivesClose(), "the store ends with close");
    store().close();
    use(VirtualFileStore.open(path(), StoreContract.OPTIONS.withReadOnly(readOnly)));
  }

  @ParameterizedTest
  @EnumSource
  void aLayoutTheBackendDoesNotMakeIsRefused(Layout layout) throws IOException {
    assumeTrue(!contract().layouts().contains(layout), "the backend makes it");
    StoreOptions options =
        StoreContract.OPTIONS.withBackend(contract().backend()).withLayout(layout);
    if (!contract().outlivesClose()) {
      assertThrows(StoreBackendException.class, () -> VirtualFileStore.inMemory(options));
      return;
    }
    Path other = directory().resolve("other");
    assertThrows(StoreBackendException.class, () -> VirtualFileStore.create(other, options));
    assertThrows(StoreBackendException.class, () -> VirtualFileStore.openOrCreate(other, options));
    assertFalse(Files.exists(other));
    store().close();
    use(VirtualFileStore.openOrCreate(path(), options)); // What exists is what it is.
  }

  @Test
  void aFolderThatIsNoStoreIsRefused() throws IOException {
    Path folder = Files.createDirectory(directory().resolve("folder"));
    Files.createFile(folder.resolve("lock"));
    for (boolean readOnly : new boolean[] {true, false}) {
      StoreOptions options = StoreContract.OPTIONS.withReadOnly(readOnly);
      assertThrows(NotAStoreException.class, () -> VirtualFileStore.open(folder, options));
      assertThrows(NotAStoreException.class, () -> VirtualFileStore.openOrCreate(folder, options));
    }
    assertThrows(StoreExistsException.class, () -> VirtualFileStore.create(folder));
  }

  @ParameterizedTest
  @EnumSource
  void everythingIsThereAfterOpening(Durability durability) throws IOException {
    fill();
    try (WriteBatch batch = store().newBatch()) {
      batch.write("/last", text("last"));
      batch.commit(durability);
    }
    var before = Trees.read(store());
    StoreStats stats = store().stats();
    reopen(false);
    assertEquals(before, Trees.read(store()));
    assertEquals("{note=kept}", store().properties().toString());
    assertEquals(stats.sequence(), store().stats().sequence());
    assertEquals(List.of(), store().recoveryReport());
    write("/more", "x");
    assertEquals(stats.sequence() + 1, store().stat("/more").version());
    reopen(false);
    assertContent("x", "/more");
  }

  @Test
  void storesAreMadeAndOpenedAsAsked() throws IOException {
    assumeTrue(contract().outlivesClose());
    Path file = path();
    var options = contract().made(StoreContract.OPTIONS);
    assertThrows(StoreLockedException.class, () -> VirtualFileStore.open(file, options).close());
    store().close();
    assertThrows(StoreExistsException.class, () -> VirtualFileStore.create(file, options).close());
    VirtualFileStore.openOrCreate(file, options).close();
    Path other = file.resolveSibling("other.coffer");
    assertThrows(StoreNotFoundException.class, () -> VirtualFileStore.open(other).close());
    assertFalse(Files.exists(other));
    try (VirtualFileStore made = VirtualFileStore.openOrCreate(other, options)) {
      made.write("/x", text("x"));
      assertEquals(contract().backend(), made.stats().backend());
    }
    use(VirtualFileStore.open(other));
    assertContent("x", "/x");
    Path text = file.resolveSibling("text");
    Files.writeString(text, "no store");
    assertThrows(NotAStoreException.class, () -> VirtualFileStore.open(text).close());
  }

  @Test
  void theBackendIsFoundByTheFile() throws IOException {
    fill();
    assumeTrue(contract().outlivesClose());
    store().close();
    use(VirtualFileStore.open(path()));
    assertEquals(contract().backend(), store().stats().backend());
    assertContent("a", "/a");
  }

  /** A call on a store. */
  @FunctionalInterface
  private interface Call {
    void on(VirtualFileStore store) throws IOException;
  }

  static Stream<Named<Call>> writes() {
    byte[] bytes = {1};
    return Stream.of(
        Named.of("write", s -> s.write("/a", bytes)),
        Named.of("write stream", s -> s.write("/a", new ByteArrayInputStream(bytes), null)),
        Named.of("newOutputStream", s -> s.newOutputStream("/a").close()),
        Named.of("createSymbolicLink", s -> s.createSymbolicLink("/b", "a", null)),
        Named.of("createDirectories", s -> s.createDirectories("/new")),
        Named.of("delete", s -> s.delete("/a")),
        Named.of("deleteRecursively", s -> s.deleteRecursively("/d")),
        Named.of("move", s -> s.move("/a", "/b")),
        Named.of("copy", s -> s.copy("/a", "/b")),
        Named.of("setAttributes", s -> s.setAttributes("/a", CommitBuilder.attributes())),
        Named.of("newBatch", s -> s.newBatch().commit()),
        Named.of("compact", VirtualFileStore::compact));
  }

  static Stream<Named<Call>> reads() {
    return Stream.of(
        Named.of("read", s -> s.read("/a")),
        Named.of("readRange", s -> s.readRange("/a", 0, 1)),
        Named.of("newInputStream", s -> s.newInputStream("/a").close()),
        Named.of("stat", s -> s.stat("/a")),
        Named.of("find", s -> s.find("/a")),
        Named.of("exists", s -> s.exists("/a")),
        Named.of("list", s -> s.list("/")),
        Named.of("walk", s -> s.walk("/").close()),
        Named.of("properties", VirtualFileStore::properties),
        Named.of("stats", VirtualFileStore::stats),
        Named.of("force", VirtualFileStore::force),
        Named.of("verify", s -> s.verify(problem -> {})),
        Named.of("findLostEntries", VirtualFileStore::findLostEntries));
  }

  @Test
  void aReadOnlyStoreRefusesWrites() throws IOException {
    fill();
    var before = Trees.read(store());
    reopen(true);
    assertTrue(store().isReadOnly());
    writes()
        .forEach(
            call ->
                assertThrows(
                    StoreReadOnlyException.class,
                    () -> call.getPayload().on(store()),
                    call.getName()));
    assertEquals(before, Trees.read(store()));
    assertEquals("{note=kept}", store().properties().toString());
    assertContent(mixed(1, 50_000), "/d/large");
    try (InputStream in = store().newInputStream("/d/large")) {
      assertEquals(50_000, in.readAllBytes().length);
    }
  }

  @Test
  void aReadOnlyOpeningChangesNoFile() throws IOException {
    fill();
    assumeTrue(contract().outlivesClose());
    store().close();
    Path folder = directory();
    var before = FileListing.fingerprint(folder);
    use(VirtualFileStore.open(path(), StoreContract.OPTIONS.withReadOnly(true)));
    Trees.read(store());
    assertClean(store());
    store().close();
    assertEquals(before, FileListing.fingerprint(folder));
    use(VirtualFileStore.open(path(), StoreContract.OPTIONS.withReadOnly(true)));
  }

  @ParameterizedTest
  @MethodSource({"writes", "reads"})
  void aClosedStoreSaysSo(Call call) throws IOException {
    VirtualFileStore closed = VirtualFileStore.inMemory(StoreContract.OPTIONS);
    closed.write("/a", text("a"));
    closed.write("/d/x", text("x"));
    closed.close();
    assertThrows(StoreClosedException.class, () -> call.on(closed));
  }

  @Test
  void closingEndsWhatIsOpen() throws IOException {
    fill();
    InputStream in = store().newInputStream("/d/large");
    assertTrue(in.read() >= 0);
    OutputStream out = store().newOutputStream("/out");
    out.write(1);
    WriteBatch batch = store().newBatch();
    batch.write("/b", text("x"));
    var walk = store().walk("/");
    store().close();
    assertThrows(StoreException.class, in::readAllBytes);
    in.close();
    assertThrows(StoreClosedException.class, out::close);
    assertThrows(StoreClosedException.class, batch::commit);
    batch.close();
    walk.close();
    store().close();
    use(VirtualFileStore.inMemory(StoreContract.OPTIONS));
    if (contract().outlivesClose()) {
      use(VirtualFileStore.open(path(), StoreContract.OPTIONS));
      assertEquals(List.of("/", "/a", "/d", "/empty", "/link", "/d/large"), paths());
    }
  }

  @Test
  void statsAreOfTheStore() throws IOException {
    fill();
    StoreStats stats = store().stats();
    assertEquals(5, stats.entries());
    assertEquals(5, stats.sequence());
    assertTrue(stats.liveBytes() == -1 || stats.liveBytes() > 10_000, stats.toString());
    if (contract().outlivesClose()) {
      assertEquals(contract().backend(), stats.backend());
    }
  }

  @Test
  void forceAndCompactMayComeAnyTime() throws IOException {
    store().force();
    store().compact();
    fill();
    store().force();
    store().deleteRecursively("/d");
    store().compact();
    store().compact();
    store().force();
    assertContent("a", "/a");
  }
}
