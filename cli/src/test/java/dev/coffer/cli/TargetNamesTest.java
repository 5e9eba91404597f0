package dev.coffer.cli;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.coffer.vfs.Attributes;
import dev.coffer.vfs.EntryKind;
import dev.coffer.vfs.FileEntry;
import java.nio.file.FileSystems;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TargetNamesTest {
  private static FileEntry entry(String path) {
    Attributes attributes = Attributes.of(0644, Instant.EPOCH);
    return new FileEntry(path, EntryKind.FILE, 0, 0, 0, 1, attributes, null);
  }

  private static TargetNames names(boolean windows, boolean ignoresCase, boolean ignoresForm) {
    return new TargetNames(FileSystems.getDefault(), windows, ignoresCase, ignoresForm);
  }

  @Test
  void namesThatDifferInCaseCollideOnlyWithinAFolderOfSuchATarget() {
    TargetNames names = names(false, true, false);
    assertNull(names.refuse(entry("/a")));
    assertNotNull(names.refuse(entry("/A")));
    assertNull(names.refuse(entry("/e\u0301")));
    assertNull(names.refuse(entry("/\u00e9")));
    assertNull(names.refuse(entry("/d/A")));
    assertNotNull(names.refuse(entry("/d/a")));
  }

  @Test
  void composedAndDecomposedNamesCollideWhereTheyAreTheSame() {
    TargetNames names = names(false, false, true);
    assertNull(names.refuse(entry("/e\u0301")));
    assertNotNull(names.refuse(entry("/\u00e9")));
    assertNull(names.refuse(entry("/A")));
    assertNull(names.refuse(entry("/a")));
  }

  @Test
  void aDiscerningTargetTakesThemAll() {
    TargetNames names = names(false, false, false);
    for (String path : new String[] {"/a", "/A", "/e\u0301", "/\u00e9", "/a\\b", "/CON", "/a:b"}) {
      assertNull(names.refuse(entry(path)), path);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "C:",
        "a:b",
        "a\\b",
        "CON",
        "con.txt",
        "Nul",
        "COM1",
        "lpt\u00b9.x",
        "dot.",
        "space ",
        "a*",
        "q?",
        "new\nline",
        "AUX .txt"
      })
  void windowsCannotHold(String name) {
    assertNotNull(names(true, false, false).refuse(entry("/" + name)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"CONSOLE", "com", "COM10", ".hidden", "a b", "\u00e9"})
  void windowsHolds(String name) {
    assertNull(names(true, false, false).refuse(entry("/" + name)));
  }
}
