package dev.coffer.cli;

import dev.coffer.vfs.FileEntry;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.VirtualFileStore;
import dev.coffer.vfs.spi.EntryKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Goes over everything at and below a path in key order, past damage: where the listing breaks, it
 * goes on folder by folder, so only what cannot be listed is lost.
 */
final class Listing {
  /** Takes one entry. */
  interface Visitor {
    void visit(FileEntry entry) throws IOException;
  }

  /** Hears of a folder that cannot be listed. */
  interface Damage {
    void lost(String path, StoreCorruptException cause);
  }

  private final VirtualFileStore store;
  private final Visitor visitor;
  private final Damage damage;
  private @Nullable EntryKey last;

  private Listing(VirtualFileStore store, Visitor visitor, Damage damage) {
    this.store = store;
    this.visitor = visitor;
    this.damage = damage;
  }

  static void walk(VirtualFileStore store, String path, Visitor visitor, Damage damage)
      throws IOException {
    new Listing(store, visitor, damage).walk(path);
  }

  private void walk(String path) throws IOException {
    try (Stream<FileEntry> entries = store.walk(path)) {
      Iterator<FileEntry> iterator = entries.iterator();
      while (hasNext(iterator)) {
        visit(iterator.next());
      }
      return;
    } catch (StoreCorruptException e) {
      damage.lost(path, e);
    }
    resume(path);
  }

  private static boolean hasNext(Iterator<FileEntry> iterator) throws IOException {
    try {
      return iterator.hasNext();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private void visit(FileEntry entry) throws IOException {
    last = EntryKey.of(entry.path());
    visitor.visit(entry);
  }

  private void resume(String path) throws IOException {
    Deque<String> folders = new ArrayDeque<>();
    folders.push(path);
    while (!folders.isEmpty()) {
      String folder = folders.pop();
      List<FileEntry> children;
      try {
        children = store.list(folder);
      } catch (StoreCorruptException e) {
        damage.lost(folder, e);
        continue;
      }
      List<String> below = new ArrayList<>();
      for (FileEntry child : children) {
        if (last == null || EntryKey.of(child.path()).compareTo(last) > 0) {
          visit(child);
        }
        if (child.isDirectory()) {
          below.add(child.path());
        }
      }
      for (int i = below.size() - 1; i >= 0; i--) {
        folders.push(below.get(i));
      }
    }
  }
}
