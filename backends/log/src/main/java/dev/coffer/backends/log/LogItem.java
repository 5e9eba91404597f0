package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;
import java.util.List;

/**
 * What a record says of one thing; a metadata block says many such.
 *
 * @param kind of {@link RecordKind}, never a block
 * @param number as in the header of a record of its own
 * @param meta the meta bytes of a record of its own
 * @param contentOffset where its content starts
 * @param contentLength how long that is
 * @param inBlock whether a block says it
 */
record LogItem(
    int kind, long number, byte[] meta, long contentOffset, int contentLength, boolean inBlock) {

  /** What a record says. */
  static List<LogItem> of(RecordHeader header, long offset, byte[] meta)
      throws StoreCorruptException {
    long content = offset + RecordHeader.LENGTH + header.metaLength();
    return header.kind() == RecordKind.BLOCK
        ? BlockLayout.items(meta, content, header.contentLength())
        : List.of(
            new LogItem(
                header.kind(), header.number(), meta, content, header.contentLength(), false));
  }

  /** The row of a put, all of it checked. */
  Row row(int segment) throws StoreCorruptException {
    Row row = EntryLayout.row(meta, number, segment, contentOffset, contentLength);
    if (row.isInBlock() != inBlock) {
      throw BytesIn.malformed("of an entry has a wrong type: inBlock=" + row.isInBlock());
    }
    return row;
  }
}
