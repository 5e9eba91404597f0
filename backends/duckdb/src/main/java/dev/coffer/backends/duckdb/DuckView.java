package dev.coffer.backends.duckdb;

import dev.coffer.vfs.StoreBackendException;
import dev.coffer.vfs.StoreClosedException;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.CallGate;
import dev.coffer.vfs.spi.View;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A read transaction on a connection of its own. Calls take turns. */
final class DuckView extends QueryReader implements View {
  private final Session session;
  private final CallGate gate;
  private final Path file;
  private final Consumer<DuckView> onClose;
  private final long sequence;
  private boolean closed;

  /** Whether a query failed, after which DuckDB answers nothing more in the transaction. */
  private boolean failed;

  /** Takes over a session in which a transaction has begun and seen {@code sequence}. */
  DuckView(Session session, long sequence, CallGate gate, Path file, Consumer<DuckView> onClose) {
    this.session = session;
    this.sequence = sequence;
    this.gate = gate;
    this.file = file;
    this.onClose = onClose;
  }

  @Override
  public long sequence() {
    return sequence;
  }

  @Override
  <T> T read(@Nullable String path, DuckConnections.Query<T> query) throws StoreException {
    gate.enter();
    try {
      return askInTurn(path, query);
    } finally {
      gate.leave();
    }
  }

  private synchronized <T> T askInTurn(@Nullable String path, DuckConnections.Query<T> query)
      throws StoreException {
    if (closed) {
      throw new StoreClosedException("view is closed: store=" + file);
    }
    try {
      if (failed) {
        begin();
      }
      return query.ask(session);
    } catch (SQLException e) {
      failed = true;
      throw DuckErrors.translate(e, file, path);
    } catch (RuntimeException e) {
      throw new StoreCorruptException(
          "store is damaged: store=" + file + " cause=" + e, path, -1, e);
    }
  }

  /** Takes the snapshot again, so that damage here leaves the rest readable. */
  private void begin() throws SQLException, StoreException {
    session.restart();
    long now = Meta.read(session).sequence;
    if (now != sequence) {
      throw new StoreBackendException(
          "view is lost, since a read failed and the store went on: sequence="
              + sequence
              + " now="
              + now
              + " store="
              + file);
    }
    failed = false;
  }

  @Override
  public synchronized void close() throws StoreException {
    if (closed) {
      return;
    }
    closed = true;
    onClose.accept(this);
    try {
      session.execute(DuckSql.ROLLBACK);
      session.close();
    } catch (SQLException e) {
      throw DuckErrors.translate(e, file, null);
    }
  }
}
