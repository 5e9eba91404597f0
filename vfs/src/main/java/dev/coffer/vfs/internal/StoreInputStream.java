package dev.coffer.vfs.internal;

import dev.coffer.vfs.StoreClosedException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.Pin;
import java.io.InputStream;
import java.util.Objects;

/**
 * Reads one version of a large file in order, one plain chunk in memory at a time. Not thread-safe.
 * Holds a pin until closed.
 */
final class StoreInputStream extends InputStream {
  private final TableReader table;
  private final Pin pin;
  private final long length;
  private final byte[] chunk;
  private long chunkIndex = -1;
  private long position;
  private boolean closed;

  StoreInputStream(TableReader table, Pin pin, long length) {
    this.table = table;
    this.pin = pin;
    this.length = length;
    this.chunk = new byte[table.chunkLength()];
  }

  @Override
  public int read() throws StoreException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int count) throws StoreException {
    Objects.checkFromIndexSize(offset, count, target.length);
    requireOpen();
    if (count == 0) {
      return 0;
    }
    if (position >= length) {
      return -1;
    }
    long index = position / chunk.length;
    if (index != chunkIndex) {
      chunkIndex = -1; // What is in the buffer is undefined if the read fails.
      table.read(index, chunk, 0);
      chunkIndex = index;
    }
    int within = (int) (position % chunk.length);
    int part = Math.min(count, table.lengthOf(index) - within);
    System.arraycopy(chunk, within, target, offset, part);
    position += part;
    return part;
  }

  @Override
  public long skip(long count) throws StoreException {
    requireOpen();
    long part = Math.max(0, Math.min(count, length - position));
    position += part;
    return part;
  }

  @Override
  public int available() throws StoreException {
    requireOpen();
    return (int) Math.min(Integer.MAX_VALUE, length - position);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      pin.close();
    }
  }

  private void requireOpen() throws StoreException {
    if (closed) {
      throw new StoreClosedException("stream is closed: position=" + position);
    }
  }
}
