package dev.coffer.backends.log;

import dev.coffer.vfs.Layout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Files in memory that remember every step, so that a test can see what a crash after any of them
 * would leave; and that can be made to fail, or to lie.
 */
class FaultyStorage implements Storage {

  /** A fault this storage has on purpose, to show that the tests notice it. */
  enum Bug {
    /** Forcing a file does nothing. */
    NO_FORCE,
    /** Forcing a folder does nothing. */
    NO_DIRECTORY_FORCE,
    /** A write loses its last byte without saying so. */
    SHORT_WRITE,
    /** Truncating does nothing. */
    NO_TRUNCATE,
    /** What is not in its place yet is not forced, as if it were renamed before. */
    NO_FORCE_BEFORE_RENAME,
    /** A file that is replaced is deleted first. */
    DELETE_BEFORE_RENAME
  }

  private enum Kind {
    WRITE,
    TRUNCATE,
    FORCE,
    NAME,
    FORCE_NAMES
  }

  private record Step(Kind kind, int inode, long position, byte[] bytes, Path from, Path to) {
    /** The folder a name is changed in. */
    Path folder() {
      return (to == null ? from : to).getParent();
    }
  }

  /** With runs of a few rows, made by the thread that commits. */
  static final Tuning TINY = new Tuning(600, 100, 1, 3, 700, false, 700, 3000, 300, 3);

  /** As usual, but for what would only make tests slow. */
  static final Tuning PLAIN =
      new Tuning(16 << 20, 64 << 10, 1, 1 << 20, 700, false, 1 << 20, 1 << 28, 4096, 64);

  /** How stores in these files are to be opened. */
  Tuning tuning = PLAIN;

  /** How a new store in these files is to be laid out. */
  Layout layout = Layout.FILE;

  private final Set<Bug> bugs;
  private final List<Step> steps = new ArrayList<>();
  private final Map<Path, Integer> names = new HashMap<>();
  private final List<byte[]> inodes = new ArrayList<>();
  private final List<byte[]> firstInodes = new ArrayList<>();
  private final Set<Integer> folders = new HashSet<>();
  private final Set<Path> madeFolders = new HashSet<>();
  private final Map<Path, Integer> firstNames = new HashMap<>();
  private int failAt = -1;
  private String failure = "";
  private long capacity = -1;

  /** Whether files can have second names. */
  boolean linksWork = true;

  FaultyStorage(Bug... bugs) {
    this.bugs = Set.of(bugs);
  }

  /** A storage that starts with one file. */
  static FaultyStorage with(Path file, byte[] bytes) {
    FaultyStorage storage = new FaultyStorage();
    storage.put(file, bytes);
    return storage;
  }

  /** The same files, nothing of them at risk any more, and no steps taken yet. */
  synchronized FaultyStorage restarted() {
    FaultyStorage copy = new FaultyStorage(bugs.toArray(new Bug[0]));
    copy.tuning = tuning;
    copy.layout = layout;
    names.forEach(
        (file, inode) -> {
          if (folders.contains(inode)) {
            copy.folders.add(copy.inodes.size());
          }
          copy.put(file, inodes.get(inode));
        });
    return copy;
  }

  private void put(Path file, byte[] bytes) {
    names.put(file, inodes.size());
    firstNames.put(file, inodes.size());
    inodes.add(bytes.clone());
    firstInodes.add(bytes.clone());
  }

  /** How many steps were taken. */
  synchronized int steps() {
    return steps.size();
  }

  /** Makes the step after the next {@code steps} ones, and every later one, fail. */
  synchronized void failAfter(int count, String message) {
    failAt = steps.size() + count;
    failure = message;
  }

  /** From now on the files take at most so many bytes; less than none for as many as they like. */
  synchronized void limitTo(long bytes) {
    capacity = bytes;
  }

  /** How many bytes all files take. */
  synchronized long bytesTaken() {
    return new HashSet<>(names.values()).stream().mapToLong(each -> inodes.get(each).length).sum();
  }

  synchronized void heal() {
    failAt = -1;
  }

  synchronized byte[] bytes(Path file) {
    return inodes.get(names.get(file)).clone();
  }

  private synchronized void step(Step step) throws IOException {
    if (failAt >= 0 && steps.size() >= failAt) {
      throw new IOException(failure);
    }
    steps.add(step);
  }

  /** What is left if the process dies after {@code count} steps: all of them, nothing more. */
  FaultyStorage killedAfter(int count) {
    return cutAfter(count, Fates.NONE);
  }

  /** What may be left if the power fails after {@code count} steps. */
  FaultyStorage cutAfter(int count, Random random) {
    return cutAfter(count, Fates.by(random));
  }

  /** Which of the first {@code count} steps a power cut after them may undo. */
  synchronized List<Integer> atRisk(int count) {
    List<Step> taken = steps.subList(0, count);
    List<Integer> risk = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Step step = taken.get(i);
      boolean content = step.kind == Kind.WRITE || step.kind == Kind.TRUNCATE;
      if ((content && i > lastIndex(taken, Kind.FORCE, step.inode))
          || (step.kind == Kind.NAME && i > lastForce(taken, step.folder()))) {
        risk.add(i);
      }
    }
    return risk;
  }

  /** How many bytes a step wrote; 0 if it was no write. */
  synchronized int writtenBy(int step) {
    return steps.get(step).kind == Kind.WRITE ? steps.get(step).bytes.length : 0;
  }

  /** The window of buffered commits may take a step at any time. */
  synchronized FaultyStorage cutAfter(int count, Fates fates) {
    FaultyStorage left = new FaultyStorage(bugs.toArray(new Bug[0]));
    left.tuning = tuning;
    left.layout = layout;
    List<Step> taken = steps.subList(0, count);
    for (int inode = 0; inode < inodes.size(); inode++) {
      byte[] first = inode < firstInodes.size() ? firstInodes.get(inode) : new byte[0];
      left.inodes.add(content(first, taken, inode, fates));
    }
    left.names.putAll(firstNames);
    left.folders.addAll(folders);
    Set<Path> stopped = new HashSet<>();
    for (int i = 0; i < count; i++) {
      Step step = taken.get(i);
      if (step.kind == Kind.NAME) {
        Path folder = step.folder();
        boolean sure = i <= lastForce(taken, folder);
        if (!sure && fates.losesName(i)) {
          stopped.add(folder); // What follows in this folder is lost too; not so in others.
        }
        if (!stopped.contains(folder)) {
          rename(left.names, step);
        }
      }
    }
    while (left.names.keySet().removeIf(file -> !isReachable(file, left.names))) {
      // What was in a lost folder is lost, and so is what was in that.
    }
    return left.restarted();
  }

  private static int lastForce(List<Step> taken, Path folder) {
    for (int i = taken.size() - 1; i >= 0; i--) {
      if (taken.get(i).kind == Kind.FORCE_NAMES && folder.equals(taken.get(i).from)) {
        return i;
      }
    }
    return -1;
  }

  /** Whether the folder a file is in is there still; those that no step made always are. */
  private boolean isReachable(Path file, Map<Path, Integer> left) {
    Path folder = file.getParent();
    return left.containsKey(folder) || !madeFolders.contains(folder);
  }

  private static void rename(Map<Path, Integer> names, Step step) {
    if (step.from != null) {
      names.remove(step.from);
    }
    if (step.to != null) {
      names.put(step.to, step.inode);
    }
    if (step.from != null && step.to != null) {
      for (Path below : List.copyOf(names.keySet())) {
        if (below.startsWith(step.from)) {
          names.put(step.to.resolve(step.from.relativize(below)), names.remove(below));
        }
      }
    }
  }

  private static int lastIndex(List<Step> taken, Kind kind, int inode) {
    for (int i = taken.size() - 1; i >= 0; i--) {
      if (taken.get(i).kind == kind && (inode < 0 || taken.get(i).inode == inode)) {
        return i;
      }
    }
    return -1;
  }

  private static byte[] content(byte[] first, List<Step> taken, int inode, Fates fates) {
    int forced = lastIndex(taken, Kind.FORCE, inode);
    byte[] bytes = first;
    for (int i = 0; i < taken.size(); i++) {
      Step step = taken.get(i);
      if (step.inode == inode && (step.kind == Kind.WRITE || step.kind == Kind.TRUNCATE)) {
        int length = step.kind == Kind.WRITE ? step.bytes.length : 0;
        Fates.Tear tear = i <= forced ? Fates.WHOLE : fates.of(i, length);
        if (tear != null) {
          int kept = Math.min(length, tear.kept());
          int start = Math.max(bytes.length, (int) step.position + kept);
          bytes = apply(bytes, step, kept);
          if (kept < length && tear.fill() != Fates.Fill.NOTHING) {
            bytes = extended(bytes, (int) step.position + length);
            if (tear.fill() == Fates.Fill.STALE) {
              bytes = stale(bytes, start, taken, fates.random());
            }
          }
        }
      }
    }
    return bytes;
  }

  /** The end of a file as the device left it: what was once written elsewhere. */
  private static byte[] stale(byte[] bytes, int start, List<Step> taken, Random random) {
    byte[] source = null;
    for (int tries = 0; tries < 10 && source == null; tries++) {
      source = taken.get(random.nextInt(taken.size())).bytes;
    }
    if (source == null || source.length == 0 || start >= bytes.length) {
      return bytes;
    }
    byte[] result = bytes.clone();
    for (int at = start; at < result.length; at++) {
      result[at] = source[(at - start) % source.length];
    }
    return result;
  }

  private static byte[] extended(byte[] bytes, int length) {
    return bytes.length < length ? Arrays.copyOf(bytes, length) : bytes;
  }

  private synchronized boolean isDraft(int inode) {
    return names.entrySet().stream()
        .anyMatch(name -> name.getValue() == inode && name.getKey().toString().endsWith(".new"));
  }

  private static byte[] apply(byte[] bytes, Step step, int length) {
    if (step.kind == Kind.TRUNCATE) {
      return bytes.length > step.position ? Arrays.copyOf(bytes, (int) step.position) : bytes;
    }
    byte[] result = extended(bytes, (int) step.position + length);
    result = result == bytes ? bytes.clone() : result;
    System.arraycopy(step.bytes, 0, result, (int) step.position, length);
    return result;
  }

  @Override
  public Path realPath(Path file) {
    return file;
  }

  @Override
  public synchronized boolean exists(Path file) {
    return names.containsKey(file);
  }

  @Override
  public synchronized boolean isDirectory(Path file) {
    return folders.contains(names.get(file));
  }

  @Override
  public synchronized void createFolder(Path directory) throws IOException {
    if (!names.containsKey(directory)) {
      int inode = inodes.size();
      step(new Step(Kind.NAME, inode, 0, null, null, directory));
      inodes.add(new byte[0]);
      folders.add(inode);
      madeFolders.add(directory);
      names.put(directory, inode);
    }
  }

  @Override
  public synchronized List<Path> list(Path directory) {
    return names.keySet().stream().filter(file -> directory.equals(file.getParent())).toList();
  }

  @Override
  public synchronized OpenFile open(Path file, boolean writable) throws IOException {
    Integer inode = names.get(file);
    if (inode == null) {
      throw new NoSuchFileException(file.toString());
    }
    return new MemoryFile(inode);
  }

  @Override
  public synchronized OpenFile create(Path file) throws IOException {
    int inode = inodes.size();
    step(new Step(Kind.NAME, inode, 0, null, null, file));
    inodes.add(new byte[0]);
    names.put(file, inode);
    return new MemoryFile(inode);
  }

  @Override
  public synchronized void rename(Path from, Path to) throws IOException {
    if (bugs.contains(Bug.DELETE_BEFORE_RENAME)) {
      delete(to);
    }
    Step step = new Step(Kind.NAME, names.get(from), 0, null, from, to);
    step(step);
    rename(names, step);
    if (folders.contains(step.inode)) {
      madeFolders.add(to);
    }
  }

  @Override
  public synchronized void link(Path file, Path second) throws IOException {
    if (!linksWork || !names.containsKey(file)) {
      throw new IOException("cannot link: file=" + second);
    }
    step(new Step(Kind.NAME, names.get(file), 0, null, null, second));
    names.put(second, names.get(file));
  }

  @Override
  public synchronized void delete(Path file) throws IOException {
    if (names.containsKey(file)) {
      Step step = new Step(Kind.NAME, -1, 0, null, file, null);
      step(step);
      rename(names, step);
    }
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
    if (!bugs.contains(Bug.NO_DIRECTORY_FORCE)) {
      step(new Step(Kind.FORCE_NAMES, -1, 0, null, directory, null));
    }
  }

  @Override
  public synchronized long usableBytes(Path file) {
    return capacity < 0 ? -1 : Math.max(0, capacity - bytesTaken());
  }

  @Override
  public Lock lockDraft(Path store, Path draft) {
    return lock(store);
  }

  @Override
  public Lock lock(Path file) {
    return new Lock() {
      @Override
      public void covers(Path dataFile) {}

      @Override
      public void close() {}
    };
  }

  private final class MemoryFile implements OpenFile {
    private final int inode;

    MemoryFile(int inode) {
      this.inode = inode;
    }

    private byte[] bytes() {
      synchronized (FaultyStorage.this) {
        return inodes.get(inode);
      }
    }

    @Override
    public long size() {
      return bytes().length;
    }

    @Override
    public int read(long position, byte[] target, int offset, int length) {
      byte[] bytes = bytes();
      int count = (int) Math.max(0, Math.min(length, bytes.length - position));
      System.arraycopy(bytes, (int) Math.min(position, bytes.length), target, offset, count);
      return count;
    }

    @Override
    public void write(long position, byte[] source, int offset, int length) throws IOException {
      int kept = bugs.contains(Bug.SHORT_WRITE) ? length - 1 : length;
      byte[] copy = Arrays.copyOfRange(source, offset, offset + kept);
      change(new Step(Kind.WRITE, inode, position, copy, null, null));
    }

    @Override
    public void truncate(long size) throws IOException {
      if (!bugs.contains(Bug.NO_TRUNCATE)) {
        change(new Step(Kind.TRUNCATE, inode, size, null, null, null));
      }
    }

    private void change(Step step) throws IOException {
      synchronized (FaultyStorage.this) {
        byte[] changed = apply(bytes(), step, step.bytes == null ? 0 : step.bytes.length);
        int growth = changed.length - bytes().length;
        if (capacity >= 0 && growth > 0 && bytesTaken() + growth > capacity) {
          throw new IOException("No space left on device");
        }
        step(step);
        inodes.set(inode, changed);
      }
    }

    @Override
    public void force(boolean metadata) throws IOException {
      boolean early = bugs.contains(Bug.NO_FORCE_BEFORE_RENAME) && isDraft(inode);
      if (!bugs.contains(Bug.NO_FORCE) && !early) {
        step(new Step(Kind.FORCE, inode, 0, null, null, null));
      }
    }

    @Override
    public boolean tryLock() {
      return true;
    }

    @Override
    public void renamedTo(Path name) {}

    @Override
    public ByteBuffer map(long position, long length) {
      return null;
    }

    @Override
    public void close() {}
  }
}
