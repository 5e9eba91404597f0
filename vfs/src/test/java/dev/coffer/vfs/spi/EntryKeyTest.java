package dev.coffer.vfs.spi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EntryKeyTest {
  private static final String[] ELEMENTS = {
    "a", "a-b", "ab", "b", "\u00e9", "\uffee", "\ud83d\ude00", "z!", "0", "long-name-of-a-file.txt"
  };

  @Test
  void everyWayToMakeAKeyMakesTheSame() {
    for (String path : paths(300)) {
      EntryKey key = EntryKey.of(path);
      int slash = path.lastIndexOf('/');
      String parent = slash == 0 ? "/" : path.substring(0, slash);
      String name = path.substring(slash + 1);
      for (EntryKey same :
          List.of(
              EntryKey.of(path),
              EntryKey.child(parent, name),
              fromBytes(key.bytes()),
              EntryKey.fromBytes(key.parentBytes(), name))) {
        assertEquals(key, same);
        assertEquals(key.hashCode(), same.hashCode());
        assertEquals(0, key.compareTo(same));
        assertEquals(path, same.path());
        assertEquals(parent, same.parent());
        assertEquals(name, same.name());
        assertArrayEquals(key.bytes(), same.bytes());
        assertFalse(same.isRoot());
      }
      assertArrayEquals(EntryKey.parentBytes(parent), key.parentBytes());
      byte[] last = name.getBytes(StandardCharsets.UTF_8);
      assertEquals(key.parentBytes().length + 1 + last.length, key.bytes().length);
    }
  }

  @Test
  void ordersByParentElementByElementThenByName() {
    List<String> paths = paths(200);
    for (String a : paths) {
      for (String b : paths) {
        EntryKey left = EntryKey.of(a);
        EntryKey right = EntryKey.of(b);
        int byParent = EntryKey.comparePaths(left.parent(), right.parent());
        int expected = byParent != 0 ? byParent : EntryKey.comparePaths(left.name(), right.name());
        assertEquals(
            Integer.signum(expected), Integer.signum(left.compareTo(right)), a + " and " + b);
        assertEquals(left.parent().equals(right.parent()), left.hasSameParent(right));
      }
    }
  }

  @Test
  void rootComesBeforeWhateverItHolds() {
    EntryKey first = EntryKey.child("/", "");
    assertTrue(EntryKey.ROOT.isRoot());
    assertEquals("/", EntryKey.ROOT.path());
    assertEquals("", EntryKey.ROOT.parent());
    assertEquals(EntryKey.ROOT, EntryKey.of("/"));
    assertEquals(EntryKey.ROOT, fromBytes(EntryKey.ROOT.bytes()));
    assertEquals(EntryKey.ROOT, EntryKey.fromBytes(new byte[0], ""));
    assertNotEquals(EntryKey.ROOT, first);
    assertTrue(EntryKey.ROOT.compareTo(first) < 0);
    assertTrue(first.compareTo(EntryKey.of("/0")) < 0);
    assertTrue(EntryKey.child("/a", "").compareTo(EntryKey.of("/a/0")) < 0);
    assertTrue(EntryKey.child("/a", "").compareTo(EntryKey.of("/a")) > 0);
  }

  private static List<String> paths(int count) {
    Random random = new Random(20);
    List<String> paths = new ArrayList<>();
    while (paths.size() < count) {
      StringBuilder path = new StringBuilder();
      for (int depth = 1 + random.nextInt(4); depth > 0; depth--) {
        path.append('/').append(ELEMENTS[random.nextInt(ELEMENTS.length)]);
      }
      paths.add(path.toString());
    }
    return paths;
  }

  /** From the middle of an array. */
  private static EntryKey fromBytes(byte[] bytes) {
    byte[] longer = new byte[bytes.length + 5];
    System.arraycopy(bytes, 0, longer, 3, bytes.length);
    return EntryKey.fromBytes(longer, 3, bytes.length);
  }
}
