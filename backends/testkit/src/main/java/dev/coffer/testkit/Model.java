package dev.coffer.testkit;

import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.DirectoryNotEmptyException;
import dev.coffer.vfs.EntryExistsException;
import dev.coffer.vfs.EntryKind;
import dev.coffer.vfs.InvalidPathException;
import dev.coffer.vfs.NoSuchEntryException;
import dev.coffer.vfs.NotADirectoryException;
import dev.coffer.vfs.NotAFileException;
import dev.coffer.vfs.PathException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a store must do, in the simplest way that can be right: one map from paths to what is there,
 * and every operation first checked, then done. Knows nothing of chunks, commits or backends.
 */
final class Model {
  private TreeMap<String, Node> nodes = new TreeMap<>();

  /**
   * What is at one path.
   *
   * @param attributes those the caller gave; null where the store makes its own
   */
  @SuppressWarnings("ArrayRecordComponent") // Compared by nobody.
  record Node(
      EntryKind kind, byte[] content, @Nullable String target, @Nullable Attributes attributes) {

    static Node file(byte[] content, @Nullable Attributes attributes) {
      return new Node(EntryKind.FILE, content, null, attributes);
    }
  }

  /** Everything, by path; the root is not in it. */
  SortedMap<String, Node> nodes() {
    return nodes;
  }

  Model copy() {
    Model copy = new Model();
    copy.nodes = new TreeMap<>(nodes);
    return copy;
  }

  void replaceBy(Model other) {
    nodes = new TreeMap<>(other.nodes);
  }

  List<String> below(String path) {
    String prefix = path.equals("/") ? "/" : path + "/";
    List<String> found = new ArrayList<>();
    for (String other : nodes.tailMap(prefix, false).keySet()) {
      if (!other.startsWith(prefix)) {
        break;
      }
      found.add(other);
    }
    return found;
  }

  byte[] read(String path) throws PathException {
    Node node = require(path);
    if (node.kind() != EntryKind.FILE) {
      throw new NotAFileException("model", path);
    }
    return node.content();
  }

  void write(
      String path, byte[] content, @Nullable Attributes given, boolean createNew, boolean mustExist)
      throws PathException {
    Node old = requireWritable(path, createNew, mustExist);
    Attributes kept = given;
    if (given == null && old != null && old.kind() == EntryKind.FILE) {
      kept = old.attributes();
    }
    nodes.put(path, Node.file(content, kept));
  }

  void link(String path, String target) throws PathException {
    Node old = requireWritable(path, false, false);
    Attributes kept =
        old != null && old.kind() == EntryKind.SYMBOLIC_LINK ? old.attributes() : null;
    byte[] bytes = target.getBytes(StandardCharsets.UTF_8);
    nodes.put(path, new Node(EntryKind.SYMBOLIC_LINK, bytes, target, kept));
  }

  private @Nullable Node requireWritable(String path, boolean createNew, boolean mustExist)
      throws PathException {
    Node old = nodes.get(path);
    if (old == null && mustExist) {
      throw new NoSuchEntryException("model", path);
    }
    if (old != null && createNew) {
      throw new EntryExistsException("model", path);
    }
    if (old != null && old.kind() == EntryKind.DIRECTORY) {
      throw new NotAFileException("model", path);
    }
    makeParents(path);
    return old;
  }

  void createDirectories(String path) throws PathException {
    Node node = nodes.get(path);
    if (node == null) {
      makeParents(path);
      nodes.put(path, directory());
    } else if (node.kind() != EntryKind.DIRECTORY) {
      throw new NotADirectoryException("model", path);
    }
  }

  void delete(String path) throws PathException {
    if (require(path).kind() == EntryKind.DIRECTORY && !below(path).isEmpty()) {
      throw new DirectoryNotEmptyException("model", path);
    }
    nodes.remove(path);
  }

  void deleteRecursively(String path) throws PathException {
    require(path);
    below(path).forEach(nodes::remove);
    nodes.remove(path);
  }

  void relocate(String from, String to, boolean replace, boolean move) throws PathException {
    Node source = require(from);
    if (from.equals(to)) {
      return;
    }
    if (source.kind() == EntryKind.DIRECTORY && to.startsWith(from + "/")) {
      throw new InvalidPathException("model", to);
    }
    Node old = nodes.get(to);
    if (old != null && !replace) {
      throw new EntryExistsException("model", to);
    }
    if (old != null && old.kind() == EntryKind.DIRECTORY && !below(to).isEmpty()) {
      throw new DirectoryNotEmptyException("model", to);
    }
    makeParents(to);
    for (String path : below(from)) {
      Node node = require(path);
      nodes.put(to + path.substring(from.length()), node);
      if (move) {
        nodes.remove(path);
      }
    }
    nodes.put(to, source);
    if (move) {
      nodes.remove(from);
    }
  }

  void setAttributes(String path, Attributes attributes) throws PathException {
    Node old = require(path);
    nodes.put(path, new Node(old.kind(), old.content(), old.target(), attributes));
  }

  private static Node directory() {
    return new Node(EntryKind.DIRECTORY, new byte[0], null, null);
  }

  /** Checks the parents that are there before it makes those that are not. */
  private void makeParents(String path) throws PathException {
    for (int slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      Node parent = nodes.get(path.substring(0, slash));
      if (parent != null && parent.kind() != EntryKind.DIRECTORY) {
        throw new NotADirectoryException("model", path);
      }
    }
    for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
      nodes.putIfAbsent(path.substring(0, slash), directory());
    }
  }

  private Node require(String path) throws PathException {
    Node node = nodes.get(path);
    if (node == null) {
      throw new NoSuchEntryException("model", path);
    }
    return node;
  }
}
