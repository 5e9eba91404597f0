package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;
import java.util.ArrayList;
import java.util.List;

/** Records that were read since the last frame: they count once theirs is there. */
final class PendingBatch {
  private final List<Pending> records = new ArrayList<>();

  /** A record without its content. */
  record Pending(RecordHeader header, long offset, byte[] meta) {
    List<LogItem> items() throws StoreCorruptException {
      return LogItem.of(header, offset, meta);
    }
  }

  void add(RecordHeader header, long offset, byte[] meta) {
    records.add(new Pending(header, offset, meta));
  }

  void clear() {
    records.clear();
  }

  /** The records that lie at an offset or behind it, in order; good until the next change. */
  List<Pending> from(long batchStart) {
    int first = 0;
    while (first < records.size() && records.get(first).offset < batchStart) {
      first++;
    }
    return records.subList(first, records.size());
  }

  /** Checks that a frame is this batch's. */
  void require(CommitLayout layout) throws StoreCorruptException {
    int[] crcs = new int[records.size()];
    int count = 0;
    for (Pending record : records) {
      if (record.offset >= layout.batchStart()) {
        crcs[count++] = record.header.crc();
      }
    }
    if (count != layout.recordCount() || CommitLayout.batchCrc(crcs, count) != layout.batchCrc()) {
      throw BytesIn.malformed(
          "of a commit does not match its batch: expected="
              + layout.recordCount()
              + " found="
              + count);
    }
  }
}
