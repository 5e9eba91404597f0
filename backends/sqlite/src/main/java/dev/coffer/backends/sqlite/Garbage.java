package dev.coffer.backends.sqlite;

import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.StoreFullException;
import dev.coffer.vfs.spi.PinRegistry;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Content that nothing refers to any more, and its deletion a slice at a time. Used under the
 * writer's turn.
 */
final class Garbage {
  /** Commits leave so many pieces of content lie before one of them deletes them. */
  private static final int PATIENCE = 256;

  private static final int SLICE = 1024;
  private static final long SLICE_BYTES = 32L * 1024 * 1024;

  private final SqliteWriter writer;
  private final PinRegistry pins;
  private final Path file;
  private final Set<Long> dead = new LinkedHashSet<>();

  Garbage(SqliteWriter writer, PinRegistry pins, Path file) {
    this.writer = writer;
    this.pins = pins;
    this.file = file;
  }

  void add(Iterable<Long> ids) {
    ids.forEach(dead::add);
  }

  /** Deletes a slice if enough has come together for it to be worth a transaction. */
  void collectIfDue() throws StoreException {
    if (dead.size() >= PATIENCE) {
      try {
        collectSlice(problem -> {});
      } catch (StoreFullException e) {
        // The commit to come may be smaller.
      }
    }
  }

  /** Deletes all that is not pinned. */
  void collectAll(Consumer<Problem> problems) throws StoreException {
    while (collectSlice(problems)) {
      writer.requireUsable();
    }
  }

  /** Deletes what a crash left without references, staged content included. */
  void sweep(Consumer<Problem> problems) throws StoreException {
    long after = Long.MIN_VALUE;
    List<Long> found;
    do {
      found = unreferencedAfter(after);
      add(found);
      collectAll(problems);
      after = found.isEmpty() ? after : found.get(found.size() - 1);
    } while (found.size() == SLICE);
  }

  private List<Long> unreferencedAfter(long after) throws StoreException {
    List<Long> ids = new ArrayList<>();
    try {
      PreparedStatement select = writer.statements().get(SqliteSql.SELECT_UNREFERENCED);
      select.setLong(1, after);
      select.setInt(2, SLICE);
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          ids.add(rows.getLong(1));
        }
      }
      return ids;
    } catch (SQLException e) {
      throw SqliteErrors.translate(e, file, null);
    }
  }

  /** Deletes up to a slice; false if there was nothing to delete. */
  private boolean collectSlice(Consumer<Problem> problems) throws StoreException {
    List<Long> doomed = new ArrayList<>();
    for (long id : dead) {
      if (doomed.size() == SLICE) {
        break;
      }
      if (pins.doom(id)) {
        doomed.add(id);
      }
    }
    if (doomed.isEmpty()) {
      return false;
    }
    try {
      delete(doomed);
    } catch (StoreCorruptException e) {
      deleteEach(doomed, problems);
    } finally {
      pins.settle(doomed);
    }
    return true;
  }

  private void delete(List<Long> ids) throws StoreException {
    List<Long> tried = new ArrayList<>();
    Transaction transaction =
        writer.transact(
            false,
            t -> {
              long bytes = 0;
              for (long id : ids) {
                if (bytes > SLICE_BYTES) {
                  break;
                }
                bytes += t.deleteUnreferenced(id);
                tried.add(id);
              }
            });
    tried.forEach(dead::remove);
    add(transaction.unreferenced());
  }

  /** One by one, so that what is damaged stays and does not keep the rest. */
  private void deleteEach(List<Long> ids, Consumer<Problem> problems) throws StoreException {
    for (long id : ids) {
      try {
        delete(List.of(id));
      } catch (StoreCorruptException e) {
        dead.remove(id);
        problems.accept(new Problem(null, -1, "garbage cannot be deleted: " + e.getMessage()));
      }
    }
  }
}
