package dev.coffer.backends.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coffer.testkit.ChildJvm;
import dev.coffer.vfs.Durability;
import dev.coffer.vfs.FileEntry;
import dev.coffer.vfs.Layout;
import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreLockedException;
import dev.coffer.vfs.StoreOptions;
import dev.coffer.vfs.VirtualFileStore;
import dev.coffer.vfs.WriteBatch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The store among processes: killed while it writes, read while another writes, locked. */
final class LogProcessTest {
  private static final int ROUNDS = 6;
  private static final int FILES_A_COMMIT = 40;
  private static final StoreOptions READ_ONLY = StoreOptions.DEFAULT.withReadOnly(true);

  @TempDir private Path folder;

  /** Commits for ever and tells each round; run in a process of its own. */
  static final class Writer {
    private Writer() {}

    public static void main(String[] arguments) throws IOException {
      StoreOptions options = StoreOptions.DEFAULT.withDurability(Durability.valueOf(arguments[1]));
      try (VirtualFileStore store = VirtualFileStore.open(Path.of(arguments[0]), options)) {
        for (int round = next(store); ; round++) {
          commitRound(store, round);
          System.out.println(round);
        }
      }
    }
  }

  private static int next(VirtualFileStore store) throws IOException {
    String last = store.properties().get("round");
    return last == null ? 0 : Integer.parseInt(last) + 1;
  }

  private static byte[] content(int round, int file) {
    byte[] bytes = new byte[file == 0 ? 600_000 : 50 * file];
    new Random(100L * round + file).nextBytes(bytes);
    return bytes;
  }

  private static void commitRound(VirtualFileStore store, int round) throws IOException {
    try (WriteBatch batch = store.newBatch()) {
      batch.createDirectories("/r" + round);
      for (int i = 0; i < FILES_A_COMMIT; i++) {
        batch.write("/r" + round + "/f" + i, content(round, i));
      }
      batch.write("/replaced", content(round, 0));
      batch.setProperty("round", Integer.toString(round));
      batch.commit();
    }
  }

  private static ChildJvm start(Path store, Durability durability) throws IOException {
    return ChildJvm.start(Writer.class, store.toString(), durability.name());
  }

  /** Everything up to the last round is there, whole. */
  private static int assertWhole(VirtualFileStore store, String where) throws IOException {
    int rounds = next(store);
    for (int round = 0; round < rounds; round++) {
      assertEquals(FILES_A_COMMIT, store.list("/r" + round).size(), where);
    }
    if (rounds > 0) {
      int last = rounds - 1;
      for (int i = 0; i < FILES_A_COMMIT; i++) {
        assertArrayEquals(content(last, i), store.read("/r" + last + "/f" + i), where);
      }
      assertArrayEquals(content(last, 0), store.read("/replaced"), where);
      assertFalse(store.exists("/r" + rounds), where);
    }
    return rounds;
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void acknowledgedCommitsSurviveAKill(Layout layout) throws IOException, InterruptedException {
    long seed = 78;
    Random random = new Random(seed);
    Path file = folder.resolve("store.coffer");
    VirtualFileStore.create(file, StoreOptions.DEFAULT.withLayout(layout)).close();
    for (int round = 0; round < ROUNDS; round++) {
      Durability durability = round % 2 == 0 ? Durability.PROCESS : Durability.SYNC;
      long acknowledged = killedWriter(file, durability, random.nextInt(25));
      String where = "seed=" + seed + " round=" + round;
      try (VirtualFileStore store = VirtualFileStore.open(file, READ_ONLY)) {
        assertTrue(assertWhole(store, where) > acknowledged, where);
      }
      try (VirtualFileStore store = VirtualFileStore.open(file, StoreOptions.DEFAULT)) {
        assertTrue(assertWhole(store, where) > acknowledged, where);
        List<Problem> problems = new ArrayList<>();
        store.verify(problems::add);
        assertEquals(List.of(), problems, where);
      }
    }
  }

  /** Kills a writer after it acknowledged some rounds, and answers the last one told. */
  private static long killedWriter(Path file, Durability durability, int rounds)
      throws IOException, InterruptedException {
    try (ChildJvm writer = start(file, durability)) {
      for (int i = 0; i <= rounds; i++) {
        assertTrue(writer.next(), "the writer goes on");
      }
      return writer.kill();
    }
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void othersMayReadBesideAWriterButNotWrite(Layout layout)
      throws IOException, InterruptedException {
    Path file = folder.resolve("live.coffer");
    VirtualFileStore.create(file, StoreOptions.DEFAULT.withLayout(layout)).close();
    try (ChildJvm writer = start(file, Durability.PROCESS)) {
      int seen = 0;
      for (int i = 0; i < 12; i++) {
        assertTrue(writer.next(), "the writer goes on");
        long told = writer.last();
        assertThrows(
            StoreLockedException.class,
            () -> VirtualFileStore.open(file, StoreOptions.DEFAULT).close());
        byte[] before = lockFiles();
        try (VirtualFileStore store = VirtualFileStore.open(file, READ_ONLY)) {
          int rounds = assertWhole(store, "told=" + told);
          assertTrue(rounds > told, "told=" + told + " found=" + rounds);
          assertTrue(rounds >= seen, "time goes forward");
          seen = rounds;
        }
        assertArrayEquals(before, lockFiles(), "a reader leaves nothing behind");
      }
      writer.kill();
    }
  }

  /** Says whether a store can be opened for writing; run in a process of its own. */
  static final class Opener {
    private Opener() {}

    public static void main(String[] arguments) throws IOException {
      try (VirtualFileStore store =
          VirtualFileStore.open(Path.of(arguments[0]), StoreOptions.DEFAULT)) {
        System.out.println("opened " + store.stats().entries());
      } catch (StoreLockedException e) {
        System.out.println("locked");
      }
    }
  }

  /** Verifies a store; run in a process of its own, with little memory. */
  static final class Verifying {
    private Verifying() {}

    public static void main(String[] arguments) throws IOException {
      List<Problem> problems = new ArrayList<>();
      try (VirtualFileStore store = VirtualFileStore.open(Path.of(arguments[0]), READ_ONLY)) {
        store.verify(problems::add);
        System.out.println(store.stats().entries() + " " + problems);
      }
    }
  }

  /** A store whose index does not fit in the memory that verifying it has. */
  @Test
  void verifyingNeedsMemoryForNoEntries() throws IOException {
    Path file = folder.resolve("many.coffer");
    StoreOptions options = StoreOptions.DEFAULT.withDurability(Durability.PROCESS);
    int count = 150_000;
    try (VirtualFileStore store = VirtualFileStore.create(file, options)) {
      for (int i = 0; i < count; ) {
        try (WriteBatch batch = store.newBatch()) {
          for (int end = i + 5000; i < end; i++) {
            batch.write("/a-name-of-some-length-" + i, new byte[] {(byte) i, (byte) (i >> 8)});
          }
          batch.commit();
        }
      }
    }
    try (ChildJvm verifying = ChildJvm.start(24, Verifying.class, file.toString())) {
      assertEquals(count + " []", verifying.line());
    }
  }

  private static String openElsewhere(Path file) throws IOException {
    try (ChildJvm opener = ChildJvm.start(Opener.class, file.toString())) {
      return String.valueOf(opener.line());
    }
  }

  /** Nor is it one after what would lose a POSIX lock: a reader here that closes, a new file. */
  @Test
  void aHardLinkIsNoSecondWriter() throws IOException, InterruptedException {
    Path file = folder.resolve("one.coffer");
    Path link = folder.resolve("two.coffer");
    try (VirtualFileStore store = VirtualFileStore.create(file, StoreOptions.DEFAULT)) {
      Files.createLink(link, file);
      assertEquals("locked", openElsewhere(link));
      commitRound(store, 0);
      assertWhole(store, "mapped");
      assertEquals("locked", openElsewhere(link));
      for (Path name : List.of(file, link)) {
        try (VirtualFileStore reader = VirtualFileStore.open(name, READ_ONLY)) {
          assertEquals(1, assertWhole(reader, name.toString()));
        }
        assertThrows(
            StoreLockedException.class,
            () -> VirtualFileStore.open(link, StoreOptions.DEFAULT).close());
      }
      // Nothing may be dead, or the file would be compacted, and the link name the old one.
      byte[] more = content(1, 0);
      Thread.currentThread().interrupt();
      store.write("/more", more);
      assertArrayEquals(more, store.read("/more"), "mapped by an interrupted thread");
      assertTrue(Thread.interrupted());
      assertEquals("locked", openElsewhere(link));

      store.delete("/r0/f0");
      store.compact();
      Path third = folder.resolve("three.coffer");
      Files.createLink(third, file);
      assertEquals("locked", openElsewhere(third));
      assertEquals("locked", openElsewhere(file));
      Files.delete(third);
    }
    assertTrue(openElsewhere(file).startsWith("opened "));
  }

  private byte[] lockFiles() throws IOException {
    try (var files = Files.list(folder)) {
      return files
          .map(path -> path.getFileName().toString())
          .filter(name -> name.endsWith(".lock"))
          .sorted()
          .reduce("", (a, b) -> a + "/" + b)
          .getBytes(StandardCharsets.UTF_8);
    }
  }

  @Test
  void interruptsChangeNothing() throws IOException, InterruptedException {
    Path file = folder.resolve("interrupted.coffer");
    List<Throwable> failures = new ArrayList<>();
    try (VirtualFileStore store = VirtualFileStore.create(file, StoreOptions.DEFAULT)) {
      commitRound(store, 0);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        int number = i;
        threads.add(
            new Thread(
                () -> {
                  try {
                    work(store, number);
                  } catch (IOException | RuntimeException | AssertionError e) {
                    synchronized (failures) {
                      failures.add(e);
                    }
                  }
                }));
      }
      threads.forEach(Thread::start);
      while (threads.stream().anyMatch(Thread::isAlive)) {
        threads.forEach(Thread::interrupt);
        Thread.sleep(1);
      }
      assertEquals(List.of(), failures);
      assertEquals(6 * 60, store.list("/own").stream().filter(FileEntry::isFile).count());
    }
    try (VirtualFileStore store = VirtualFileStore.open(file, READ_ONLY)) {
      assertEquals(List.of(), store.recoveryReport());
      assertWhole(store, "after interrupts");
    }
  }

  private static void work(VirtualFileStore store, int number) throws IOException {
    for (int i = 0; i < 60; i++) {
      byte[] bytes = content(number, 1 + i % 7);
      String path = "/own/" + number + "-" + i;
      store.createDirectories("/own");
      store.write(path, bytes);
      assertTrue(Arrays.equals(bytes, store.read(path)), path);
      assertTrue(Arrays.equals(content(0, 0), store.read("/r0/f0")), "a large file");
    }
  }
}
