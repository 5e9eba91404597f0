package dev.coffer.bench.peers;

import dev.coffer.vfs.Durability;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * No store but the limit for one: a batch is one append of its values, then fdatasync; a read is a
 * copy out of a mapping, then CRC32C. Where values lie is in memory, and in a side file once
 * closed.
 */
final class BareEngine implements Engine {
  private static final int WINDOW = 1 << 30;

  private record Place(long offset, int length, int checksum) {}

  private final Path index;
  private final boolean forces;
  private final boolean readOnly;
  private final FileChannel data;
  private final Map<String, Place> places = new ConcurrentHashMap<>();
  private volatile List<MappedByteBuffer> windows = List.of();
  private long end;

  BareEngine(Path directory, EngineOptions options) throws IOException {
    this.index = directory.resolve("bare.index");
    this.forces = options.durability() == Durability.SYNC;
    this.readOnly = options.readOnly();
    this.data =
        FileChannel.open(
            directory.resolve("bare.data"),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    this.end = data.size();
    if (!options.create()) {
      readIndex();
      map();
    }
  }

  private void readIndex() throws IOException {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(index)))) {
      for (int left = in.readInt(); left > 0; left--) {
        places.put(in.readUTF(), new Place(in.readLong(), in.readInt(), in.readInt()));
      }
    }
  }

  /** Windows overlap by half, so that any value below 512 MiB lies in one. */
  private void map() throws IOException {
    List<MappedByteBuffer> mapped = new ArrayList<>();
    for (long from = 0; from < end; from += WINDOW / 2) {
      mapped.add(data.map(MapMode.READ_ONLY, from, Math.min(WINDOW, end - from)));
    }
    windows = List.copyOf(mapped);
  }

  @Override
  public synchronized void write(String[] keys, byte[][] values) throws IOException {
    int length = 0;
    for (byte[] value : values) {
      length += value.length;
    }
    ByteBuffer buffer = ByteBuffer.allocate(length);
    long at = end;
    for (int i = 0; i < keys.length; i++) {
      buffer.put(values[i]);
      places.put(keys[i], new Place(at, values[i].length, checksum(values[i])));
      at += values[i].length;
    }
    buffer.flip();
    while (buffer.hasRemaining()) {
      end += data.write(buffer, end);
    }
    if (forces) {
      data.force(false);
    }
  }

  private static int checksum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, bytes.length);
    return (int) crc.getValue();
  }

  @Override
  public byte @Nullable [] get(String key) throws IOException {
    Place place = places.get(key);
    if (place == null) {
      return null;
    }
    byte[] value = new byte[place.length()];
    List<MappedByteBuffer> mapped = windows;
    int window = (int) (place.offset() / (WINDOW / 2));
    long within = place.offset() % (WINDOW / 2);
    if (window < mapped.size() && within + value.length <= mapped.get(window).capacity()) {
      mapped.get(window).get((int) within, value);
    } else {
      data.read(ByteBuffer.wrap(value), place.offset());
    }
    if (checksum(value) != place.checksum()) {
      throw new IOException("checksum differs: key=" + key);
    }
    return value;
  }

  @Override
  public int scan(@Nullable String from, int limit, BiConsumer<String, byte[]> rows) {
    throw new UnsupportedOperationException("the bare limit has no order");
  }

  @Override
  public void delete(String[] keys) {
    for (String key : keys) {
      places.remove(key);
    }
  }

  @Override
  public long count() {
    return places.size();
  }

  @Override
  public void compact() {
    throw new UnsupportedOperationException("the bare limit never compacts");
  }

  @Override
  public synchronized void close() throws IOException {
    if (!readOnly) {
      data.force(false);
      writeIndex();
    }
    data.close();
  }

  private void writeIndex() throws IOException {
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(index)))) {
      out.writeInt(places.size());
      for (Map.Entry<String, Place> entry : places.entrySet()) {
        Place place = entry.getValue();
        out.writeUTF(entry.getKey());
        out.writeLong(place.offset());
        out.writeInt(place.length());
        out.writeInt(place.checksum());
      }
    }
  }
}
