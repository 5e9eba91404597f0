package dev.coffer.vfs.internal;

import dev.coffer.vfs.Durability;
import dev.coffer.vfs.StoreBackendException;
import dev.coffer.vfs.StoreClosedException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Backend;
import dev.coffer.vfs.spi.Commit;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Merges what concurrent callers want committed into one backend commit: group commit for every
 * backend. The caller at the head of the queue leads: it takes what is queued, applies it in order,
 * commits, wakes the others, and hands the lead to the next head, so exactly one thread is woken to
 * lead. Also the one place from which a backend is forced and compacted, so those never meet a
 * commit. Thread-safe.
 *
 * <p>Preconditions are checked under the lead, against the backend and the requests before: a
 * request whose own does not hold drops out alone.
 */
final class CommitQueue {
  /** Requests are merged up to this many packed bytes. */
  private static final long MAX_MERGED_BYTES = 8L * 1024 * 1024;

  /** Callers wait once this many packed bytes are queued. */
  private static final long MAX_QUEUED_BYTES = 32L * 1024 * 1024;

  private final Backend backend;
  private final InstantSource clock;

  /** Held while the backend is committed to, forced or compacted. */
  private final ReentrantLock writing = new ReentrantLock();

  private final ReentrantLock queueLock = new ReentrantLock();
  private final Condition room = queueLock.newCondition();
  private final Deque<CommitRequest> queue = new ArrayDeque<>();
  private long queuedBytes;
  private boolean led;
  private boolean closed;

  CommitQueue(Backend backend, InstantSource clock) {
    this.backend = backend;
    this.clock = clock;
  }

  /** Work on the backend that must not meet a commit. */
  @FunctionalInterface
  interface ExclusiveWork {
    void run() throws StoreException;
  }

  /**
   * Commits mutations, all or none, and answers the sequence they were committed under.
   *
   * @param bytes the packed bytes they carry in memory
   */
  long commit(List<Mutation> mutations, Durability durability, long bytes) throws StoreException {
    CommitRequest request = new CommitRequest(mutations, durability, bytes);
    if (!enqueue(request)) {
      request.await();
    }
    if (!request.isDone()) {
      lead(request);
    }
    Throwable failure = request.failure();
    if (failure != null) {
      throw rethrow(failure);
    }
    return request.sequence();
  }

  /** Runs work while no commit runs. */
  void exclusively(ExclusiveWork work) throws StoreException {
    writing.lock();
    try {
      work.run();
    } finally {
      writing.unlock();
    }
  }

  /** Refuses requests from now on and waits for those queued. */
  void close() {
    queueLock.lock();
    try {
      closed = true;
      room.signalAll();
      while (led) {
        room.awaitUninterruptibly();
      }
    } finally {
      queueLock.unlock();
    }
  }

  /** How many requests wait to be led. */
  int queued() {
    queueLock.lock();
    try {
      return queue.size();
    } finally {
      queueLock.unlock();
    }
  }

  /** Queues a request; true if its thread is to lead at once. */
  private boolean enqueue(CommitRequest request) throws StoreClosedException {
    queueLock.lock();
    try {
      while (!closed && !queue.isEmpty() && queuedBytes + request.bytes() > MAX_QUEUED_BYTES) {
        room.awaitUninterruptibly();
      }
      if (closed) {
        throw new StoreClosedException("store is closed");
      }
      queue.add(request);
      queuedBytes += request.bytes();
      boolean first = !led;
      led = true;
      return first;
    } finally {
      queueLock.unlock();
    }
  }

  private void lead(CommitRequest own) {
    while (!own.isDone()) {
      List<CommitRequest> merged = takeMerged();
      writing.lock();
      try {
        process(merged);
      } finally {
        writing.unlock();
      }
    }
    queueLock.lock();
    try {
      CommitRequest next = queue.peek();
      if (next == null) {
        led = false;
        room.signalAll();
      } else {
        next.lead();
      }
    } finally {
      queueLock.unlock();
    }
  }

  private List<CommitRequest> takeMerged() {
    List<CommitRequest> merged = new ArrayList<>();
    queueLock.lock();
    try {
      long bytes = 0;
      while (!queue.isEmpty()
          && (merged.isEmpty() || bytes + queue.element().bytes() <= MAX_MERGED_BYTES)) {
        CommitRequest request = queue.remove();
        bytes += request.bytes();
        merged.add(request);
      }
      queuedBytes -= bytes;
      room.signalAll();
      return merged;
    } finally {
      queueLock.unlock();
    }
  }

  /** Commits requests together; completes each of them, whatever happens. */
  private void process(List<CommitRequest> requests) {
    List<CommitRequest> holding = new ArrayList<>(requests.size());
    try {
      Overlay overlay = new Overlay(backend, clock.instant(), count(requests));
      Durability durability = Durability.BUFFERED;
      for (CommitRequest request : requests) {
        if (apply(request, overlay)) {
          holding.add(request);
          durability = stronger(durability, request.durability());
        }
      }
      Commit commit = overlay.toCommit();
      if (commit.changes().isEmpty() && commit.properties().isEmpty()) {
        if (durability != Durability.BUFFERED && !holding.isEmpty()) {
          // A commit that changes nothing still promises what came before it.
          makeDurable(durability);
        }
        long sequence = backend.sequence();
        holding.forEach(request -> request.succeed(sequence));
      } else {
        backend.commit(commit, durability);
        holding.forEach(request -> request.succeed(commit.sequence()));
      }
    } catch (StoreException | RuntimeException | Error e) {
      failOrRetry(requests.stream().filter(request -> !request.isDone()).toList(), e);
    }
  }

  private static int count(List<CommitRequest> requests) {
    int mutations = 0;
    for (CommitRequest request : requests) {
      mutations += request.mutations().size();
    }
    return mutations;
  }

  private void makeDurable(Durability durability) throws StoreException {
    if (durability == Durability.SYNC && !backend.isReadOnly()) {
      backend.force();
    }
  }

  /**
   * A merged commit that failed did not happen, so each request is tried by itself: only the one at
   * fault, or the one too many on a full device, fails in the end.
   */
  private void failOrRetry(List<CommitRequest> requests, Throwable e) {
    if (requests.size() <= 1) {
      requests.forEach(request -> request.fail(e));
    } else {
      requests.forEach(request -> process(List.of(request)));
    }
  }

  private static boolean apply(CommitRequest request, Overlay overlay) {
    int mark = overlay.mark();
    try {
      for (Mutation mutation : request.mutations()) {
        mutation.apply(overlay);
      }
      return true;
    } catch (StoreException | RuntimeException e) {
      overlay.rollBackTo(mark);
      request.fail(e);
      return false;
    }
  }

  private static Durability stronger(Durability a, Durability b) {
    return a.compareTo(b) >= 0 ? a : b;
  }

  /** An exception of the leader's thread, as one of the caller's own. */
  private static StoreException rethrow(Throwable failure) {
    if (failure instanceof StoreException declared) {
      return declared;
    }
    if (failure instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    if (failure instanceof Error error) {
      throw error;
    }
    return new StoreBackendException("commit failed", failure);
  }
}
