package dev.coffer.backends.sqlite;

import dev.coffer.vfs.StoreClosedException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.CallGate;
import dev.coffer.vfs.spi.View;
import java.sql.SQLException;

/**
 * A read transaction on a connection of its own. Its content stays readable whatever is deleted
 * meanwhile, since SQLite shows it the rows of its time; in return the log cannot start over.
 */
final class SqliteView extends SessionReader implements View {
  /** What to do with the session when the view is closed. */
  interface GiveBack {
    void accept(SqliteView view, ReadSession session, boolean reusable);
  }

  private final CallGate gate;
  private final ReadSession session;
  private final GiveBack giveBack;
  private final long sequence;
  private boolean closed;

  SqliteView(CallGate gate, ReadSession session, long sequence, GiveBack giveBack) {
    this.gate = gate;
    this.session = session;
    this.sequence = sequence;
    this.giveBack = giveBack;
  }

  @Override
  public long sequence() {
    return sequence;
  }

  @Override
  <T> T read(ReadCall<T> call) throws StoreException {
    gate.enter();
    try {
      synchronized (this) {
        if (closed) {
          throw new StoreClosedException("view is closed: store=" + session.file());
        }
        return call.apply(session);
      }
    } catch (SQLException e) {
      throw SqliteErrors.translate(e, session.file(), null);
    } finally {
      gate.leave();
    }
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    boolean reusable = false;
    try {
      session.endSnapshot();
      reusable = true;
    } catch (SQLException e) {
      // Only read from; its connection is closed instead of being used again.
    }
    giveBack.accept(this, session, reusable);
  }
}
