package dev.coffer.cli;

import dev.coffer.vfs.spi.EntryKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Goes over trees on disk in the order of the store's keys: a folder's children by name, then what
 * is below each. Follows no links below what it was asked for. What cannot be read is named, and
 * the rest goes on.
 */
final class TreeScanner {
  private static final int MAX_LEVELS = 256;
  private static final char REPLACEMENT = '\uFFFD';

  /** Takes what is found. */
  interface Sink {
    void folder(String path, FileMeta meta) throws IOException;

    void link(String path, FileMeta meta, String target) throws IOException;

    /** The sink holds the folder for as long as it needs it. */
    void file(String path, FileMeta meta, Folder folder, String name) throws IOException;
  }

  /** The sink failed, not the tree: scanning must end. */
  private static final class SinkException extends IOException {
    private static final long serialVersionUID = 1L;
    final IOException cause;

    SinkException(IOException cause) {
      super(cause);
      this.cause = cause;
    }
  }

  private final Console console;
  private final StoreFiles own;
  private final Sink sink;
  private final Set<String> parents = new HashSet<>();

  TreeScanner(Console console, StoreFiles own, Sink sink) {
    this.console = console;
    this.own = own;
    this.sink = sink;
  }

  /** Scans one source. Throws only what the sink throws. */
  void scan(PackSource source) throws IOException {
    try {
      scanSource(source);
    } catch (SinkException e) {
      throw e.cause;
    }
  }

  private void scanSource(PackSource source) throws SinkException {
    String path = source.path();
    try {
      if (path.length() == 1) {
        try (Folder root = Folder.open(source.base())) {
          scanFolder(root, "/", 0);
        }
        return;
      }
      String parent = StorePaths.parent(path);
      scanParents(source, parent);
      try (Folder folder = Folder.open(source.onDisk(parent))) {
        FileMeta own = folder.stat();
        String name = path.substring(path.lastIndexOf('/') + 1);
        int level = (int) path.chars().filter(c -> c == '/').count();
        List<String> below = new ArrayList<>();
        scanChild(folder, own, parent, name, below);
        scanBelow(folder, parent, below, level);
      }
    } catch (SinkException e) {
      throw e;
    } catch (IOException e) {
      console.fail(path, e);
    }
  }

  /** The folders above a source are kept too, for their times and permissions. */
  private void scanParents(PackSource source, String parent) throws IOException {
    if (parent.length() == 1 || !parents.add(parent)) {
      return;
    }
    scanParents(source, StorePaths.parent(parent));
    PosixFileAttributes attributes =
        Files.readAttributes(source.onDisk(parent), PosixFileAttributes.class);
    toSink(() -> sink.folder(parent, FileMeta.of(attributes)));
  }

  /** Scans an open folder: itself, its children, and what is below. */
  private void scanFolder(Folder folder, String path, int level) throws IOException {
    FileMeta meta = folder.stat();
    if (level == 0) {
      toSink(() -> sink.folder(path, meta));
    }
    List<String> below = new ArrayList<>();
    for (String name : names(folder, path)) {
      scanChild(folder, meta, path, name, below);
    }
    scanBelow(folder, path, below, level + 1);
  }

  private void scanBelow(Folder folder, String path, List<String> below, int level)
      throws SinkException {
    for (String name : below) {
      String child = StorePaths.child(path, name);
      if (level >= MAX_LEVELS) {
        console.fail(child, "more than " + MAX_LEVELS + " levels; what is below is left out");
        continue;
      }
      try (Folder opened = folder.open(name)) {
        scanFolder(opened, child, level);
      } catch (SinkException e) {
        throw e;
      } catch (IOException e) {
        console.fail(child, e);
      }
    }
  }

  private void scanChild(
      Folder folder, FileMeta folderMeta, String path, String name, List<String> below)
      throws SinkException {
    String child = StorePaths.child(path, name);
    if (own.contains(folderMeta, name)) {
      console.note("leaving out the store itself: " + Names.escape(child));
      return;
    }
    try {
      FileMeta meta = folder.stat(name);
      switch (meta.kind()) {
        case FILE -> toSink(() -> sink.file(child, meta, folder, name));
        case LINK -> {
          String target = target(folder, name);
          toSink(() -> sink.link(child, meta, target));
        }
        case FOLDER -> {
          toSink(() -> sink.folder(child, meta));
          below.add(name);
        }
        case OTHER -> console.fail(child, "is no file, folder or link; left out");
      }
    } catch (SinkException e) {
      throw e;
    } catch (IOException e) {
      console.fail(child, e);
    }
  }

  private static String target(Folder folder, String name) throws IOException {
    Path raw = folder.readLink(name);
    String target = raw.toString();
    if (target.indexOf(REPLACEMENT) >= 0 && !folder.element(target).equals(raw)) {
      throw new FileSystemException(name, null, "the link's target is not valid UTF-8");
    }
    return target;
  }

  /** The names in a folder, sorted; those that are not valid in UTF-8 are reported instead. */
  private List<String> names(Folder folder, String path) throws IOException {
    List<String> names = new ArrayList<>();
    for (Path raw : folder.children()) {
      String name = raw.toString();
      if (name.indexOf(REPLACEMENT) >= 0 && !folder.element(name).equals(raw)) {
        String above = path.length() == 1 ? "/" : path + "/";
        console.failEscaped(Names.escape(above) + escapeRaw(raw), "the name is not valid UTF-8");
      } else {
        names.add(name);
      }
    }
    names.sort(EntryKey::comparePaths);
    return names;
  }

  /** Java keeps the bytes of a name it cannot decode, and shows them in URIs only. */
  private static String escapeRaw(Path raw) {
    URI uri = raw.toUri();
    String path = uri.getRawPath();
    String name = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    name = name.substring(name.lastIndexOf('/') + 1);
    StringBuilder out = new StringBuilder();
    ByteArrayOutputStream valid = new ByteArrayOutputStream();
    for (int i = 0; i < name.length(); i++) {
      if (name.charAt(i) == '%') {
        int value = Integer.parseInt(name.substring(i + 1, i + 3), 16);
        i += 2;
        if (value >= 0x80) {
          out.append(valid.toString(StandardCharsets.US_ASCII));
          valid.reset();
          out.append(String.format("\\x%02X", value));
          continue;
        }
        valid.write(value);
      } else {
        valid.write(name.charAt(i));
      }
    }
    return Names.line(out.append(valid.toString(StandardCharsets.US_ASCII)).toString());
  }

  private interface SinkCall {
    void run() throws IOException;
  }

  private static void toSink(SinkCall call) throws SinkException {
    try {
      call.run();
    } catch (IOException e) {
      throw new SinkException(e);
    }
  }
}
