package dev.coffer.backends.log;

import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;

/** Compares what a store's records make, what its index says, and what its commits promised. */
final class Verifier {
  private final Live live;
  private final Consumer<Problem> problems;

  Verifier(Live live, Consumer<Problem> problems) {
    this.live = live;
    this.problems = problems;
  }

  /** Work on a snapshot whose files stay open meanwhile. */
  @FunctionalInterface
  private interface Check {
    void run(Snapshot snapshot) throws StoreException;
  }

  private void holding(Check check) throws StoreException {
    Snapshot snapshot = live.hold();
    try {
      check.run(snapshot);
    } finally {
      snapshot.segments().release();
    }
  }

  /** Checks that the index has every entry, as they were committed: their count and their hash. */
  void entries() throws StoreException {
    holding(
        snapshot -> {
          long count = 0;
          long hash = 0;
          try {
            RowCursor rows = snapshot.index().from(new byte[0]);
            while (rows.next()) {
              count++;
              hash += rows.row().hash();
            }
          } catch (IndexDamage e) {
            problems.accept(indexProblem(e));
            return; // Entries are read from the log instead.
          }
          if (count != snapshot.entryCount() || hash != snapshot.listingHash()) {
            problems.accept(
                new Problem(
                    null,
                    -1,
                    "listing is not what was committed: expected="
                        + snapshot.entryCount()
                        + " found="
                        + count));
          }
        });
  }

  private static Problem indexProblem(IndexDamage damage) {
    return new Problem(null, -1, "index is damaged: " + damage.getMessage());
  }

  /** Checks that every byte of a sealed file is as it was sealed. */
  void seal() throws StoreException {
    holding(
        snapshot -> {
          Segment segment = snapshot.segments().active();
          if (segment.header.sealed()) {
            seal(segment);
          }
        });
  }

  private void seal(Segment segment) throws StoreException {
    long offset = segment.header.length() - SealLayout.END_LENGTH;
    RecordScanner scanner =
        new RecordScanner(segment.path, segment.file, segment.home, segment.header.length());
    boolean sound =
        scanner.at(offset) == RecordScanner.Status.RECORD
            && scanner.header().kind() == RecordKind.SEAL
            && scanner.meta().length == SealLayout.LENGTH;
    if (!sound) {
      problems.accept(new Problem(null, offset, "seal is damaged"));
      return;
    }
    byte[] expected = scanner.meta();
    try {
      byte[] found = SealLayout.digest(segment.file, offset);
      if (!MessageDigest.isEqual(expected, found)) {
        HexFormat hex = HexFormat.of();
        problems.accept(
            new Problem(
                null,
                -1,
                "sealed store is not what was sealed: expected="
                    + hex.formatHex(expected)
                    + " found="
                    + hex.formatHex(found)));
      }
    } catch (IOException e) {
      throw Failures.reading(segment.path, e);
    }
  }

  /** Checks every byte of the index runs. */
  void index() throws StoreException {
    holding(
        snapshot -> {
          for (Run run : snapshot.index().runs()) {
            try {
              run.verify();
            } catch (IndexDamage e) {
              problems.accept(indexProblem(e));
            }
          }
        });
    entries();
  }

  /** Reads all records again and compares what they make with what the store says. */
  void log(Lock writeLock) throws StoreException {
    Snapshot snapshot;
    boolean writable;
    long length;
    writeLock.lock();
    try {
      snapshot = live.hold();
      writable = snapshot.segments().active().isWritable();
      length = settledLength(snapshot.segments().active());
    } finally {
      writeLock.unlock();
    }
    try {
      compare(snapshot, length, writable);
    } finally {
      snapshot.segments().release();
    }
  }

  /** How much of the file holds exactly the commits so far. */
  private long settledLength(Segment segment) throws StoreException {
    if (!segment.isWritable()) {
      return segment.written();
    }
    live.lock.lock();
    try {
      Appender appender = segment.appender();
      if (!appender.isFailed()) {
        appender.write();
      }
      return appender.written();
    } finally {
      live.lock.unlock();
    }
  }

  private void compare(Snapshot snapshot, long length, boolean writable) throws StoreException {
    for (Segment each : snapshot.segments().all()) {
      requireLength(each, each == snapshot.segments().active() ? length : each.written());
    }
    if (new LogCheck(snapshot, length, writable).isSound()) {
      return;
    }
    Replay.Result result;
    try {
      result = Replay.run(snapshot.segments(), length, null);
    } catch (StoreCorruptException e) {
      problems.accept(new Problem(e.path(), e.offset(), String.valueOf(e.getMessage())));
      return;
    }
    result.problems().forEach(problems);
    if (!writable) {
      List<Problem> tail = new ArrayList<>();
      Assembly.reportTail(result, length, tail);
      tail.forEach(problems);
    } else if (result.end() < length && result.snapshot().sequence() < snapshot.sequence()) {
      problems.accept(new Problem(null, result.end(), "records are damaged from here on"));
    }
    if (result.snapshot().sequence() != snapshot.sequence()
        || result.snapshot().listingHash() != snapshot.listingHash()) {
      problems.accept(
          new Problem(
              null,
              -1,
              "entries of the log are not those of the index: expected="
                  + snapshot.entryCount()
                  + " found="
                  + result.snapshot().entryCount()));
    }
  }

  private void requireLength(Segment open, long length) throws StoreException {
    try {
      if (open.file.size() < length) {
        problems.accept(
            new Problem(
                null,
                open.file.size(),
                "file is too short: expected=" + length + " found=" + open.file.size()));
      }
      byte[] head = new byte[FileHeader.LENGTH];
      int count = open.file.read(0, head, 0, head.length);
      if (count < head.length || !FileHeader.isWhole(head)) {
        problems.accept(new Problem(null, 0, "file header is damaged"));
      }
    } catch (IOException e) {
      throw Failures.reading(open.path, e);
    }
  }

  /** Checks every dictionary. */
  void dictionaries() throws StoreException {
    holding(
        snapshot -> {
          for (Map.Entry<Long, DictionaryInfo> each : snapshot.dictionaries().entrySet()) {
            try {
              var unused = snapshot.dictionary(each.getKey());
            } catch (StoreCorruptException e) {
              problems.accept(
                  new Problem(null, each.getValue().offset(), String.valueOf(e.getMessage())));
            }
          }
        });
  }
}
