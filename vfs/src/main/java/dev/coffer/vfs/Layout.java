package dev.coffer.vfs;

/** How a new store lies on disk. A store that exists is recognised by what it is. */
public enum Layout {
  /** One file, with side files next to it only while it is open: easy to name, copy and send. */
  FILE,

  /**
   * A folder of many files, of which only the newest grows, so that dead room is given back piece
   * by piece: for large stores that change much. The folder is the store's alone.
   */
  FOLDER
}
