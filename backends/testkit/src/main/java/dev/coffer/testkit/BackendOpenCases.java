package dev.coffer.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.coffer.vfs.Layout;
import dev.coffer.vfs.NotAStoreException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreExistsException;
import dev.coffer.vfs.StoreLockedException;
import dev.coffer.vfs.StoreNotFoundException;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.BackendOptions;
import dev.coffer.vfs.spi.BackendOptions.Creation;
import dev.coffer.vfs.spi.BackendProvider;
import dev.coffer.vfs.spi.EntryKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Opening: what is made, what is refused, and with which exception. */
abstract class BackendOpenCases {
  private final BackendContract contract;
  private final BackendProvider provider;
  private Path directory;
  private Path store;

  @SuppressWarnings("NullAway.Init") // JUnit calls prepare before every test.
  BackendOpenCases(BackendContract contract) {
    this.contract = contract;
    this.provider = contract.provider();
  }

  @BeforeEach
  void prepare(@TempDir Path temporary) throws IOException {
    assumeTrue(contract.outlivesClose(), "there are no files to open");
    directory = temporary.toRealPath();
    store = contract.storePath(directory);
  }

  enum Foreign {
    EMPTY(""),
    ONE_BYTE("x"),
    TEXT("This is a letter to a friend, and no store.\n"),
    ZEROS("\0".repeat(8192)),
    PNG("\u0089PNG\r\n\u001a\n" + "\0\0\0\rIHDR".repeat(200)),
    ZIP("PK\3\4" + "\24\0\10\0".repeat(900)),
    ELF("\177ELF\2\1\1" + "\0".repeat(9000));

    private final String latin1;

    Foreign(String latin1) {
      this.latin1 = latin1;
    }

    byte[] bytes() {
      return latin1.getBytes(StandardCharsets.ISO_8859_1);
    }
  }

  private void makeStore() throws StoreException {
    provider.open(store, contract.options(Creation.ALWAYS, false)).close();
  }

  private <T extends StoreException> T assertRefused(Class<T> expected, BackendOptions options) {
    T thrown = assertThrows(expected, () -> provider.open(store, options).close());
    String message = thrown.getMessage();
    assertNotNull(message);
    assertFalse(message.isBlank(), "an exception says what is wrong");
    return thrown;
  }

  @Test
  void theNameIsShortAndLowerCase() {
    assertTrue(provider.name().matches("[a-z][a-z0-9-]{0,19}"), provider.name());
  }

  @ParameterizedTest
  @EnumSource(names = {"IF_MISSING", "ALWAYS"})
  void makesAMissingStore(Creation creation) throws StoreException {
    try (Backend backend = provider.open(store, contract.options(creation, false))) {
      assertEquals(0, backend.sequence());
      assertEquals(0, backend.stats().entries());
      assertTrue(backend.properties().isEmpty());
      assertFalse(backend.isReadOnly());
      assertEquals(List.of(), backend.recoveryReport());
      assertEquals(provider.name(), backend.name());
      assertNotNull(backend.capabilities().weakest());
    }
    assertTrue(Files.exists(store), "the store is at the path asked for");
  }

  @Test
  void aNewStoreSurvivesBeingClosedUnused() throws StoreException {
    makeStore();
    try (Backend backend = provider.open(store, BackendFixture.EXISTING)) {
      assertEquals(0, backend.sequence());
      assertEquals(0, backend.stats().entries());
      assertEquals(List.of(), backend.recoveryReport());
    }
  }

  @ParameterizedTest
  @CsvSource({"NEVER,false", "NEVER,true", "IF_MISSING,true"})
  void aMissingStoreIsNotFound(Creation creation, boolean readOnly) throws IOException {
    assertRefused(StoreNotFoundException.class, contract.options(creation, readOnly));
    assertEquals(List.of(), FileListing.withoutLocks(directory), "nothing was made");
  }

  @Test
  void aStoreInAMissingFolderIsNotFound() {
    Path lost = directory.resolve("no/such/folder").resolve(store.getFileName());
    assertThrows(
        StoreNotFoundException.class, () -> provider.open(lost, BackendFixture.EXISTING).close());
    assertThrows(
        StoreNotFoundException.class, () -> provider.open(lost, BackendFixture.READ_ONLY).close());
  }

  @ParameterizedTest
  @EnumSource(names = {"IF_MISSING", "ALWAYS"})
  void aStoreInAMissingFolderCannotBeMade(Creation creation) {
    Path lost = directory.resolve("no/such/folder").resolve(store.getFileName());
    assertThrows(
        StoreException.class, () -> provider.open(lost, contract.options(creation, false)).close());
    assertFalse(Files.exists(directory.resolve("no")));
  }

  @ParameterizedTest
  @CsvSource({"NEVER,false", "NEVER,true", "IF_MISSING,false", "IF_MISSING,true"})
  void anExistingStoreOpens(Creation creation, boolean readOnly) throws StoreException {
    makeStore();
    try (Backend backend = provider.open(store, contract.options(creation, readOnly))) {
      assertEquals(readOnly, backend.isReadOnly());
      assertEquals(0, backend.sequence());
    }
  }

  @Test
  void anExistingStoreIsNotMadeAnew() throws StoreException {
    makeStore();
    assertRefused(StoreExistsException.class, contract.options(Creation.ALWAYS, false));
    provider.open(store, BackendFixture.EXISTING).close();
  }

  @ParameterizedTest
  @EnumSource
  void aForeignFileIsNoStore(Foreign foreign) throws IOException {
    Files.write(store, foreign.bytes());
    for (Creation creation : List.of(Creation.NEVER, Creation.IF_MISSING)) {
      for (boolean readOnly : new boolean[] {false, true}) {
        assertRefused(NotAStoreException.class, contract.options(creation, readOnly));
        assertArrayEquals(foreign.bytes(), Files.readAllBytes(store), "the file is as it was");
      }
    }
    assertEquals(List.of(store.getFileName().toString()), FileListing.withoutLocks(directory));
  }

  @ParameterizedTest
  @EnumSource
  void aForeignFileIsNotOverwritten(Foreign foreign) throws IOException {
    Files.write(store, foreign.bytes());
    assertRefused(StoreExistsException.class, contract.options(Creation.ALWAYS, false));
    assertArrayEquals(foreign.bytes(), Files.readAllBytes(store), "the file is as it was");
  }

  @ParameterizedTest
  @EnumSource(names = "EMPTY", mode = EnumSource.Mode.EXCLUDE)
  void foreignFilesAreNotRecognized(Foreign foreign) {
    byte[] head = Arrays.copyOf(foreign.bytes(), Math.min(4096, foreign.bytes().length));
    assertFalse(provider.recognizes(ByteBuffer.wrap(head).asReadOnlyBuffer()));
  }

  @Test
  void anEmptyHeadIsNotRecognized() {
    assertFalse(provider.recognizes(ByteBuffer.allocate(0).asReadOnlyBuffer()));
  }

  @Test
  void itsOwnFilesAreRecognized() throws IOException {
    makeStore();
    if (Files.isDirectory(store)) {
      assertTrue(provider.recognizesFolder(store));
      return;
    }
    assumeTrue(Files.isRegularFile(store));
    byte[] all = Files.readAllBytes(store);
    byte[] head = Arrays.copyOf(all, Math.min(BackendProvider.HEAD_LENGTH, all.length));
    assertTrue(provider.recognizes(ByteBuffer.wrap(head).asReadOnlyBuffer()));
  }

  @Test
  void aStoreIsWhatItIsWhateverLayoutIsAskedFor() throws StoreException {
    makeStore();
    boolean folder = Files.isDirectory(store);
    for (Layout layout : Layout.values()) {
      provider.open(store, new BackendOptions(Creation.IF_MISSING, layout, false)).close();
      assertEquals(folder, Files.isDirectory(store), layout.toString());
    }
    assertEquals(contract.layout() == Layout.FOLDER, folder);
  }

  @Test
  void aFolderIsNoStore() throws IOException {
    Files.createDirectory(store);
    Files.writeString(store.resolve("note"), "mine");
    assertRefused(NotAStoreException.class, BackendFixture.EXISTING);
    assertRefused(NotAStoreException.class, contract.options(Creation.IF_MISSING, false));
    assertRefused(NotAStoreException.class, BackendFixture.READ_ONLY);
    assertRefused(StoreExistsException.class, contract.options(Creation.ALWAYS, false));
    assertEquals(List.of("note"), FileListing.withoutLocks(store));
  }

  @ParameterizedTest
  @EnumSource(names = {"NEVER", "IF_MISSING"})
  void aSecondWriterIsLockedOut(Creation creation) throws StoreException {
    try (Backend first = provider.open(store, contract.options(Creation.ALWAYS, false))) {
      assertRefused(StoreLockedException.class, contract.options(creation, false));
      assertRefused(StoreLockedException.class, contract.options(creation, false));
      assertEquals(0, first.stats().entries());
    }
    provider.open(store, BackendFixture.EXISTING).close();
  }

  @Test
  void aStoreInUseIsNotMadeAnew() throws StoreException {
    try (Backend first = provider.open(store, contract.options(Creation.ALWAYS, false))) {
      assertThrows(
          StoreException.class,
          () -> provider.open(store, contract.options(Creation.ALWAYS, false)).close());
      assertEquals(0, first.stats().entries());
    }
  }

  @Test
  void otherNamesOfAStoreInUseAreLockedToo() throws IOException {
    try (Backend first = provider.open(store, contract.options(Creation.ALWAYS, false))) {
      Path link = Files.createSymbolicLink(directory.resolve("link"), store);
      Path detour = directory.resolve("x/../").resolve(store.getFileName());
      Files.createDirectory(directory.resolve("x"));
      for (Path alias : List.of(link, detour)) {
        assertThrows(
            StoreLockedException.class,
            () -> provider.open(alias, BackendFixture.EXISTING).close(),
            alias.toString());
      }
      if (Files.isRegularFile(store)) {
        Path hard = Files.createLink(directory.resolve("hard"), store);
        assertThrows(
            StoreLockedException.class, () -> provider.open(hard, BackendFixture.EXISTING).close());
      }
      assertEquals(0, first.stats().entries());
    }
  }

  @Test
  void aFailedOpenLeavesNoLock() throws IOException {
    Files.write(store, Foreign.TEXT.bytes());
    assertRefused(NotAStoreException.class, BackendFixture.EXISTING);
    Files.delete(store);
    makeStore();
    assertRefused(StoreExistsException.class, contract.options(Creation.ALWAYS, false));
    provider.open(store, BackendFixture.EXISTING).close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "with space-",
        "question?mode=ro&",
        "semi;colon-",
        "per%20cent-",
        "quote'-",
        "double\"-",
        "hash#",
        "umlaut\u00e4-",
        "-dash",
        "dollar$HOME-",
        "file:",
        "back\\slash-",
        "new\nline-"
      })
  void theNameOfTheFileMayBeOdd(String prefix) throws IOException {
    store = store.resolveSibling(prefix + store.getFileName());
    try (Backend backend = provider.open(store, contract.options(Creation.ALWAYS, false))) {
      assertEquals(0, backend.sequence());
    }
    assertTrue(Files.exists(store), "the store is at the path asked for");
    for (String name : FileListing.withoutLocks(directory)) {
      assertTrue(name.startsWith(prefix), () -> "not the store's file: " + name);
    }
    provider.open(store, BackendFixture.EXISTING).close();
    provider.open(store, BackendFixture.READ_ONLY).close();
  }

  @Test
  void openingManyTimesWorks() throws StoreException {
    makeStore();
    for (int i = 0; i < 10; i++) {
      try (Backend backend = provider.open(store, contract.options(Creation.IF_MISSING, false))) {
        assertEquals(null, backend.lookup(EntryKey.of("/a")));
      }
    }
  }
}
