package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Copies to a compacted file what was committed after the snapshot it was made of. */
final class TailCopy {
  private final Segment old;
  private final YoungFile young;
  private final RecordHeader.Home home;
  private final List<Row> batch = new ArrayList<>();
  private long position;

  /** A copy of what follows a snapshot. */
  TailCopy(Segment old, YoungFile young, Snapshot from) {
    this.old = old;
    this.young = young;
    this.home = old.home;
    this.position = from.end().offset();
  }

  /** Up to where the log was copied. */
  long position() {
    return position;
  }

  /** Whether at most so many bytes are left. */
  boolean isShort(long bytes) {
    return old.written() - position <= bytes;
  }

  /** Copies about so many bytes of records, up to an offset. */
  void copy(long budgetBytes, long end) throws StoreException {
    RecordScanner scanner = new RecordScanner(old.path, old.file, home, end);
    long start = position;
    while (position < end && position - start <= budgetBytes) {
      if (scanner.at(position) != RecordScanner.Status.RECORD) {
        throw new StoreCorruptException(
            "record is damaged, so the store cannot be compacted: offset=" + position,
            null,
            position,
            null);
      }
      copy(scanner.header(), scanner.meta());
      position += scanner.header().length();
    }
  }

  private void copy(RecordHeader header, byte[] meta) throws StoreException {
    long contentOffset = position + RecordHeader.LENGTH + header.metaLength();
    switch (header.kind()) {
      case RecordKind.PUT, RecordKind.DELETE, RecordKind.BLOCK -> {
        for (LogItem item : LogItem.of(header, position, meta)) {
          batch.add(
              item.kind() == RecordKind.PUT
                  ? item.row(old.number())
                  : Row.deletion(EntryLayout.decodeKey(item.meta()), item.number()));
        }
      }
      case RecordKind.CHUNK ->
          young.copyChunk(
              header.number(),
              ChunkInfo.of(
                  old.number(), contentOffset, header.contentLength(), ChunkLayout.decode(meta)));
      case RecordKind.PROPERTY -> {
        PropertyLayout property = PropertyLayout.decode(meta);
        young.property(header.number(), property.name(), property.value());
      }
      case RecordKind.DICTIONARY -> young.dictionary(header.number(), content(header));
      case RecordKind.COMMIT -> {
        CommitLayout commit = CommitLayout.decode(meta);
        young.apply(batch);
        young.commit(header.number(), commit.time(), commit.nextContentId());
        batch.clear();
      }
      default -> {} // What it says does not hold for the new file.
    }
  }

  private byte[] content(RecordHeader header) throws StoreException {
    byte[] bytes = new byte[header.contentLength()];
    boolean there =
        old.read(position + RecordHeader.LENGTH + header.metaLength(), bytes, bytes.length);
    return there ? bytes : Arrays.copyOf(bytes, 0);
  }
}
