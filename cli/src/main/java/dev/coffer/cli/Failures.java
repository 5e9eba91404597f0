package dev.coffer.cli;

import dev.coffer.vfs.PathException;
import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.UnknownCodecException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.jspecify.annotations.Nullable;

/** Turns exceptions into one-line messages and exit codes. */
final class Failures {
  private Failures() {}

  static int exitCode(Throwable cause) {
    Throwable root = unwrap(cause);
    boolean entry =
        root instanceof PathException
            || root instanceof StoreCorruptException
            || root instanceof UnknownCodecException;
    return entry ? ExitCodes.FAILED : ExitCodes.CANNOT;
  }

  /**
   * Goes on only with what concerns one entry: its content is damaged, or the target would not take
   * it. Whatever concerns the store as a whole ends the run.
   */
  static void rethrowUnlessOfEntry(IOException cause) throws IOException {
    if (cause instanceof StoreException && exitCode(cause) != ExitCodes.FAILED) {
      throw cause;
    }
  }

  /** What went wrong, in one line; control characters in it are not yet escaped. */
  static String message(Throwable cause) {
    Throwable root = unwrap(cause);
    if (root instanceof OutOfMemoryError) {
      return "out of memory; set COFFER_JAVA_OPTS=-Xmx1g or more";
    }
    if (root instanceof StoreCorruptException corrupt) {
      return corruption(corrupt);
    }
    if (root instanceof StoreException) {
      return text(root);
    }
    if (root instanceof FileSystemException file) {
      return ofFile(file);
    }
    if (root instanceof FileNotFoundException || root instanceof IOException) {
      return text(root);
    }
    return "internal error (--verbose says more): " + root;
  }

  /** As {@link #message}, for a line that names the entry already. */
  static String messageWithoutPath(Throwable cause) {
    Throwable root = unwrap(cause);
    if (root instanceof PathException e) {
      return without(text(e), e.path());
    }
    String message = message(cause);
    return root instanceof StoreCorruptException e ? without(message, e.path()) : message;
  }

  private static String without(String message, @Nullable String path) {
    String part = " path=" + path;
    int at = path == null ? -1 : message.indexOf(part);
    if (at < 0) {
      return message;
    }
    String before = message.substring(0, at);
    String after = message.substring(at + part.length());
    if (after.isEmpty()) {
      return before.endsWith(":") ? before.substring(0, before.length() - 1) : before;
    }
    return after.startsWith(" ") ? before + after : message;
  }

  private static String corruption(StoreCorruptException e) {
    StringBuilder line = new StringBuilder(text(e));
    String path = e.path();
    if (path != null && !line.toString().contains(path)) {
      line.append(" path=").append(path);
    }
    if (e.offset() >= 0 && line.indexOf("offset=") < 0) {
      line.append(" offset=").append(e.offset());
    }
    return line.toString();
  }

  /** One problem in one line: path, offset, message. */
  static String line(Problem problem) {
    StringBuilder line = new StringBuilder();
    String path = problem.path();
    if (path != null) {
      line.append(Names.escape(path)).append(": ");
    }
    if (problem.offset() >= 0) {
      line.append("at byte ").append(problem.offset()).append(": ");
    }
    return line.append(Names.line(without(problem.message(), path))).toString();
  }

  private static String ofFile(FileSystemException e) {
    String reason = e.getReason();
    if (reason == null) {
      reason = reasonByType(e);
    }
    String file = e.getFile();
    return file == null ? reason : reason + ": " + file;
  }

  private static String reasonByType(FileSystemException e) {
    if (e instanceof NoSuchFileException) {
      return "no such file";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (e instanceof FileAlreadyExistsException) {
      return "something is already there";
    }
    if (e instanceof DirectoryNotEmptyException) {
      return "folder is not empty";
    }
    if (e instanceof NotDirectoryException) {
      return "not a folder";
    }
    if (e instanceof FileSystemLoopException) {
      return "too many symbolic links";
    }
    return "cannot access";
  }

  private static String text(Throwable e) {
    String message = e.getMessage();
    return message == null ? e.getClass().getSimpleName() : message;
  }

  static Throwable unwrap(Throwable cause) {
    Throwable inner = cause;
    while (inner instanceof UncheckedIOException && inner.getCause() != null) {
      inner = inner.getCause();
    }
    return inner;
  }
}
