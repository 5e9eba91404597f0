package dev.coffer.cli;

import dev.coffer.vfs.FileEntry;
import dev.coffer.vfs.VirtualFileStore;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes entries of a store below a target folder: first folders and files, then links, so that no
 * file can be written through a link of the same store, and last the folders' own times and
 * permissions. Goes over the listing once for each, so memory does not grow with it. An entry that
 * fails is named, and the rest goes on. For one thread, which it helps with others.
 */
final class Extractor implements Closeable {
  /** Up to this length a file is read whole. */
  private static final int SMALL = 1 << 20;

  /** How many files, and bytes of them, one piece of work has. */
  private static final int GROUP_FILES = 32;

  private static final long GROUP_BYTES = 1 << 20;

  /** What an owner needs to go into a folder. */
  private static final int SEARCHABLE = 0500;

  private final VirtualFileStore store;
  private final Console console;
  private final Folder target;
  private final Staging staging;
  private final Workers workers = new Workers("coffer-extract");
  private final FolderStack stack;
  private final Map<String, Lost> lostFolders = new LinkedHashMap<>();
  private final List<FileEntry> group = new ArrayList<>();
  private long groupBytes;
  private @Nullable Folder groupFolder;
  private long links;

  /** A folder that could not be made, and how many entries below it are lost with it. */
  private static final class Lost {
    final String path;
    final String why;
    long below;

    Lost(String path, String why) {
      this.path = path;
      this.why = why;
    }
  }

  Extractor(VirtualFileStore store, Console console, Folder target) throws IOException {
    this.store = store;
    this.console = console;
    this.target = target;
    this.staging = Staging.in(target.path());
    this.stack = new FolderStack(target);
  }

  /**
   * Extracts paths, none below another, with all that is below them.
   *
   * @param own whether the target itself gets the time and permissions of the store's root
   */
  void extract(List<String> paths, boolean own) throws IOException {
    List<FileEntry> made = new ArrayList<>();
    for (String path : paths) {
      if (path.length() > 1) {
        makeAbove(StorePaths.parent(path), made);
      }
    }
    pass(paths, this::placeFoldersAndFiles, this::lose, console::fail);
    nameLostFolders();
    endGroup();
    workers.await();
    if (links > 0) {
      pass(paths, this::placeLink, (entry, why) -> {}, (path, cause) -> {});
    }
    setFolderAttributes(paths, made, own);
  }

  /** Takes one entry that the target can hold. */
  private interface Step {
    void take(FileEntry entry) throws IOException;
  }

  /** Hears of an entry that the target cannot hold. */
  private interface Refusal {
    void refused(FileEntry entry, String why);
  }

  /** Goes over all entries below the root. */
  private void pass(List<String> paths, Step step, Refusal refusals, Listing.Damage damage)
      throws IOException {
    TargetNames names = staging.names();
    for (String path : paths) {
      Listing.Visitor visitor =
          entry -> {
            if (entry.path().length() == 1) {
              return;
            }
            String refusal = names.refuse(entry);
            if (refusal == null) {
              step.take(entry);
            } else {
              refusals.refused(entry, refusal);
            }
          };
      Listing.walk(store, path, visitor, damage);
    }
  }

  private void lose(FileEntry entry, String why) {
    console.fail();
    Lost above = lostFolders.get(StorePaths.parent(entry.path()));
    if (above != null) {
      above.below++;
    }
    if (entry.isDirectory()) {
      lostFolders.put(entry.path(), above == null ? new Lost(entry.path(), why) : above);
    } else if (above == null) {
      console.fail(entry.path(), why);
    }
  }

  private void lose(FileEntry entry, IOException cause) {
    lose(entry, Failures.message(cause));
    console.trace(cause);
  }

  /** Names each folder that could not be made, and not all that is below. */
  private void nameLostFolders() {
    for (Map.Entry<String, Lost> folder : lostFolders.entrySet()) {
      Lost lost = folder.getValue();
      if (folder.getKey().equals(lost.path)) {
        String more = lost.below == 0 ? "" : "; left out with all below: entries=" + lost.below;
        console.fail(lost.path, lost.why + more);
      }
    }
  }

  /** Makes the folders above a path, and notes the entries of those that were missing. */
  private void makeAbove(String path, List<FileEntry> made) throws IOException {
    if (path.length() == 1) {
      return;
    }
    String parent = StorePaths.parent(path);
    makeAbove(parent, made);
    FileEntry entry = store.stat(path);
    try {
      if (staging.placeFolder(stack.open(parent), entry.name())) {
        made.add(entry);
      }
    } catch (IOException e) {
      lose(entry, e);
    }
  }

  private void placeFoldersAndFiles(FileEntry entry) throws IOException {
    String parent = StorePaths.parent(entry.path());
    if (lostFolders.containsKey(parent)) {
      lose(entry, "its folder could not be made");
      return;
    }
    if (entry.isSymbolicLink()) {
      links++;
      return;
    }
    try {
      Folder folder = openOrMake(parent);
      if (entry.isDirectory()) {
        staging.placeFolder(folder, entry.name());
      } else {
        addToGroup(folder, entry);
      }
    } catch (FileSystemException e) {
      lose(entry, e);
    }
  }

  /** Opens a folder; makes it if the entry that should have led to it is itself lost. */
  private Folder openOrMake(String path) throws IOException {
    try {
      return stack.open(path);
    } catch (NoSuchFileException e) {
      String parent = StorePaths.parent(path);
      staging.placeFolder(openOrMake(parent), path.substring(path.lastIndexOf('/') + 1));
      return stack.open(path);
    }
  }

  private void addToGroup(Folder folder, FileEntry entry) throws IOException {
    if (groupFolder != folder || group.size() >= GROUP_FILES || groupBytes >= GROUP_BYTES) {
      endGroup();
    }
    if (groupFolder == null) {
      groupFolder = folder.hold();
    }
    group.add(entry);
    groupBytes += entry.length();
  }

  private void endGroup() throws IOException {
    Folder folder = groupFolder;
    if (folder != null) {
      List<FileEntry> files = List.copyOf(group);
      groupFolder = null;
      group.clear();
      groupBytes = 0;
      workers.submit(() -> placeFiles(folder, files));
    }
  }

  private void placeFiles(Folder folder, List<FileEntry> files) throws IOException {
    try (folder) {
      for (FileEntry entry : files) {
        try (InputStream content = open(entry)) {
          staging.placeFile(folder, entry.name(), content, meta(entry));
        } catch (IOException e) {
          Failures.rethrowUnlessOfEntry(e);
          console.fail(entry.path(), e);
        }
      }
    }
  }

  private InputStream open(FileEntry entry) throws IOException {
    return entry.length() <= SMALL
        ? new ByteArrayInputStream(store.read(entry.path()))
        : store.newInputStream(entry.path());
  }

  /** Set-user-id, set-group-id and sticky bits are not restored. */
  private static FileMeta meta(FileEntry entry) {
    return new FileMeta(
        FileMeta.Kind.FILE,
        entry.length(),
        entry.attributes().mode() & 0777,
        entry.attributes().modified(),
        null);
  }

  private void placeLink(FileEntry entry) throws IOException {
    if (!entry.isSymbolicLink() || lostFolders.containsKey(StorePaths.parent(entry.path()))) {
      return;
    }
    String target = Objects.requireNonNull(entry.linkTarget());
    try {
      String made =
          staging.placeLink(
              openOrMake(StorePaths.parent(entry.path())),
              entry.name(),
              target,
              entry.attributes().modified());
      if (!made.equals(target)) {
        console.fail(
            entry.path(), "link target was normalised: target=" + target + " made=" + made);
      }
    } catch (FileSystemException | IllegalArgumentException e) {
      console.fail(entry.path(), e);
    }
  }

  private void setFolderAttributes(List<String> paths, List<FileEntry> made, boolean own)
      throws IOException {
    Deque<FileEntry> closed = new ArrayDeque<>();
    Step step =
        entry -> {
          if (entry.isDirectory() && !lostFolders.containsKey(entry.path())) {
            setFolderAttributes(entry, closed);
          }
        };
    pass(paths, step, (entry, why) -> {}, (path, cause) -> {});
    for (FileEntry entry : made) {
      setFolderAttributes(entry, closed);
    }
    // A folder that may not be entered is closed only when nothing below is left to do.
    for (FileEntry entry : closed) {
      try {
        setMode(stack.open(entry.path()), entry);
      } catch (FileSystemException e) {
        console.fail(entry.path(), e);
      }
    }
    if (own) {
      FileEntry root = store.stat("/");
      target.setMode(root.attributes().mode() & 0777);
      target.setModified(root.attributes().modified());
    }
  }

  private void setFolderAttributes(FileEntry entry, Deque<FileEntry> closed) throws IOException {
    try {
      Folder folder = stack.open(entry.path());
      folder.setModified(entry.attributes().modified());
      if ((entry.attributes().mode() & SEARCHABLE) == SEARCHABLE) {
        setMode(folder, entry);
      } else {
        closed.push(entry);
      }
    } catch (FileSystemException e) {
      console.fail(entry.path(), e);
    }
  }

  private static void setMode(Folder folder, FileEntry entry) throws IOException {
    folder.setMode(entry.attributes().mode() & 0777);
  }

  @Override
  public void close() throws IOException {
    try {
      workers.close();
      if (groupFolder != null) {
        groupFolder.close();
      }
      stack.close();
    } finally {
      staging.close();
    }
  }
}
