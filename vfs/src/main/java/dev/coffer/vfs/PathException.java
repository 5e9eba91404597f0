package dev.coffer.vfs;

/** An operation does not fit what is, or is not, at a path. */
public abstract sealed class PathException extends StoreException
    permits DirectoryNotEmptyException,
        EntryExistsException,
        InvalidPathException,
        NoSuchEntryException,
        NotADirectoryException,
        NotAFileException,
        VersionMismatchException {
  private static final long serialVersionUID = 1L;

  private final String path;

  PathException(String message, String path) {
    super(message, null);
    this.path = path;
  }

  /** The path, as far as it could be made canonical. Not escaped for printing. */
  public String path() {
    return path;
  }
}
