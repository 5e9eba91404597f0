package dev.coffer.backends.sqlite;

import dev.coffer.vfs.NotAStoreException;
import dev.coffer.vfs.StoreBackendException;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreExistsException;
import dev.coffer.vfs.StoreVersionException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/**
 * The store's file and those that lie beside it, seen from outside SQLite. Nothing here may be
 * called while this process has the database open for writing: closing a file loses its locks.
 */
final class StoreFiles {
  private static final byte[] MAGIC = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);
  private static final int HEADER_LENGTH = 100;
  private static final int ENCODING_OFFSET = 56;
  private static final int USER_VERSION_OFFSET = 60;
  private static final int APPLICATION_ID_OFFSET = 68;
  private static final int UTF_8 = 1;
  private static final int STORE_ID_LENGTH = 16;

  private StoreFiles() {}

  static boolean isDatabase(ByteBuffer head) {
    return head.remaining() >= MAGIC.length
        && head.slice().limit(MAGIC.length).equals(ByteBuffer.wrap(MAGIC));
  }

  static boolean isMarkedOurs(ByteBuffer head) {
    return head.remaining() >= HEADER_LENGTH
        && head.getInt(head.position() + APPLICATION_ID_OFFSET) == SqliteSql.APPLICATION_ID;
  }

  /** Reads the header and refuses what is no store, or one of another version. */
  static void checkHeader(Path file) throws StoreException {
    ByteBuffer head;
    try (InputStream in = Files.newInputStream(file)) {
      head = ByteBuffer.wrap(in.readNBytes(HEADER_LENGTH));
    } catch (IOException e) {
      throw new StoreBackendException("cannot read store: store=" + file, e);
    }
    if (!isDatabase(head)) {
      if (isMarkedOurs(head)) {
        throw new StoreCorruptException("store's header is damaged: store=" + file, null, 0, null);
      }
      throw new NotAStoreException("file is no SQLite database: store=" + file);
    }
    if (head.remaining() < HEADER_LENGTH) {
      throw new StoreCorruptException(
          "store ends inside its header: length=" + head.remaining() + " store=" + file);
    }
    if (!isMarkedOurs(head)) {
      throw new NotAStoreException(
          "SQLite database is no Coffer store: applicationId="
              + head.getInt(APPLICATION_ID_OFFSET)
              + " expected="
              + SqliteSql.APPLICATION_ID
              + " store="
              + file);
    }
    int version = head.getInt(USER_VERSION_OFFSET);
    if (version != SqliteSql.SCHEMA_VERSION) {
      String message =
          "store's schema is of another version: found="
              + version
              + " expected="
              + SqliteSql.SCHEMA_VERSION
              + " store="
              + file;
      throw version > SqliteSql.SCHEMA_VERSION
          ? StoreVersionException.tooNew(message)
          : StoreVersionException.tooOld(message);
    }
    if (head.getInt(ENCODING_OFFSET) != UTF_8) {
      throw new StoreCorruptException(
          "store's text is not in UTF-8: encoding="
              + head.getInt(ENCODING_OFFSET)
              + " store="
              + file);
    }
  }

  static Path beside(Path file, String suffix) {
    return file.resolveSibling(file.getFileName() + suffix);
  }

  /**
   * Refuses files beside the store that would make SQLite write or delete elsewhere: links, and the
   * rollback journal of another writer, which can name a file to delete.
   */
  static void checkBeside(Path file) throws StoreException {
    for (String suffix : List.of("-wal", "-shm", "-journal")) {
      Path other = beside(file, suffix);
      if (Files.exists(other, LinkOption.NOFOLLOW_LINKS)
          && !Files.isRegularFile(other, LinkOption.NOFOLLOW_LINKS)) {
        throw new StoreCorruptException("file beside the store is no regular file: file=" + other);
      }
    }
    if (Files.exists(beside(file, "-journal"))) {
      throw new StoreCorruptException(
          "a rollback journal, which no store has, lies beside the store: file="
              + beside(file, "-journal"));
    }
  }

  /** The bytes of the store's files, none of which is opened for this. */
  static long totalBytes(Path file) {
    long bytes = 0;
    for (String suffix : List.of("", "-wal", "-shm")) {
      try {
        bytes += Files.size(beside(file, suffix));
      } catch (IOException e) {
        // Not there, as happens to those beside the store.
      }
    }
    return bytes;
  }

  /** The length of the file in bytes, or -1 if there is a log that it is yet to be changed by. */
  static long lengthWithoutLog(Path file) {
    try {
      Path log = beside(file, "-wal");
      return Files.exists(log) && Files.size(log) > 0 ? -1 : Files.size(file);
    } catch (IOException e) {
      return -1;
    }
  }

  /** How many bytes the file lacks of a length. */
  static long missingBytes(Path file, long length) {
    try {
      return Math.max(0, length - Files.size(file));
    } catch (IOException e) {
      return 0; // Whoever writes to it will be told.
    }
  }

  /** Free bytes where the store is; the most there can be if that is not known. */
  static long usableBytes(Path file) {
    try {
      return Files.getFileStore(file).getUsableSpace();
    } catch (IOException e) {
      return Long.MAX_VALUE;
    }
  }

  /**
   * Cuts the log, on which SQLite holds no locks, where the writer knows that its last commit ends.
   */
  static void cutLog(Path file, long length) {
    try (FileChannel log = FileChannel.open(beside(file, "-wal"), StandardOpenOption.WRITE)) {
      log.truncate(length);
    } catch (IOException e) {
      // It was only to give back room; the log is as valid with its end.
    }
  }

  /** Puts the log, on which SQLite holds no locks, on the device. */
  static void forceLog(Path file) throws StoreBackendException {
    Path log = beside(file, "-wal");
    boolean interrupted = Thread.interrupted(); // It would close the channel.
    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
      channel.force(true);
    } catch (IOException e) {
      throw new StoreBackendException("cannot force the store's log: log=" + log, e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Makes an empty store beside {@code file} and moves it there whole. */
  static void create(Path file) throws StoreException {
    Path made = file.resolveSibling("." + file.getFileName() + ".new");
    try {
      for (String suffix : List.of("", "-wal", "-shm", "-journal")) {
        Files.deleteIfExists(beside(made, suffix));
      }
      fill(made);
      Files.move(made, file);
      forceFolder(file);
    } catch (FileAlreadyExistsException e) {
      throw new StoreExistsException("store exists: store=" + file, e);
    } catch (SQLException e) {
      throw SqliteErrors.translate(e, file, null);
    } catch (StoreException e) {
      throw e;
    } catch (IOException e) {
      throw new StoreBackendException("cannot create store: store=" + file, e);
    }
  }

  private static void fill(Path file) throws SQLException, StoreException {
    byte[] storeId = new byte[STORE_ID_LENGTH];
    new SecureRandom().nextBytes(storeId);
    try (Statements statements = SqliteConnections.open(file, SqliteConnections.Mode.CREATE)) {
      statements.numbers(SqliteSql.USE_WAL, 1);
      statements.begin();
      for (SqliteSql.SchemaObject object : SqliteSql.SCHEMA) {
        statements.run(object.sql());
      }
      new Meta(storeId, Instant.now().getEpochSecond()).write(statements.get(SqliteSql.WRITE_META));
      statements.commit();
    }
  }

  /** Puts the new name on the device; where folders cannot be forced, the system sees to it. */
  private static void forceFolder(Path file) {
    try (FileChannel folder = FileChannel.open(file.resolveSibling("."), StandardOpenOption.READ)) {
      folder.force(true);
    } catch (IOException e) {
      // Windows opens no folders, and needs none of this.
    }
  }
}
