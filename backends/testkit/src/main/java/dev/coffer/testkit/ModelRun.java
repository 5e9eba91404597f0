package dev.coffer.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.Durability;
import dev.coffer.vfs.EntryKind;
import dev.coffer.vfs.FileEntry;
import dev.coffer.vfs.FileOperations;
import dev.coffer.vfs.Packing;
import dev.coffer.vfs.PathException;
import dev.coffer.vfs.Problem;
import dev.coffer.vfs.VirtualFileStore;
import dev.coffer.vfs.WriteBatch;
import dev.coffer.vfs.WriteOption;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One run of random operations on a store and a model. */
final class ModelRun implements AutoCloseable {
  private static final int COMPARE_EVERY = 50;
  private static final List<String> ELEMENTS =
      List.of("a", "b", "a-b", "a b", "A", "c", "\u00e9", "e\u0301", "\uffff", "\ud83d\ude00", "%");

  private final @Nullable Opening reopening;
  private final Random random;
  private final String label;
  private final Model model = new Model();
  private final List<OpenStream> streams = new ArrayList<>();
  private final List<OpenWalk> walks = new ArrayList<>();
  private VirtualFileStore store;
  private int step;

  /** Opens the store again. */
  @FunctionalInterface
  interface Opening {
    VirtualFileStore open() throws IOException;
  }

  /** The same operation for the store and for the model. */
  private record Operation(String name, OnStore onStore, OnModel onModel) {}

  @FunctionalInterface
  private interface OnStore {
    void run(FileOperations target) throws IOException;
  }

  @FunctionalInterface
  private interface OnModel {
    void run(Model target) throws PathException;
  }

  @SuppressWarnings("ArrayRecordComponent") // Compared by nobody.
  private record OpenStream(String path, InputStream in, byte[] expected) {}

  private record OpenWalk(
      Stream<FileEntry> stream, Iterator<FileEntry> entries, List<String> paths) {}

  ModelRun(VirtualFileStore store, @Nullable Opening reopening, long seed) {
    this.store = store;
    this.reopening = reopening;
    this.random = new Random(seed);
    this.label = "coffer.seed=" + seed;
  }

  void run(int steps) throws IOException {
    for (step = 1; step <= steps; step++) {
      int dice = random.nextInt(100);
      if (dice < 62) {
        single(operation());
      } else if (dice < 72) {
        batch();
      } else if (dice < 80) {
        readSomething();
      } else if (dice < 84) {
        openStream();
      } else if (dice < 88) {
        finishStream();
      } else if (dice < 91) {
        openWalk();
      } else if (dice < 94) {
        finishWalk();
      } else if (dice < 97) {
        store.compact();
      } else if (dice < 98) {
        store.force();
      } else {
        reopen();
      }
      if (step % COMPARE_EVERY == 0) {
        compare();
      }
    }
    compare();
    reopen();
    compare();
  }

  private String where(String what) {
    return label + " step=" + step + " " + OddNames.escape(what);
  }

  private void single(Operation operation) throws IOException {
    PathException expected = null;
    Model attempt = model.copy();
    try {
      operation.onModel().run(attempt);
      model.replaceBy(attempt);
    } catch (PathException e) {
      expected = e;
    }
    assertOutcome(expected, () -> operation.onStore().run(store), operation.name());
  }

  @FunctionalInterface
  private interface Attempt {
    void run() throws IOException;
  }

  private void assertOutcome(@Nullable PathException expected, Attempt attempt, String name)
      throws IOException {
    PathException actual = null;
    try {
      attempt.run();
    } catch (PathException e) {
      actual = e;
    }
    assertEquals(
        expected == null ? "none" : expected.getClass().getSimpleName(),
        actual == null ? "none" : actual.getClass().getSimpleName(),
        () -> where("exception of " + name));
  }

  private void batch() throws IOException {
    List<Operation> operations = new ArrayList<>();
    int count = 1 + random.nextInt(12);
    StringBuilder names = new StringBuilder("batch");
    PathException expected = null;
    Model attempt = model.copy();
    for (int i = 0; i < count; i++) {
      Operation operation = operation();
      if (expected == null) {
        Model next = attempt.copy();
        try {
          operation.onModel().run(next);
          attempt.replaceBy(next);
        } catch (PathException e) {
          if (random.nextInt(4) > 0) {
            continue; // Most batches are to succeed.
          }
          expected = e;
        }
      }
      operations.add(operation);
      names.append(" + ").append(operation.name());
    }
    if (expected == null) {
      model.replaceBy(attempt);
    }
    Durability durability = random.nextBoolean() ? Durability.BUFFERED : Durability.PROCESS;
    Packing packing = random.nextBoolean() ? Packing.CLUSTERED : Packing.ALONE;
    assertOutcome(
        expected,
        () -> {
          try (WriteBatch batch = store.newBatch(packing)) {
            for (Operation operation : operations) {
              operation.onStore().run(batch);
            }
            batch.commit(durability);
          }
        },
        names.toString());
  }

  private Operation operation() {
    String path = path();
    return switch (random.nextInt(16)) {
      case 0, 1, 2, 3, 4 -> write(path);
      case 5 -> streamed(path);
      case 6 -> {
        String target = "to/" + random.nextInt(100);
        yield new Operation(
            "link " + path,
            s -> s.createSymbolicLink(path, target, null),
            m -> m.link(path, target));
      }
      case 7 ->
          new Operation(
              "createDirectories " + path,
              s -> s.createDirectories(path),
              m -> m.createDirectories(path));
      case 8, 9 -> new Operation("delete " + path, s -> s.delete(path), m -> m.delete(path));
      case 10 ->
          new Operation(
              "deleteRecursively " + path,
              s -> s.deleteRecursively(path),
              m -> m.deleteRecursively(path));
      case 11, 12 -> relocation(path, path(), true);
      case 13, 14 -> relocation(path, path(), false);
      default -> {
        Attributes attributes = attributes();
        yield new Operation(
            "setAttributes " + path,
            s -> s.setAttributes(path, attributes),
            m -> m.setAttributes(path, attributes));
      }
    };
  }

  private Operation write(String path) {
    byte[] content = content();
    Attributes attributes = random.nextInt(3) == 0 ? attributes() : null;
    int how = random.nextInt(10);
    WriteOption[] options =
        switch (how) {
          case 0 -> new WriteOption[] {WriteOption.CREATE_NEW};
          case 1 -> new WriteOption[] {WriteOption.MUST_EXIST};
          default -> new WriteOption[0];
        };
    return new Operation(
        "write " + path + " " + content.length + Arrays.toString(options),
        s -> s.write(path, content, attributes, options),
        m -> m.write(path, content, attributes, how == 0, how == 1));
  }

  private Operation streamed(String path) {
    byte[] content = content();
    return new Operation(
        "write stream " + path + " " + content.length,
        s -> {
          if (s instanceof VirtualFileStore whole) {
            try (OutputStream out = whole.newOutputStream(path)) {
              out.write(content);
            }
          } else {
            s.write(path, new ByteArrayInputStream(content), null);
          }
        },
        m -> m.write(path, content, null, false, false));
  }

  private Operation relocation(String from, String to, boolean move) {
    boolean replace = random.nextInt(3) == 0;
    WriteOption[] options = replace ? new WriteOption[] {WriteOption.REPLACE} : new WriteOption[0];
    return new Operation(
        (move ? "move " : "copy ") + from + " " + to + Arrays.toString(options),
        s -> {
          if (move) {
            s.move(from, to, options);
          } else {
            s.copy(from, to, options);
          }
        },
        m -> m.relocate(from, to, replace, move));
  }

  /** A path of up to four elements, often one that is there. */
  private String path() {
    if (!model.nodes().isEmpty() && random.nextInt(10) < 6) {
      List<String> known = List.copyOf(model.nodes().keySet());
      String path = known.get(random.nextInt(known.size()));
      return random.nextInt(5) > 0 || path.length() > 200 ? path : path + "/" + element();
    }
    StringBuilder path = new StringBuilder();
    for (int depth = random.nextInt(4); depth >= 0; depth--) {
      path.append('/').append(element());
    }
    return path.toString();
  }

  private String element() {
    return ELEMENTS.get(random.nextInt(ELEMENTS.size()));
  }

  private byte[] content() {
    int length =
        switch (random.nextInt(12)) {
          case 0 -> 0;
          case 1, 2, 3, 4 -> random.nextInt(600);
          case 5, 6, 7 -> random.nextInt(5000);
          case 8, 9 -> 4096 * (1 + random.nextInt(4)) + random.nextInt(3) - 1;
          case 10 -> random.nextInt(60_000);
          default -> 262_144 + random.nextInt(3) - 1;
        };
    return random.nextBoolean() ? StoreCases.mixed(random.nextLong(), length) : new byte[length];
  }

  private Attributes attributes() {
    return CommitBuilder.attributes()
        .withMode(random.nextInt(010000))
        .withOwner(random.nextBoolean() ? null : "o" + random.nextInt(3), null)
        .withUser(
            random.nextBoolean() ? Map.of() : Map.of("u", Chunks.bytes(1, random.nextInt(50))));
  }

  private void readSomething() throws IOException {
    String path = path();
    byte[] expected = null;
    PathException failure = null;
    try {
      expected = model.read(path);
    } catch (PathException e) {
      failure = e;
    }
    if (expected == null) {
      assertOutcome(failure, () -> store.read(path), "read " + path);
      return;
    }
    assertArrayEquals(expected, store.read(path), () -> where("read " + path));
    int from = random.nextInt(expected.length + 10);
    int count = random.nextInt(9000);
    int start = Math.min(from, expected.length);
    assertArrayEquals(
        Arrays.copyOfRange(expected, start, Math.min(expected.length, start + count)),
        store.readRange(path, from, count),
        () -> where("readRange " + path + " " + from + " " + count));
  }

  private void openStream() throws IOException {
    String path = path();
    Model.Node node = model.nodes().get(path);
    if (node != null && node.kind() == EntryKind.FILE) {
      streams.add(new OpenStream(path, store.newInputStream(path), node.content()));
    }
  }

  private void finishStream() throws IOException {
    if (!streams.isEmpty()) {
      OpenStream open = streams.remove(random.nextInt(streams.size()));
      try (InputStream in = open.in()) {
        assertArrayEquals(
            open.expected(), in.readAllBytes(), () -> where("stream of " + open.path()));
      }
    }
  }

  private void openWalk() throws IOException {
    Stream<FileEntry> walk = store.walk("/");
    Iterator<FileEntry> entries = walk.iterator();
    assertEquals("/", entries.next().path());
    walks.add(new OpenWalk(walk, entries, List.copyOf(model.nodes().keySet())));
  }

  private void finishWalk() {
    if (!walks.isEmpty()) {
      OpenWalk open = walks.remove(random.nextInt(walks.size()));
      try {
        TreeSet<String> found = new TreeSet<>();
        open.entries().forEachRemaining(entry -> found.add(entry.path()));
        assertEquals(
            escaped(open.paths()), escaped(found), () -> where("walk of an earlier moment"));
      } finally {
        open.stream().close();
      }
    }
  }

  private static List<String> escaped(Iterable<String> paths) {
    List<String> escaped = new ArrayList<>();
    paths.forEach(path -> escaped.add(OddNames.escape(path)));
    return escaped;
  }

  private void reopen() throws IOException {
    while (!streams.isEmpty()) {
      finishStream();
    }
    while (!walks.isEmpty()) {
      finishWalk();
    }
    if (reopening != null) {
      store.close();
      store = reopening.open();
      assertEquals(List.of(), store.recoveryReport(), () -> where("recovery report"));
    }
  }

  /** Compares the trees, and verifies the store. */
  private void compare() throws IOException {
    Map<String, FileEntry> found = new TreeMap<>();
    for (FileEntry entry : Trees.entries(store)) {
      found.put(entry.path(), entry);
    }
    found.remove("/");
    assertEquals(escaped(model.nodes().keySet()), escaped(found.keySet()), () -> where("paths"));
    for (Map.Entry<String, Model.Node> each : model.nodes().entrySet()) {
      String path = each.getKey();
      Model.Node node = each.getValue();
      FileEntry entry = store.stat(path);
      assertEquals(found.get(path), entry, () -> where("stat " + path));
      assertEquals(node.kind(), entry.kind(), () -> where("kind of " + path));
      assertEquals(node.target(), entry.linkTarget(), () -> where("target of " + path));
      assertEquals(node.content().length, entry.length(), () -> where("length of " + path));
      assertAttributes(node.attributes(), entry.attributes(), path);
      if (node.kind() == EntryKind.FILE) {
        assertArrayEquals(node.content(), store.read(path), () -> where("content of " + path));
      }
    }
    List<Problem> problems = new ArrayList<>();
    store.verify(problems::add);
    assertEquals(List.of(), problems, () -> where("verify"));
  }

  private void assertAttributes(@Nullable Attributes expected, Attributes actual, String path) {
    if (expected != null) {
      // Times move with writes and relocations; what the caller gave besides stays.
      Attributes timeless =
          actual
              .withModified(expected.modified())
              .withAccessed(expected.accessed())
              .withChanged(expected.changed());
      assertEquals(expected, timeless, () -> where("attributes of " + path));
    }
  }

  @Override
  public void close() throws IOException {
    for (OpenStream open : streams) {
      open.in().close();
    }
    walks.forEach(open -> open.stream().close());
    store.close();
  }
}
