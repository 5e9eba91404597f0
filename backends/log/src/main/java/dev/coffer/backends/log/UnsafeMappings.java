package dev.coffer.backends.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells file systems on which files must not be mapped, by their type: those of networks, of other
 * machines' folders, of programs and of media that are pulled out. There a file can be cut, or its
 * device be gone, without this system's doing, and reading the mapping then is an error at best.
 * Thread-safe.
 *
 * <p>What an overlay lies on cannot be seen, and counts as safe; so does a network drive on
 * Windows, where a mapped file cannot be cut.
 */
final class UnsafeMappings {
  private static final Set<String> TYPES =
      Set.of(
          "nfs",
          "nfs3",
          "nfs4",
          "cifs",
          "smb2",
          "smb3",
          "smbfs",
          "afs",
          "afpfs",
          "webdav",
          "davfs",
          "ncpfs",
          "ceph",
          "lustre",
          "gfs2",
          "ocfs2",
          "9p",
          "virtiofs",
          "vboxsf",
          "prl_fs",
          "vfat",
          "exfat",
          "msdos",
          "fat",
          "fat32");

  /** Tells the type of the file system that a file is on, as the system calls it. */
  interface Types {
    String typeOf(Path file) throws IOException;
  }

  private final Types types;

  /** The folder that was asked about last: the files of a store lie in one or two. */
  private volatile @Nullable Answer last;

  private record Answer(Path folder, boolean unsafe) {}

  UnsafeMappings(Types types) {
    this.types = types;
  }

  /** Whether a file is to be read by position. */
  boolean isUnsafe(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    Answer known = last;
    if (known != null && known.folder.equals(folder)) {
      return known.unsafe;
    }
    boolean unsafe = ask(file);
    if (folder != null) {
      last = new Answer(folder, unsafe);
    }
    return unsafe;
  }

  private boolean ask(Path file) {
    try {
      String type = types.typeOf(file).toLowerCase(Locale.ROOT);
      return TYPES.contains(type) || type.startsWith("fuse") || type.endsWith("fuse");
    } catch (IOException e) {
      return true; // Nothing is known of it.
    }
  }
}
