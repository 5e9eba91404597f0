package dev.coffer.vfs.internal;

import dev.coffer.vfs.EntryKind;
import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.UnknownCodecException;
import dev.coffer.vfs.VerifyReport;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.EntryReader;
import dev.coffer.vfs.spi.ScanRange;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Checks every entry and all content through one reader. For one thread. */
final class Verifier {
  private final EntryReader reader;
  private final ContentReader contents;
  private final Consumer<Problem> listener;
  private final List<Problem> problems = new ArrayList<>();
  private String knownDirectory = "/";
  private long entries;
  private long plainBytes;

  Verifier(EntryReader reader, ContentReader contents, Consumer<Problem> listener) {
    this.reader = reader;
    this.contents = contents;
    this.listener = listener;
  }

  /** Hears of a problem found here or by the backend. */
  void report(Problem problem) {
    problems.add(problem);
    listener.accept(problem);
  }

  /** Hears of damage met while checking. */
  void report(StoreCorruptException e) {
    report(new Problem(e.path(), e.offset(), String.valueOf(e.getMessage())));
  }

  /**
   * Walks all entries.
   *
   * @param withContent whether their content is read too
   */
  void walk(boolean withContent) throws StoreException {
    checkRoot();
    EntryWalk walk = new EntryWalk(reader, ScanRange.ALL);
    while (walk.hasNext()) {
      try {
        Entry entry = walk.next();
        entries++;
        EntryMapper.toFileEntry(entry);
        checkParent(entry);
        if (withContent) {
          checkFound(entry);
          if (entry.kind() == EntryKind.FILE) {
            checkContent(entry);
          }
        }
      } catch (StoreCorruptException e) {
        report(e);
      }
    }
  }

  /** No scan lists the root, and in an empty store nothing else is looked up. */
  private void checkRoot() throws StoreException {
    try {
      @Nullable Entry unused = reader.lookup(EntryKey.ROOT);
    } catch (StoreCorruptException e) {
      report(e);
    }
  }

  VerifyReport report() {
    return new VerifyReport(entries, plainBytes, List.copyOf(problems));
  }

  private void checkParent(Entry entry) throws StoreException {
    String directory = entry.key().parent();
    if (entry.key().isRoot() || directory.equals(knownDirectory)) {
      return;
    }
    Entry parent = directory.length() == 1 ? null : reader.lookup(EntryKey.of(directory));
    if (directory.length() > 1 && (parent == null || parent.kind() != EntryKind.DIRECTORY)) {
      report(
          new Problem(
              entry.key().path(),
              -1,
              "entry lies in no directory: path=" + entry.key() + " parent=" + directory));
    }
    knownDirectory = directory;
  }

  /**
   * A listing may come from rows where a look-up goes through an index: both must know the entry.
   */
  private void checkFound(Entry entry) throws StoreException {
    Entry found = reader.lookup(entry.key());
    if (found == null || found.version() != entry.version()) {
      String path = entry.key().path();
      report(new Problem(path, -1, "entry is listed but not found by its path: path=" + path));
    }
  }

  private void checkContent(Entry entry) throws StoreException {
    String path = entry.key().path();
    try {
      if (entry.content() instanceof Content.Table table) {
        checkTable(entry, table);
      } else {
        byte[] plain = contents.readAll(reader, entry);
        if (plain == null) {
          throw new StoreCorruptException("content is missing: path=" + path, path, -1, null);
        }
        plainBytes += plain.length;
      }
    } catch (UnknownCodecException e) {
      report(new Problem(path, -1, String.valueOf(e.getMessage())));
    }
  }

  /** Reads chunk by chunk: the file need not fit in memory. */
  private void checkTable(Entry entry, Content.Table table) throws StoreException {
    TableReader reading = contents.table(reader, entry, table);
    byte[] plain = new byte[reading.chunkLength()];
    for (long index = 0; index < reading.chunkCount(); index++) {
      reading.read(index, plain, 0);
      plainBytes += reading.lengthOf(index);
    }
  }
}
