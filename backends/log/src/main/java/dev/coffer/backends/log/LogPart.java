package dev.coffer.backends.log;

import dev.coffer.vfs.StoreClosedException;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;

/**
 * A part of a run that is the content of a record of the log.
 *
 * @param segment the segment it lies in
 * @param start where it starts
 * @param length how long it is
 */
record LogPart(Segment segment, long start, long length) implements PartSource {

  @Override
  public void read(long offset, byte[] target, int targetOffset, int count) throws StoreException {
    if (offset < 0 || count > length - offset) {
      throw new StoreCorruptException(
          "index part is too short: length=" + count, null, offset, null);
    }
    if (!segment.read(start + offset, target, targetOffset, count)) {
      throw new StoreClosedException("store is closed: file=" + segment.path);
    }
  }
}
