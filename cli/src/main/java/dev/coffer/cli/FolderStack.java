package dev.coffer.cli;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The open folders along one path below a target, reached element by element without following
 * links. Going from one path to the next opens only what differs. For one thread.
 */
final class FolderStack implements Closeable {
  private final Folder root;
  private final List<String> names = new ArrayList<>();
  private final List<Folder> folders = new ArrayList<>();

  /** The root stays its owner's to close. */
  FolderStack(Folder root) {
    this.root = root;
  }

  /**
   * Opens the folder at a canonical path below the root. It stays open until the next call; to keep
   * it longer, {@link Folder#hold} it.
   *
   * @throws IOException if an element is missing or no folder
   */
  Folder open(String path) throws IOException {
    String[] elements = path.length() == 1 ? new String[0] : path.substring(1).split("/", -1);
    int common = 0;
    while (common < elements.length
        && common < names.size()
        && names.get(common).equals(elements[common])) {
      common++;
    }
    closeFrom(common);
    for (int i = common; i < elements.length; i++) {
      Folder opened = top().open(elements[i]);
      names.add(elements[i]);
      folders.add(opened);
    }
    return top();
  }

  private Folder top() {
    return folders.isEmpty() ? root : folders.get(folders.size() - 1);
  }

  private void closeFrom(int level) throws IOException {
    while (folders.size() > level) {
      names.remove(names.size() - 1);
      folders.remove(folders.size() - 1).close();
    }
  }

  @Override
  public void close() throws IOException {
    closeFrom(0);
  }
}
