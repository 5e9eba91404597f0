package dev.coffer.backends.log;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * An immutable ordered map of rows by key: a B-tree whose changes copy the path to what they
 * change, so that a reader keeps the version it has, without a lock.
 */
final class IndexMap implements Iterable<Row> {
  private static final int MAX = 64;
  private static final int MIN = MAX / 4;

  /** The empty map. */
  static final IndexMap EMPTY = new IndexMap(new Node(new Object(), false), 0);

  private final Node root;
  private final long size;

  private IndexMap(Node root, long size) {
    this.root = root;
    this.size = size;
  }

  long size() {
    return size;
  }

  @Nullable Row get(byte[] key) {
    Node node = root;
    while (node.kids != null) {
      node = node.kid(node.route(key));
    }
    int at = node.search(key);
    return at >= 0 ? node.rows[at] : null;
  }

  @Override
  public Iterator<Row> iterator() {
    return from(new byte[0]);
  }

  /** The rows from the first whose key is not below {@code key}. */
  Iterator<Row> from(byte[] key) {
    return new Cursor(root, key);
  }

  Editor edit() {
    return new Editor(this);
  }

  /**
   * One node; in an inner one, {@code rows[i]} is not above any key below {@code kids[i]}, i > 0.
   */
  private static final class Node {
    final Object owner;
    final Row[] rows;
    final Node @Nullable [] kids;
    int count;

    Node(Object owner, boolean inner) {
      this.owner = owner;
      this.rows = new Row[MAX];
      this.kids = inner ? new Node[MAX] : null;
    }

    Node kid(int i) {
      return java.util.Objects.requireNonNull(kids)[i];
    }

    /** Which child a key is in, or would be. */
    int route(byte[] key) {
      int low = 1;
      int high = count;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (rows[middle].compareKey(key) <= 0) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low - 1;
    }

    /** Where a key is, or {@code -(where it would be) - 1}. */
    int search(byte[] key) {
      int low = 0;
      int high = count;
      while (low < high) {
        int middle = (low + high) >>> 1;
        int compared = rows[middle].compareKey(key);
        if (compared == 0) {
          return middle;
        }
        if (compared < 0) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return -low - 1;
    }

    Node ownedBy(Object newOwner) {
      return owner == newOwner ? this : slice(newOwner, 0, count);
    }

    Node slice(Object newOwner, int from, int to) {
      Node copy = new Node(newOwner, kids != null);
      copy.appendAll(this, from, to);
      return copy;
    }

    void appendAll(Node other, int from, int to) {
      System.arraycopy(other.rows, from, rows, count, to - from);
      if (kids != null && other.kids != null) {
        System.arraycopy(other.kids, from, kids, count, to - from);
      }
      count += to - from;
    }

    void insert(int at, Row row, @Nullable Node kid) {
      System.arraycopy(rows, at, rows, at + 1, count - at);
      rows[at] = row;
      if (kids != null && kid != null) {
        System.arraycopy(kids, at, kids, at + 1, count - at);
        kids[at] = kid;
      }
      count++;
    }

    void delete(int at) {
      System.arraycopy(rows, at + 1, rows, at, count - at - 1);
      if (kids != null) {
        System.arraycopy(kids, at + 1, kids, at, count - at - 1);
      }
      cut(count - 1);
    }

    void cut(int newCount) {
      java.util.Arrays.fill(rows, newCount, count, null);
      if (kids != null) {
        java.util.Arrays.fill(kids, newCount, count, null);
      }
      count = newCount;
    }
  }

  /** Builds the next version; used by one thread, then thrown away. */
  static final class Editor {
    private Object owner = new Object();
    private Node root;
    private long size;
    private @Nullable Row replaced;
    private @Nullable Node split;

    private Editor(IndexMap map) {
      root = map.root;
      size = map.size;
    }

    long size() {
      return size;
    }

    /** The row at a key, as edited so far. */
    @Nullable Row get(byte[] key) {
      return new IndexMap(root, size).get(key);
    }

    /** Puts a row under its key; answers the one it replaces, or null. */
    @Nullable Row put(Row row) {
      byte[] key =
          java.util.Arrays.copyOfRange(
              row.meta(), Row.KEY_OFFSET, Row.KEY_OFFSET + row.keyLength());
      replaced = null;
      split = null;
      root = put(root, key, row);
      Node right = split;
      if (right != null) {
        Node top = new Node(owner, true);
        top.insert(0, root.rows[0], root);
        top.insert(1, right.rows[0], right);
        root = top;
      }
      if (replaced == null) {
        size++;
      }
      return replaced;
    }

    private Node put(Node shared, byte[] key, Row row) {
      Node node = shared.ownedBy(owner);
      if (node.kids == null) {
        int at = node.search(key);
        if (at >= 0) {
          replaced = node.rows[at];
          node.rows[at] = row;
        } else {
          insert(node, -at - 1, row, null);
        }
        return node;
      }
      int at = node.route(key);
      node.kids[at] = put(node.kids[at], key, row);
      Node right = split;
      if (right != null) {
        split = null;
        insert(node, at + 1, right.rows[0], right);
      }
      return node;
    }

    /** Inserts, splitting a full node; at the very end only the new one moves, for bulk loads. */
    private void insert(Node node, int at, Row row, @Nullable Node kid) {
      if (node.count < MAX) {
        node.insert(at, row, kid);
        return;
      }
      int middle = at == MAX ? MAX : MAX / 2;
      Node right = node.slice(owner, middle, MAX);
      node.cut(middle);
      if (at < middle || (at == middle && middle < MAX)) {
        node.insert(at, row, kid);
      } else {
        right.insert(at - middle, row, kid);
      }
      split = right;
    }

    /** Removes a key; answers the row it had, or null. */
    @Nullable Row remove(byte[] key) {
      if (get(key) == null) {
        return null;
      }
      replaced = null;
      root = remove(root, key);
      while (root.kids != null && root.count == 1) {
        root = root.kid(0);
      }
      if (root.count == 0) {
        root = new Node(owner, false);
      }
      size--;
      return replaced;
    }

    private Node remove(Node shared, byte[] key) {
      Node node = shared.ownedBy(owner);
      if (node.kids == null) {
        int at = node.search(key);
        replaced = node.rows[at];
        node.delete(at);
        return node;
      }
      int at = node.route(key);
      Node kid = remove(node.kids[at], key);
      node.kids[at] = kid;
      if (kid.count == 0) {
        node.delete(at);
      } else if (kid.count < MIN && node.count > 1) {
        merge(node, at == 0 ? 0 : at - 1);
      }
      return node;
    }

    /** Merges child {@code at} and the next where both fit well into one. */
    private void merge(Node node, int at) {
      Node left = node.kid(at);
      Node right = node.kid(at + 1);
      if (left.count + right.count <= MAX / 2) {
        Node merged = left.ownedBy(owner);
        int seam = merged.count;
        merged.appendAll(right, 0, right.count);
        if (merged.kids != null) {
          merged.rows[seam] = node.rows[at + 1]; // A first child's own bound may be too high.
        }
        java.util.Objects.requireNonNull(node.kids)[at] = merged;
        node.delete(at + 1);
      }
    }

    /** The edited map; going on with this editor does not change it. */
    IndexMap done() {
      owner = new Object();
      return new IndexMap(root, size);
    }
  }

  private static final class Cursor implements Iterator<Row> {
    private static final int MAX_DEPTH = 16;
    private final Node[] path = new Node[MAX_DEPTH];
    private final int[] next = new int[MAX_DEPTH];
    private int depth;

    Cursor(Node root, byte[] key) {
      Node node = root;
      while (node.kids != null) {
        int at = node.route(key);
        path[depth] = node;
        next[depth++] = at + 1;
        node = node.kid(at);
      }
      int at = node.search(key);
      path[depth] = node;
      next[depth] = at >= 0 ? at : -at - 1;
      settle();
    }

    /** Climbs out of nodes that are used up and down to the next leaf. */
    private void settle() {
      while (depth >= 0 && next[depth] >= path[depth].count) {
        depth--;
      }
      while (depth >= 0 && path[depth].kids != null) {
        Node kid = path[depth].kid(next[depth]++);
        path[++depth] = kid;
        next[depth] = 0;
      }
    }

    @Override
    public boolean hasNext() {
      return depth >= 0;
    }

    @Override
    public Row next() {
      if (depth < 0) {
        throw new NoSuchElementException();
      }
      Row row = path[depth].rows[next[depth]++];
      settle();
      return row;
    }
  }
}
