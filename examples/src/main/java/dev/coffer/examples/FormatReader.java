package dev.coffer.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Lists and reads a single-file log store without Coffer: written from docs/format.md alone, with
 * the JDK and a zstd decoder. It reads the log from its start and ignores the index, so its memory
 * grows with the number of entries. For one thread.
 */
final class FormatReader implements AutoCloseable {
  private static final int PUT = 2, DELETE = 3, PROPERTY = 5, DICTIONARY = 6, FRAME = 7;
  private static final int CHUNK = 1, EPOCH = 8, TRAILER = 9, SEAL = 12, OPTIONAL = 0x80;
  private static final int HEADER = 32, FIRST_RECORD = 128, SEAL_FEATURE = 1 << 2, WINDOW = 4096;
  private static final long FANOUT = 1024;

  /** One path. {@code content} is null for form 0; {@code hash} is its part of the listing hash. */
  record Entry(
      byte[] key,
      long version,
      int kind,
      long length,
      int mode,
      Instant modified,
      @Nullable Content content,
      List<Attribute> attributes,
      long hash) {
    String path() {
      String elements = new String(key, UTF_8).replace('\0', '/');
      int separator = elements.lastIndexOf('/');
      return "/" + elements.substring(0, separator) + elements.substring(separator + 1);
    }
  }

  record Attribute(int tag, byte[] value) {}

  /** {@code place} is the offset of the packed bytes (forms 1, 2) or a content id (forms 3, 4). */
  record Content(int form, long place, long offset, long chunkLength, Packed packed) {}

  record Packed(int codec, long dictionary, long plainLength, long length, int crc) {}

  private record Chunk(long place, Packed packed) {}

  /** A record; not {@code sound} if its meta bytes do not match their CRC or are not all there. */
  private record Log(long start, ByteBuffer header, ByteBuffer meta, boolean sound) {
    int kind() {
      return header.get(2) & 0xFF;
    }

    int epoch() {
      return header.getInt(4);
    }

    long number() {
      return header.getLong(8);
    }

    long content() {
      return start + HEADER + Integer.toUnsignedLong(header.getInt(16));
    }

    long end() {
      return content() + Integer.toUnsignedLong(header.getInt(20));
    }
  }

  private final FileChannel file;
  private final long size;
  private final long storeId;
  private final Map<Long, Chunk> chunks = new HashMap<>();
  private final Map<Long, byte[]> dictionaries = new HashMap<>();
  private final TreeMap<byte[], Entry> entries = new TreeMap<>(Arrays::compareUnsigned);
  private final List<String> damage = new ArrayList<>();
  private boolean closedCleanly;

  FormatReader(Path store) throws IOException {
    file = FileChannel.open(store, StandardOpenOption.READ);
    size = file.size();
    try {
      storeId = readFileHeader();
      replay();
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw new IOException("a record is not what the format says", e);
    }
  }

  public static void main(String[] args) throws IOException {
    try (FormatReader reader = new FormatReader(Path.of(args[0]))) {
      for (Entry entry : reader.entries()) {
        if (args.length == 1) {
          System.out.println(entry.length() + " " + entry.modified() + " " + entry.path());
        } else if (entry.path().equals(args[1])) {
          reader.copy(entry, System.out);
        }
      }
      reader.damage().forEach(System.err::println);
    }
  }

  /** All entries in the order of their keys. */
  Collection<Entry> entries() {
    return entries.values();
  }

  /** What is damaged, in words; empty if nothing of the log is. Content is checked by copying. */
  List<String> damage() {
    return damage;
  }

  boolean closedCleanly() {
    return closedCleanly;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  // The file header and records: sections 2, 3.

  private ByteBuffer read(long offset, long length) throws IOException {
    if (offset < 0 || length < 0 || length > size - offset || length > Integer.MAX_VALUE - 8) {
      throw new IOException("past the end: offset=" + offset + " length=" + length);
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) length).order(ByteOrder.LITTLE_ENDIAN);
    while (bytes.hasRemaining()) {
      if (file.read(bytes, offset + bytes.position()) < 0) {
        throw new IOException("cut while it was read: offset=" + offset);
      }
    }
    return bytes.flip();
  }

  private static int crc(ByteBuffer bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.slice(0, length));
    return (int) crc.getValue();
  }

  private long readFileHeader() throws IOException {
    for (int copy = 0; copy < FIRST_RECORD; copy += 64) {
      ByteBuffer header = read(copy, 64);
      if (header.getLong(0) == 0x0A1A0A0D52464389L && crc(header, 60) == header.getInt(60)) {
        if (header.getInt(8) != 1 || (header.getInt(20) & ~SEAL_FEATURE) != 0) {
          throw new IOException("too new, or not a single file: version=" + header.getInt(8));
        }
        return header.getLong(24);
      }
      damage.add("file header: offset=" + copy);
    }
    throw new IOException("no store, or its header is damaged");
  }

  /** The record whose header starts there, or null. */
  private @Nullable Log recordAt(long start) throws IOException {
    if (size - start < HEADER) {
      return null;
    }
    ByteBuffer header = read(start, HEADER);
    ByteBuffer named = ByteBuffer.allocate(48).order(ByteOrder.LITTLE_ENDIAN);
    named.put(header.slice(0, 28)).putLong(storeId).putInt(0).putLong(start);
    if (header.getShort(0) != (short) 0xC0F1 || crc(named, 48) != header.getInt(28)) {
      return null;
    }
    int length = header.getInt(16);
    Log unsound = new Log(start, header, ByteBuffer.allocate(0), false);
    if (unsound.end() > size) {
      return unsound;
    }
    ByteBuffer meta = read(start + HEADER, length);
    return crc(meta, length) == header.getInt(24) ? new Log(start, header, meta, true) : unsound;
  }

  /** The first record from an offset on, found by trying every offset, of an epoch not lower. */
  private @Nullable Log nextRecord(long from, int epoch) throws IOException {
    for (long at = from; size - at >= HEADER; at += WINDOW) {
      ByteBuffer window = read(at, Math.min(WINDOW + 1, size - at));
      for (int i = 0; i < Math.min(WINDOW, window.limit() - 1); i++) {
        if (window.getShort(i) == (short) 0xC0F1) {
          Log found = recordAt(at + i);
          if (found != null && found.epoch() >= epoch) {
            return found;
          }
        }
      }
    }
    return null;
  }

  // Recovery: section 6.

  private void replay() throws IOException {
    List<Log> batch = new ArrayList<>();
    @Nullable Log sum = null; // the last frame or trailer
    int epoch = 0;
    long durable = 0;
    boolean gap = false;
    long position = FIRST_RECORD;
    while (position < size) {
      @Nullable Log log = recordAt(position);
      boolean sound =
          log != null
              && log.sound()
              && (log.kind() == EPOCH ? log.epoch() > epoch : log.epoch() == epoch);
      if (log == null || !sound || (log.kind() == FRAME && !gap && !isWhole(log, batch))) {
        durable = Math.max(durable, durableBeyond(position, epoch));
        if (position >= durable) {
          break;
        }
        damage.add("log: offset=" + position);
        gap = true;
      }
      if (log == null || !sound) {
        log = log != null && log.end() <= size ? recordAt(log.end()) : null;
        log = log != null ? log : nextRecord(position + 1, epoch);
        position = log == null ? size : log.start();
        continue;
      }
      durable = Math.max(durable, durableBy(log));
      if (log.kind() == FRAME || log.kind() == TRAILER || log.kind() == EPOCH) {
        long start = log.kind() == FRAME && !gap ? log.meta().getLong(24) : 0;
        if (log.kind() == FRAME || gap) {
          batch.stream().filter(r -> r.start() >= start).forEach(this::apply);
        }
        batch.clear();
        gap = false;
        epoch = log.epoch();
        sum = log.kind() == EPOCH ? sum : log;
        closedCleanly = log.kind() == TRAILER && log.end() == size;
      } else {
        keep(log, batch);
      }
      position = log.end();
    }
    if (sum != null) {
      int at = sum.kind() == FRAME ? 40 : 8;
      long hash = entries.values().stream().mapToLong(Entry::hash).sum();
      if (sum.meta().getLong(at) != entries.size() || sum.meta().getLong(at + 8) != hash) {
        damage.add("the entries are not those of the last commit: found=" + entries.size());
      }
    }
  }

  private long durableBeyond(long position, int epoch) throws IOException {
    long durable = 0;
    @Nullable Log log = nextRecord(position + 1, epoch);
    for (; log != null; log = nextRecord(log.start() + 1, epoch)) {
      durable = Math.max(durable, durableBy(log));
    }
    return durable;
  }

  private static long durableBy(Log log) {
    boolean marks = log.kind() == EPOCH || log.kind() == TRAILER;
    boolean names = log.kind() == FRAME && log.sound();
    return marks ? log.start() : names ? log.meta().getLong(32) : 0;
  }

  private static boolean isWhole(Log frame, List<Log> records) {
    CRC32C crc = new CRC32C();
    long count = 0;
    for (Log record : records) {
      if (record.start() >= frame.meta().getLong(24)) {
        crc.update(record.header().slice(28, 4));
        count++;
      }
    }
    return count == frame.meta().getLong(16) && (int) crc.getValue() == frame.meta().getInt(12);
  }

  private void keep(Log log, List<Log> batch) throws IOException {
    ByteBuffer meta = log.meta();
    batch.add(log);
    switch (log.kind()) {
      case CHUNK -> {
        long plainLength = Integer.toUnsignedLong(meta.getInt(0));
        long length = log.end() - log.content();
        Packed packed =
            new Packed(meta.get(16), meta.getLong(8), plainLength, length, meta.getInt(4));
        chunks.put(log.number(), new Chunk(log.content(), packed));
      }
      case DICTIONARY -> {
        byte[] bytes = read(log.content(), log.end() - log.content()).array();
        if (crc(ByteBuffer.wrap(bytes), bytes.length) == meta.getInt(0)) {
          dictionaries.put(log.number(), bytes);
        } else {
          damage.add("dictionary: id=" + log.number());
        }
      }
      case PUT, DELETE, PROPERTY, SEAL -> {}
      default -> {
        if (log.kind() < OPTIONAL) {
          throw new IOException("too new: kind=" + log.kind());
        }
      }
    }
  }

  private void apply(Log log) {
    if (log.kind() == PUT) {
      Entry entry = entry(log);
      entries.put(entry.key(), entry);
    } else if (log.kind() == DELETE) {
      entries.remove(bytes(log.meta(), log.meta().getShort() & 0xFFFF));
    }
  }

  // Entries: section 3.2.

  private static byte[] bytes(ByteBuffer from, long length) {
    if (length < 0 || length > from.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[(int) length];
    from.get(bytes);
    return bytes;
  }

  private static long varint(ByteBuffer from) {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      byte next = from.get();
      value |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new BufferUnderflowException();
  }

  private static long signed(ByteBuffer from) {
    long value = varint(from);
    return value >>> 1 ^ -(value & 1);
  }

  private static Entry entry(Log log) {
    ByteBuffer meta = log.meta();
    byte[] key = bytes(meta, meta.getShort() & 0xFFFF);
    int type = meta.get();
    long length = varint(meta);
    int mode = (int) varint(meta);
    Instant modified = Instant.ofEpochSecond(signed(meta), varint(meta));
    @Nullable Content content = content(type >> 2 & 7, meta, log.content());
    List<Attribute> attributes = new ArrayList<>();
    while (meta.hasRemaining()) {
      attributes.add(new Attribute(meta.get() & 0xFF, bytes(meta, varint(meta))));
    }
    long hash = Integer.toUnsignedLong(log.header().getInt(24)) * 0x9E3779B97F4A7C15L;
    hash = mix(hash + log.number());
    return new Entry(
        key, log.number(), type & 3, length, mode, modified, content, attributes, hash);
  }

  private static long mix(long z) {
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }

  private static @Nullable Content content(int form, ByteBuffer meta, long inline) {
    return switch (form) {
      case 0 -> null;
      case 1, 2 -> {
        long segment = form == 2 ? varint(meta) : 0;
        long place = form == 2 && segment == 0 ? varint(meta) : inline;
        int codec = meta.get();
        yield new Content(
            form,
            place,
            0,
            0,
            new Packed(codec, varint(meta), varint(meta), varint(meta), meta.getInt()));
      }
      case 3 -> {
        long id = varint(meta);
        long offset = varint(meta);
        long plain = varint(meta);
        int codec = meta.get();
        yield new Content(
            form,
            id,
            offset,
            0,
            new Packed(codec, varint(meta), plain, varint(meta), meta.getInt()));
      }
      case 4 -> {
        long root = varint(meta);
        int rootCrc = meta.getInt();
        long chunkLength = varint(meta);
        long total = varint(meta);
        yield new Content(form, root, 0, chunkLength, new Packed(meta.get(), 0, 0, total, rootCrc));
      }
      default -> throw new IllegalArgumentException("form=" + form);
    };
  }

  // Content: sections 3.1, 5, 7.

  /** Writes a file's plain bytes; throws when any of what it is made of is damaged. */
  void copy(Entry entry, OutputStream to) throws IOException {
    Content content = entry.content();
    if (content == null) {
      return;
    }
    switch (content.form()) {
      case 1, 2 -> to.write(unpack(content.place(), content.packed()));
      case 3 -> {
        byte[] plain = unpack(chunk(content.place(), content.packed().crc()));
        to.write(plain, (int) content.offset(), (int) entry.length());
      }
      default -> {
        long count = (entry.length() + content.chunkLength() - 1) / content.chunkLength();
        long span = 1;
        while (span * FANOUT < count) {
          span *= FANOUT;
        }
        copyPage(content, content.packed().crc(), content.place(), entry.length(), span, to);
      }
    }
  }

  /** Each slot of the page stands for {@code span} chunks, but the last, if they are fewer. */
  private void copyPage(Content table, int crc, long id, long length, long span, OutputStream to)
      throws IOException {
    ByteBuffer page = ByteBuffer.wrap(unpack(chunk(id, crc))).order(ByteOrder.LITTLE_ENDIAN);
    for (long left = length; left > 0; left -= span * table.chunkLength()) {
      long part = Math.min(left, span * table.chunkLength());
      long child = page.getLong();
      int childCrc = page.getInt();
      if (child == 0) {
        for (long zeros = part; zeros > 0; zeros -= WINDOW) {
          to.write(new byte[(int) Math.min(zeros, WINDOW)]);
        }
      } else if (span == 1) {
        to.write(unpack(chunk(child, childCrc)), 0, (int) part);
      } else {
        copyPage(table, childCrc, child, part, span / FANOUT, to);
      }
    }
  }

  private Chunk chunk(long id, int crc) throws IOException {
    Chunk chunk = chunks.get(id);
    if (chunk == null || chunk.packed().crc() != crc) {
      throw new IOException("no such chunk: id=" + id);
    }
    return chunk;
  }

  private byte[] unpack(Chunk chunk) throws IOException {
    return unpack(chunk.place(), chunk.packed());
  }

  private byte[] unpack(long place, Packed packed) throws IOException {
    byte[] bytes = read(place, packed.length()).array();
    if (crc(ByteBuffer.wrap(bytes), bytes.length) != packed.crc()) {
      throw new IOException("content damaged: offset=" + place + " length=" + bytes.length);
    }
    if (packed.codec() == 0) {
      return bytes;
    }
    try (ZstdDecompressCtx zstd = new ZstdDecompressCtx().setMagicless(true)) {
      if (packed.codec() != 1) {
        throw new IOException("unknown codec: id=" + packed.codec());
      }
      if (packed.dictionary() != 0) {
        zstd.loadDict(dictionaries.get(packed.dictionary()));
      }
      return zstd.decompress(bytes, Math.toIntExact(packed.plainLength()));
    } catch (ZstdException e) {
      throw new IOException("content damaged: offset=" + place, e);
    }
  }
}
