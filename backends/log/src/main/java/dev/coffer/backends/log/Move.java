package dev.coffer.backends.log;

/**
 * A record that compaction is about to move, read and checked; whether it is still needed is seen
 * once nobody commits.
 *
 * @param kind of {@link RecordKind}
 * @param number as in its header
 * @param meta its meta bytes
 * @param contentOffset where its content lies in the segment that is emptied
 * @param content its content, or that of the place an entry names; empty if there is none
 */
record Move(int kind, long number, byte[] meta, long contentOffset, byte[] content) {

  long length() {
    return (long) RecordHeader.LENGTH + meta.length + content.length;
  }
}
