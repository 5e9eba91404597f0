package dev.coffer.backends.log;

import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;

/** Reads a store's records again and compares what they make with what is in memory. */
final class Verifier {
  private final Live live;
  private final Consumer<Problem> problems;

  Verifier(Live live, Consumer<Problem> problems) {
    this.live = live;
    this.problems = problems;
  }

  /** Checks that the records still make every entry; not the content of files. */
  void entries(Lock writeLock) throws StoreException {
    Snapshot snapshot;
    long length;
    writeLock.lock();
    try {
      snapshot = live.hold();
      length = settledLength(snapshot.generation());
    } finally {
      writeLock.unlock();
    }
    try {
      compare(snapshot, length);
    } finally {
      snapshot.generation().release();
    }
  }

  /** How much of the file holds exactly the commits so far. */
  private static long settledLength(Generation generation) throws StoreException {
    if (!generation.isWritable()) {
      return generation.written();
    }
    generation.lock().lock();
    try {
      Appender appender = generation.appender();
      if (!appender.isFailed()) {
        appender.write();
      }
      return appender.written();
    } finally {
      generation.lock().unlock();
    }
  }

  private void compare(Snapshot snapshot, long length) throws StoreException {
    Generation open = snapshot.generation();
    requireLength(open, length);
    Generation again = new Generation(open.path, open.file, open.header, length);
    Replay.Result result;
    try {
      result = Replay.run(again, length);
    } catch (StoreCorruptException e) {
      problems.accept(new Problem(e.path(), e.offset(), String.valueOf(e.getMessage())));
      return;
    }
    result.problems().forEach(problems);
    if (!open.isWritable()) {
      LogOpener.reportTail(result, length, problems);
    } else if (result.end() < length && result.snapshot().sequence() < snapshot.sequence()) {
      problems.accept(new Problem(null, result.end(), "records are damaged from here on"));
    }
    if (result.snapshot().sequence() != snapshot.sequence()
        || result.snapshot().listingHash() != snapshot.listingHash()) {
      problems.accept(
          new Problem(
              null,
              -1,
              "entries in the file are not those in memory: expected="
                  + snapshot.index().size()
                  + " found="
                  + result.snapshot().index().size()));
    }
  }

  private void requireLength(Generation open, long length) throws StoreException {
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
    Snapshot snapshot = live.hold();
    try {
      for (Map.Entry<Long, DictionaryInfo> each : snapshot.dictionaries().entrySet()) {
        try {
          var unused = snapshot.dictionary(each.getKey());
        } catch (StoreCorruptException e) {
          problems.accept(
              new Problem(null, each.getValue().offset(), String.valueOf(e.getMessage())));
        }
      }
    } finally {
      snapshot.generation().release();
    }
  }
}
