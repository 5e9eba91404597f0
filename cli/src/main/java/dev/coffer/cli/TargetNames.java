package dev.coffer.cli;

import dev.coffer.vfs.FileEntry;
import java.nio.file.FileSystem;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which names the target of an extraction can hold as they are. Entries are shown to it folder by
 * folder, in listing order; it remembers the names of one folder at a time, and only if the target
 * takes different names for one.
 */
final class TargetNames {
  private static final Set<String> DEVICES =
      Set.of("CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$");
  private static final String FORBIDDEN = "<>:\"|?*\\";

  private final FileSystem system;
  private final boolean windows;
  private final boolean ignoresCase;
  private final boolean ignoresForm;
  private String folder = "";
  private final Set<String> folded = new HashSet<>();

  /**
   * @param windows whether Windows' rules for names hold
   * @param ignoresCase whether names that differ in case only are one name there
   * @param ignoresForm whether composed and decomposed characters are the same there
   */
  TargetNames(FileSystem system, boolean windows, boolean ignoresCase, boolean ignoresForm) {
    this.system = system;
    this.windows = windows;
    this.ignoresCase = ignoresCase;
    this.ignoresForm = ignoresForm;
  }

  /** Why an entry cannot be extracted under its name, or null if it can. */
  @Nullable String refuse(FileEntry entry) {
    String name = entry.name();
    if (!isElement(name) || (windows && !windowsHolds(name))) {
      return "the target cannot hold this name";
    }
    if (!ignoresCase && !ignoresForm) {
      return null;
    }
    String parent = StorePaths.parent(entry.path());
    if (!parent.equals(folder)) {
      folder = parent;
      folded.clear();
    }
    return folded.add(fold(name)) ? null : "the target takes this name for that of another entry";
  }

  private boolean isElement(String name) {
    try {
      Path path = system.getPath(name);
      return path.getNameCount() == 1
          && !path.isAbsolute()
          && path.toString().equals(name)
          && !name.equals(".")
          && !name.equals("..");
    } catch (InvalidPathException e) {
      return false;
    }
  }

  private static boolean windowsHolds(String name) {
    if (name.endsWith(".") || name.endsWith(" ")) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c < ' ' || FORBIDDEN.indexOf(c) >= 0) {
        return false;
      }
    }
    int dot = name.indexOf('.');
    String stem = (dot < 0 ? name : name.substring(0, dot)).strip().toUpperCase(Locale.ROOT);
    boolean port =
        stem.length() == 4
            && (stem.startsWith("COM") || stem.startsWith("LPT"))
            && "0123456789\u00b9\u00b2\u00b3".indexOf(stem.charAt(3)) >= 0;
    return !port && !DEVICES.contains(stem);
  }

  private String fold(String name) {
    String form = ignoresForm ? Normalizer.normalize(name, Normalizer.Form.NFD) : name;
    return ignoresCase ? form.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT) : form;
  }
}
