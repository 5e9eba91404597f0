package dev.coffer.vfs.internal;

import dev.coffer.vfs.Durability;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** What one caller wants committed, and where it waits for it. */
final class CommitRequest {
  private enum State {
    WAITING,
    LEADING,
    DONE
  }

  private final List<Mutation> mutations;
  private final Durability durability;
  private final long bytes;
  private final Thread owner = Thread.currentThread();
  private volatile State state = State.WAITING;
  private long sequence;
  private @Nullable Throwable failure;

  CommitRequest(List<Mutation> mutations, Durability durability, long bytes) {
    this.mutations = mutations;
    this.durability = durability;
    this.bytes = bytes;
  }

  List<Mutation> mutations() {
    return mutations;
  }

  Durability durability() {
    return durability;
  }

  /** The packed bytes it carries in memory. */
  long bytes() {
    return bytes;
  }

  void succeed(long committedSequence) {
    sequence = committedSequence;
    wake(State.DONE);
  }

  void fail(Throwable cause) {
    failure = cause;
    wake(State.DONE);
  }

  void lead() {
    wake(State.LEADING);
  }

  boolean isDone() {
    return state == State.DONE;
  }

  @Nullable Throwable failure() {
    return failure;
  }

  long sequence() {
    return sequence;
  }

  /** Waits, whatever interrupts, until the request is done or its thread is to lead. */
  void await() {
    boolean interrupted = false;
    while (state == State.WAITING) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      owner.interrupt();
    }
  }

  private void wake(State newState) {
    state = newState;
    if (Thread.currentThread() != owner) {
      LockSupport.unpark(owner);
    }
  }
}
