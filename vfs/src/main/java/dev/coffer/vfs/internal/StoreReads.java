package dev.coffer.vfs.internal;

import dev.coffer.vfs.EntryKind;
import dev.coffer.vfs.FileEntry;
import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.VerifyReport;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.Pin;
import dev.coffer.vfs.spi.ScanRange;
import dev.coffer.vfs.spi.View;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Reads against the newest commit, each seeing one version of what it reads. Thread-safe. */
final class StoreReads {
  /** A directory with fewer children is listed in one scan, which is of one moment by itself. */
  private static final int LIST_PAGE = 1000;

  /** How often content may be gone when it is to be read, before it counts as lost. */
  private static final int MAX_ATTEMPTS = 100;

  private final Backend backend;
  private final ContentReader contents;
  private final Attempt wholeFile;

  /** Whether the backend checks keys, so that it need not be done again. */
  private final boolean keysChecked;

  StoreReads(Backend backend, ContentReader contents) {
    this.backend = backend;
    this.contents = contents;
    this.wholeFile = new WholeFile();
    this.keysChecked = backend.capabilities().checksKeys();
  }

  private FileEntry show(Entry entry) throws StoreCorruptException {
    return keysChecked ? EntryMapper.map(entry) : EntryMapper.toFileEntry(entry);
  }

  byte[] readAll(EntryKey key) throws StoreException {
    return stable(key, wholeFile);
  }

  byte[] readRange(EntryKey key, long position, int length) throws StoreException {
    return stable(
        key,
        entry -> {
          if (position >= entry.length()) {
            return new byte[0];
          }
          int part = (int) Math.min(length, entry.length() - position);
          return contents.readRange(backend, entry, position, part);
        });
  }

  InputStream open(EntryKey key) throws StoreException {
    Entry entry = requireFile(key);
    if (!(entry.content() instanceof Content.Table)) {
      return new ByteArrayInputStream(readAll(key));
    }
    return openTable(key, entry);
  }

  List<FileEntry> list(String directory) throws StoreException {
    List<Entry> page = backend.scan(ScanRange.children(directory), null, LIST_PAGE);
    List<FileEntry> entries = new ArrayList<>(page.size());
    if (page.size() < LIST_PAGE) {
      for (Entry entry : page) {
        entries.add(show(entry));
      }
      return entries;
    }
    try (View view = backend.openView()) {
      EntryWalk walk = new EntryWalk(view, ScanRange.children(directory));
      while (walk.hasNext()) {
        entries.add(show(walk.next()));
      }
    }
    return entries;
  }

  Stream<FileEntry> walk(EntryKey key) throws StoreException {
    View view = backend.openView();
    boolean walking = false;
    try {
      Entry entry = view.lookup(key);
      if (entry == null && !key.isRoot()) {
        throw TreeOperations.noSuchEntry(key);
      }
      FileEntry top = entry == null ? EntryMapper.unstoredRoot() : show(entry);
      if (!top.isDirectory()) {
        return Stream.of(top);
      }
      Iterator<FileEntry> below =
          new WalkIterator(new EntryWalk(view, ScanRange.subtree(top.path())));
      Stream<FileEntry> stream =
          StreamSupport.stream(
              Spliterators.spliteratorUnknownSize(
                  below, Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.DISTINCT),
              false);
      walking = true;
      return Stream.concat(Stream.of(top), stream).onClose(() -> closeView(view));
    } finally {
      if (!walking) {
        view.close();
      }
    }
  }

  /** The content comes with the entries of the scan, without looking each up again. */
  int readFiles(
      String directory, @Nullable EntryKey after, int limit, BiConsumer<FileEntry, byte[]> files)
      throws StoreException {
    ScanRange range = ScanRange.subtree(directory);
    EntryKey position = after;
    int count = 0;
    while (count < limit) {
      int wanted = Math.min(limit - count, LIST_PAGE);
      List<Entry> page = backend.scan(range, position, wanted);
      for (Entry entry : page) {
        if (entry.kind() == EntryKind.FILE && readFile(entry, files)) {
          count++;
        }
      }
      if (page.size() < wanted) {
        break;
      }
      position = page.get(wanted - 1).key();
    }
    return count;
  }

  /** Answers whether the file is still there. */
  private boolean readFile(Entry scanned, BiConsumer<FileEntry, byte[]> files)
      throws StoreException {
    Entry entry = scanned;
    int attempts = 0;
    while (entry != null && entry.kind() == EntryKind.FILE) {
      Entry version = entry;
      byte[] content = attempt(version, wholeFile);
      if (content != null) {
        files.accept(show(version), content);
        return true;
      }
      attempts = countAttempt(version, attempts);
      entry = backend.lookup(version.key());
    }
    return false;
  }

  VerifyReport verify(Consumer<Problem> listener) throws StoreException {
    return verify(true, listener);
  }

  /** What listings may lack without saying so. */
  List<Problem> lostEntries() throws StoreException {
    if (backend.capabilities().listingsShowLoss()) {
      return backend.isReadOnly() ? backend.recoveryReport() : List.of();
    }
    return verify(false, problem -> {}).problems();
  }

  private VerifyReport verify(boolean withContent, Consumer<Problem> listener)
      throws StoreException {
    try (View view = backend.openView()) {
      Verifier verifier = new Verifier(view, contents, listener);
      if (backend.isReadOnly()) {
        // What a writable opening found is settled: cut off, reported, and written anew.
        backend.recoveryReport().forEach(verifier::report);
      }
      try {
        if (withContent) {
          backend.verify(verifier::report);
        } else {
          backend.verifyEntries(verifier::report);
        }
      } catch (StoreCorruptException e) {
        verifier.report(e);
      }
      verifier.walk(withContent);
      return verifier.report();
    }
  }

  /** A read that answers null if the content it was to read is gone. */
  @FunctionalInterface
  private interface Attempt {
    byte @Nullable [] read(Entry entry) throws StoreException;
  }

  private final class WholeFile implements Attempt {
    @Override
    public byte @Nullable [] read(Entry entry) throws StoreException {
      return contents.readAll(backend, entry);
    }
  }

  /** Reads one version of a file; if it is replaced under the read, reads the new one. */
  private byte[] stable(EntryKey key, Attempt attempt) throws StoreException {
    int attempts = 0;
    while (true) {
      Entry entry = requireFile(key);
      byte[] result = attempt(entry, attempt);
      if (result != null) {
        return result;
      }
      attempts = countAttempt(entry, attempts);
    }
  }

  private byte @Nullable [] attempt(Entry entry, Attempt attempt) throws StoreException {
    try {
      if (!(entry.content() instanceof Content.Table)) {
        return attempt.read(entry);
      }
      try (Pin pin = backend.pin(entry.content())) {
        return pin == null ? null : attempt.read(entry);
      }
    } catch (StoreCorruptException e) {
      throw named(e, entry.key());
    }
  }

  /** Damage that a backend met without knowing for whom it read. */
  private static StoreCorruptException named(StoreCorruptException e, EntryKey key) {
    String path = key.path();
    return e.path() != null
        ? e
        : new StoreCorruptException(e.getMessage() + " path=" + path, path, e.offset(), e);
  }

  private InputStream openTable(EntryKey key, Entry first) throws StoreException {
    Entry entry = first;
    int attempts = 0;
    while (entry.content() instanceof Content.Table table) {
      Pin pin = backend.pin(table);
      if (pin != null) {
        boolean opened = false;
        try {
          InputStream in =
              new StoreInputStream(contents.table(backend, entry, table), pin, entry.length());
          opened = true;
          return in;
        } finally {
          if (!opened) {
            pin.close();
          }
        }
      }
      attempts = countAttempt(entry, attempts);
      entry = requireFile(key);
    }
    return new ByteArrayInputStream(readAll(key));
  }

  /** Content goes when its entry is replaced or its bytes are moved; not again and again. */
  private static int countAttempt(Entry entry, int attempts) throws StoreException {
    if (attempts == MAX_ATTEMPTS) {
      String path = entry.key().path();
      throw new StoreCorruptException("content is missing: path=" + path, path, -1, null);
    }
    return attempts + 1;
  }

  private Entry requireFile(EntryKey key) throws StoreException {
    Entry entry;
    try {
      entry = backend.lookup(key);
    } catch (StoreCorruptException e) {
      throw named(e, key);
    }
    if (entry == null && !key.isRoot()) {
      throw TreeOperations.noSuchEntry(key);
    }
    if (entry == null || entry.kind() != EntryKind.FILE) {
      throw TreeOperations.notAFile(key);
    }
    return entry;
  }

  private static void closeView(View view) {
    try {
      view.close();
    } catch (StoreException e) {
      throw new UncheckedIOException(e);
    }
  }

  private final class WalkIterator implements Iterator<FileEntry> {
    private final EntryWalk walk;

    WalkIterator(EntryWalk walk) {
      this.walk = walk;
    }

    @Override
    public boolean hasNext() {
      return walk.hasNext();
    }

    @Override
    public FileEntry next() {
      try {
        return show(walk.next());
      } catch (StoreException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
