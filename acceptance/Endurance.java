import dev.coffer.vfs.Durability;
import dev.coffer.vfs.FileEntry;
import dev.coffer.vfs.Layout;
import dev.coffer.vfs.Packing;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreOptions;
import dev.coffer.vfs.VirtualFileStore;
import dev.coffer.vfs.WriteBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Writes to a store, acknowledging each operation, until it is killed; and checks what is left. What
 * operation n does depends on the seed and on n alone, and each notes n in the store, in the same
 * commit. So whoever knows n knows everything that the store must hold.
 *
 * <pre>
 *   java -cp ... acceptance/Endurance.java write STORE KIND SEED DURABILITY OPERATIONS
 *   java -cp ... acceptance/Endurance.java check STORE KIND SEED ACKNOWLEDGED
 * </pre>
 *
 * KIND is log, folder, sqlite or duckdb. {@code write} goes on where the store is, and prints "ack n"
 * for each operation. {@code check} exits with 1 and says why if the store lacks what was
 * acknowledged, holds anything else than after one of the operations, or cannot be written to.
 */
final class Endurance {
  private static final String PROPERTY = "operation";
  private static final int FOLDERS = 6;
  private static final int NAMES = 30;

  /** What is at a path: which operation wrote it, and how long it is. */
  private record Written(long operation, int length) {}

  private final long seed;
  private final TreeMap<String, Written> model = new TreeMap<>();
  private long done;

  private Endurance(long seed) {
    this.seed = seed;
  }

  /** One operation, on the model, and on a batch unless that is null. */
  private void apply(long operation, WriteBatch batch) throws IOException {
    SplittableRandom random = new SplittableRandom(seed * 1_000_003 + operation);
    int dice = random.nextInt(100);
    if (dice < 50) {
      put(operation, batch, random, random.nextInt(2000));
    } else if (dice < 66) {
      put(operation, batch, random, 40_000 + random.nextInt(60_000));
    } else if (dice < 70) {
      put(operation, batch, random, 1_000_000 + random.nextInt(4_000_000));
    } else if (dice < 82) {
      delete(batch, random);
    } else if (dice < 92) {
      int count = 1 + random.nextInt(150);
      for (int i = 0; i < count; i++) {
        put(operation, batch, random, random.nextInt(900));
      }
    } else if (dice < 96) {
      move(batch, random);
    }
    done = operation;
  }

  private void put(long operation, WriteBatch batch, SplittableRandom random, int length)
      throws IOException {
    String path = "/d" + random.nextInt(FOLDERS) + "/f" + random.nextInt(NAMES) + ".txt";
    model.put(path, new Written(operation, length));
    if (batch != null) {
      batch.write(path, content(path, operation, length));
    }
  }

  private void delete(WriteBatch batch, SplittableRandom random) throws IOException {
    List<String> paths = new ArrayList<>(model.keySet());
    if (paths.isEmpty()) {
      return;
    }
    String path = paths.get(random.nextInt(paths.size()));
    model.remove(path);
    if (batch != null) {
      batch.delete(path);
    }
  }

  /** Moves a folder over another. */
  private void move(WriteBatch batch, SplittableRandom random) throws IOException {
    String from = "/d" + random.nextInt(FOLDERS) + "/";
    String to = "/m" + random.nextInt(FOLDERS) + "/";
    TreeMap<String, Written> moved = new TreeMap<>(model.subMap(from, from + "\uffff"));
    if (moved.isEmpty()) {
      return;
    }
    model.subMap(to, to + "\uffff").clear();
    for (var entry : moved.entrySet()) {
      model.remove(entry.getKey());
      model.put(to + entry.getKey().substring(from.length()), entry.getValue());
    }
    if (batch != null) {
      batch.createDirectories(to.substring(0, to.length() - 1)); // If it is not there yet.
      batch.deleteRecursively(to.substring(0, to.length() - 1));
      batch.move(from.substring(0, from.length() - 1), to.substring(0, to.length() - 1));
    }
  }

  /** Half of it shrinks. The path says where it was written first, so a file may be moved. */
  private byte[] content(String path, long operation, int length) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    SplittableRandom random = new SplittableRandom(seed ^ operation * 31 + name.hashCode());
    byte[] bytes = new byte[length];
    boolean shrinks = random.nextBoolean();
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (shrinks ? 'a' + random.nextInt(3) : random.nextInt());
    }
    return bytes;
  }

  private static StoreOptions options(String kind, Durability durability) {
    boolean folder = kind.equals("folder");
    return StoreOptions.DEFAULT
        .withBackend(folder ? "log" : kind)
        .withLayout(folder ? Layout.FOLDER : Layout.FILE)
        .withDurability(durability);
  }

  private void catchUp(VirtualFileStore store) throws IOException {
    long last = Long.parseLong(store.properties().getOrDefault(PROPERTY, "0"));
    for (long operation = done + 1; operation <= last; operation++) {
      apply(operation, null);
    }
  }

  private void write(Path file, StoreOptions options, long operations) throws IOException {
    VirtualFileStore store = VirtualFileStore.openOrCreate(file, options);
    try {
      catchUp(store);
      System.out.println("open " + done);
      for (long operation = done + 1; operation <= operations; operation++) {
        Packing packing = operation % 2 == 0 ? Packing.CLUSTERED : Packing.ALONE;
        try (WriteBatch batch = store.newBatch(packing)) {
          apply(operation, batch);
          batch.setProperty(PROPERTY, Long.toString(operation));
          batch.commit();
        }
        System.out.println("ack " + operation);
        if (operation % 40 == 0) {
          store.compact();
        } else if (operation % 55 == 0) {
          store.close();
          store = VirtualFileStore.open(file, options);
        }
      }
    } finally {
      store.close();
    }
  }

  private List<String> compare(VirtualFileStore store) throws IOException {
    List<String> wrong = new ArrayList<>();
    List<FileEntry> files;
    try (Stream<FileEntry> walk = store.walk("/")) {
      files = walk.filter(FileEntry::isFile).toList();
    }
    TreeMap<String, Written> missing = new TreeMap<>(model);
    for (FileEntry entry : files) {
      Written written = missing.remove(entry.path());
      if (written == null) {
        wrong.add("not written: " + entry.path());
      } else if (!Arrays.equals(
          store.read(entry.path()), content(entry.path(), written.operation, written.length))) {
        wrong.add("other content: " + entry.path());
      }
    }
    missing.keySet().forEach(path -> wrong.add("missing: " + path));
    store.verify(problem -> wrong.add("verify: " + problem));
    return wrong;
  }

  private List<String> check(Path file, StoreOptions options, long acknowledged)
      throws IOException {
    List<String> wrong = new ArrayList<>();
    if (!Files.exists(file)) {
      return acknowledged < 0 ? wrong : List.of("store is gone");
    }
    try (VirtualFileStore store = VirtualFileStore.open(file, options)) {
      catchUp(store);
      System.out.println("found operation " + done + ", acknowledged " + acknowledged);
      store.recoveryReport().forEach(problem -> System.out.println("recovered: " + problem));
      if (done < acknowledged) {
        wrong.add("lost: acknowledged=" + acknowledged + " found=" + done);
      }
      wrong.addAll(compare(store));
    }
    write(file, options, done + 1);
    try (VirtualFileStore store = VirtualFileStore.open(file, options.withReadOnly(true))) {
      wrong.addAll(compare(store));
    }
    return wrong;
  }

  public static void main(String[] args) throws IOException {
    Path file = Path.of(args[1]);
    Endurance endurance = new Endurance(Long.parseLong(args[3]));
    if (args[0].equals("write")) {
      Durability durability = Durability.valueOf(args[4]);
      try {
        endurance.write(file, options(args[2], durability), Long.parseLong(args[5]));
      } catch (StoreException e) {
        System.out.println("failed: " + e);
        System.exit(4);
      }
      return;
    }
    List<String> wrong;
    try {
      wrong = endurance.check(file, options(args[2], Durability.SYNC), Long.parseLong(args[4]));
    } catch (IOException e) {
      wrong = List.of(e.toString());
    }
    wrong.forEach(what -> System.out.println("WRONG " + what));
    System.exit(wrong.isEmpty() ? 0 : 1);
  }
}
