package dev.coffer.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.EntryKind;
import dev.coffer.vfs.FileEntry;
import dev.coffer.vfs.VirtualFileStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Whole trees of a store by value. */
final class Trees {
  private Trees() {}

  /** One path with everything a caller can see of it. */
  record Node(
      EntryKind kind,
      long version,
      Attributes attributes,
      @Nullable String linkTarget,
      ByteBuffer content) {}

  static List<String> paths(VirtualFileStore store, String top) throws IOException {
    try (Stream<FileEntry> walk = store.walk(top)) {
      return walk.map(FileEntry::path).toList();
    }
  }

  static List<FileEntry> entries(VirtualFileStore store) throws IOException {
    try (Stream<FileEntry> walk = store.walk("/")) {
      return walk.toList();
    }
  }

  /** Everything in a store that nobody writes to meanwhile. */
  static SortedMap<String, Node> read(VirtualFileStore store) throws IOException {
    SortedMap<String, Node> nodes = new TreeMap<>();
    for (FileEntry entry : entries(store)) {
      byte[] content = entry.isFile() ? store.read(entry.path()) : new byte[0];
      if (entry.isFile()) {
        assertEquals(entry.length(), content.length, entry.path());
      }
      nodes.put(
          entry.path(),
          new Node(
              entry.kind(),
              entry.version(),
              entry.attributes(),
              entry.linkTarget(),
              ByteBuffer.wrap(content)));
    }
    return nodes;
  }
}
