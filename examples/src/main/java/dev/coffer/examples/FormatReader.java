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
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Lists and reads a single-file log store without Coffer: written from docs/format.md alone, with
 * the JDK and a zstd decoder. Reads the log from its start and passes over the index, so its memory
 * grows with the number of entries; stops at the first damage, and says so. For one thread.
 */
final class FormatReader implements AutoCloseable {
  private static final int CHUNK = 1,
      PUT = 2,
      DELETE = 3,
      BLOCK = 4,
      DICTIONARY = 6,
      FRAME = 7,
      EPOCH = 8;
  private static final int TRAILER = 9, HEADER = 32, FIRST_RECORD = 128, BLOCKS_AND_SEALED = 6;

  /** One path: kind 0 file, 1 directory, 2 link; content is null where there is none. */
  record Entry(
      byte[] key,
      long version,
      int kind,
      long length,
      int mode,
      Instant modified,
      Content content) {
    String path() {
      String elements = new String(key, UTF_8).replace('\0', '/');
      int separator = elements.lastIndexOf('/');
      return "/" + elements.substring(0, separator) + elements.substring(separator + 1);
    }
  }

  /**
   * By form: packed bytes at an offset of the file (1, 2), or an id of a chunk (3), of a page (4).
   */
  record Content(int form, long place, long offset, long chunkLength, Packed packed) {}

  record Packed(int codec, long dictionary, long plainLength, long length, int crc) {}

  private record Chunk(long place, Packed packed) {}

  private record Log(long start, int kind, int epoch, long number, ByteBuffer meta, int length) {
    long content() {
      return start + HEADER + meta.limit();
    }

    long end() {
      return content() + length;
    }
  }

  private final FileChannel file;
  private final long storeId;
  private final Map<Long, Chunk> chunks = new HashMap<>();
  private final Map<Long, byte[]> dictionaries = new HashMap<>();
  private final TreeMap<byte[], Entry> entries = new TreeMap<>(Arrays::compareUnsigned);
  private boolean complete;

  FormatReader(Path store) throws IOException {
    file = FileChannel.open(store);
    byte[] bytes = read(0, FIRST_RECORD);
    ByteBuffer header = little(bytes);
    int copy = crc(bytes, 0, 60) == header.getInt(60) ? 0 : 64;
    if (header.getLong(copy) != 0x0A1A0A0D52464389L
        || crc(bytes, copy, 60) != header.getInt(copy + 60)
        || header.getInt(copy + 8) != 1) {
      throw new IOException("no store in a single file, too new, or its header is damaged");
    }
    requireKnown(header.getInt(copy + 20));
    storeId = header.getLong(copy + 24);
    replay();
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
      if (!reader.isComplete()) {
        System.err.println("not closed cleanly, or damaged: there may be more");
      }
    }
  }

  /** All entries in the order of their keys. */
  List<Entry> entries() {
    return List.copyOf(entries.values());
  }

  /** Whether the log was read to its end, which is that of a store closed cleanly. */
  boolean isComplete() {
    return complete;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  private byte[] read(long offset, long length) throws IOException {
    if (offset < 0 || length < 0 || length > file.size() - offset || length > 1 << 30) {
      throw new IOException("past the end: offset=" + offset + " length=" + length);
    }
    byte[] bytes = new byte[(int) length];
    ByteBuffer target = ByteBuffer.wrap(bytes);
    while (target.hasRemaining() && file.read(target, offset + target.position()) > 0) {}
    return bytes;
  }

  private static void requireKnown(int incompat) throws IOException {
    if ((incompat & ~BLOCKS_AND_SEALED) != 0) {
      throw new IOException("too new, or no store in a single file: incompat=" + incompat);
    }
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static int crc(byte[] bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, length);
    return (int) crc.getValue();
  }

  // Records and recovery: sections 3 and 6.

  private @Nullable Log recordAt(long start) throws IOException {
    if (file.size() - start < HEADER) {
      return null;
    }
    byte[] named = Arrays.copyOf(read(start, HEADER), 48);
    ByteBuffer head = little(named);
    int headerCrc = head.getInt(28);
    long length = HEADER + (long) head.getInt(16) + head.getInt(20);
    head.putLong(28, storeId).putInt(36, 0).putLong(40, start);
    if (head.getShort(0) != (short) 0xC0F1
        || crc(named, 0, 48) != headerCrc
        || length > file.size() - start) {
      return null;
    }
    byte[] meta = read(start + HEADER, head.getInt(16));
    return crc(meta, 0, meta.length) != head.getInt(24)
        ? null
        : new Log(
            start,
            head.get(2) & 0xFF,
            head.getInt(4),
            head.getLong(8),
            little(meta),
            head.getInt(20));
  }

  private void replay() throws IOException {
    List<Log> batch = new ArrayList<>();
    int epoch = 0;
    long position = FIRST_RECORD;
    for (Log log; (log = recordAt(position)) != null; position = log.end()) {
      if (log.kind() == EPOCH ? log.epoch() <= epoch : log.epoch() != epoch) {
        return;
      }
      switch (log.kind()) {
        case EPOCH -> {
          epoch = log.epoch();
          requireKnown(log.meta().getInt(20));
        }
        case CHUNK -> chunks.put(log.number(), chunk(log));
        case DICTIONARY -> dictionaries.put(log.number(), read(log.content(), log.length()));
        case FRAME -> apply(batch, log.meta().getLong(24));
        case TRAILER -> complete = log.end() == file.size();
        default -> {
          if (log.kind() > 12 && log.kind() < 0x80) {
            throw new IOException("too new: kind=" + log.kind());
          }
        }
      }
      batch.add(log);
    }
  }

  private void apply(List<Log> batch, long start) throws IOException {
    for (Log log : batch) {
      ByteBuffer meta = log.meta();
      switch (log.start() < start ? FRAME : log.kind()) {
        case PUT -> put(bytes(meta, meta.getShort()), log.number(), meta, log.content());
        case DELETE -> entries.remove(bytes(meta, meta.getShort()));
        case BLOCK -> applyBlock(log);
        default -> {} // Taken in already, or no part of the batch.
      }
    }
    batch.clear();
  }

  /** Section 3.3. */
  private void applyBlock(Log log) throws IOException {
    ByteBuffer head = log.meta();
    int length = head.getInt();
    int codec = head.get();
    ByteBuffer block = little(unpack(codec, 0, length, bytes(head, head.remaining())));
    byte[] key = new byte[0];
    for (long place = log.content(); block.hasRemaining(); ) {
      int shared = (int) varint(block);
      byte[] rest = bytes(block, varint(block));
      key = Arrays.copyOf(key, shared + rest.length);
      System.arraycopy(rest, 0, key, shared, rest.length);
      long version = varint(block);
      ByteBuffer body = little(bytes(block, varint(block)));
      if (body.hasRemaining()) {
        Content content = put(key, version, body, place).content();
        place += content.form() == 1 ? content.packed().length() : 0;
      } else {
        entries.remove(key);
      }
    }
  }

  private static Chunk chunk(Log log) {
    ByteBuffer meta = log.meta();
    return new Chunk(
        log.content(),
        new Packed(meta.get(16), meta.getLong(8), meta.getInt(0), log.length(), meta.getInt(4)));
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
    int shift = 0;
    byte next;
    do {
      next = from.get();
      value |= (long) (next & 0x7F) << shift;
      shift += 7;
    } while (next < 0);
    return value;
  }

  private static long signed(ByteBuffer from) {
    long value = varint(from);
    return value >>> 1 ^ -(value & 1);
  }

  private Entry put(byte[] key, long version, ByteBuffer body, long inline) {
    int type = body.get();
    long length = varint(body);
    int mode = (int) varint(body);
    Instant modified = Instant.ofEpochSecond(signed(body), varint(body));
    Content content = content(type >> 2 & 7, body, inline);
    Entry entry = new Entry(key, version, type & 3, length, mode, modified, content);
    entries.put(key, entry);
    return entry;
  }

  private static Content content(int form, ByteBuffer in, long inline) {
    long segmentOrId = form > 1 ? varint(in) : 0;
    if (form == 4) {
      int crc = in.getInt();
      long chunkLength = varint(in);
      return new Content(4, segmentOrId, 0, chunkLength, new Packed(0, 0, 0, varint(in), crc));
    }
    long offset = form > 1 ? varint(in) : inline;
    long plain = form == 3 ? varint(in) : 0;
    int codec = form > 0 ? in.get() : 0;
    long dictionary = form > 0 ? varint(in) : 0;
    plain = form == 1 || form == 2 ? varint(in) : plain;
    Packed packed =
        form == 0
            ? new Packed(0, 0, 0, 0, 0)
            : new Packed(codec, dictionary, plain, varint(in), in.getInt());
    return new Content(form, form == 3 ? segmentOrId : offset, form == 3 ? offset : 0, 0, packed);
  }

  // Content: sections 3.1, 5, 7.

  /** Writes a file's plain bytes; throws when any of what it is made of is damaged. */
  void copy(Entry entry, OutputStream to) throws IOException {
    Content content = entry.content();
    Packed packed = content.packed();
    switch (content.form()) {
      case 0 -> {}
      case 1, 2 -> to.write(unpack(new Chunk(content.place(), packed)));
      case 3 -> {
        byte[] plain = unpack(chunk(content.place(), packed.crc()));
        to.write(plain, (int) content.offset(), (int) entry.length());
      }
      default -> {
        long span = content.chunkLength();
        while (span * 1024 < entry.length()) {
          span *= 1024;
        }
        copyPage(content.chunkLength(), packed.crc(), content.place(), entry.length(), span, to);
      }
    }
  }

  /** Each slot of the page stands for {@code span} plain bytes, but the last, if they are fewer. */
  private void copyPage(long chunk, int crc, long id, long length, long span, OutputStream to)
      throws IOException {
    ByteBuffer page = little(unpack(chunk(id, crc)));
    for (long left = length; left > 0; left -= span) {
      long part = Math.min(left, span);
      long child = page.getLong();
      int childCrc = page.getInt();
      if (child == 0) {
        for (long zeros = part; zeros > 0; zeros -= 4096) {
          to.write(new byte[(int) Math.min(zeros, 4096)]);
        }
      } else if (span == chunk) {
        to.write(unpack(chunk(child, childCrc)), 0, (int) part);
      } else {
        copyPage(chunk, childCrc, child, part, span / 1024, to);
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
    Packed packed = chunk.packed();
    byte[] bytes = read(chunk.place(), packed.length());
    if (crc(bytes, 0, bytes.length) != packed.crc()) {
      throw new IOException("content is damaged: offset=" + chunk.place());
    }
    return unpack(packed.codec(), packed.dictionary(), packed.plainLength(), bytes);
  }

  private byte[] unpack(int codec, long dictionary, long length, byte[] bytes) throws IOException {
    if (codec == 0) {
      return bytes;
    }
    try (ZstdDecompressCtx zstd = new ZstdDecompressCtx().setMagicless(true)) {
      if (dictionary != 0) {
        zstd.loadDict(dictionaries.get(dictionary));
      }
      return zstd.decompress(bytes, Math.toIntExact(length));
    } catch (ZstdException e) {
      throw new IOException("content is damaged, or of an unknown codec: codec=" + codec, e);
    }
  }
}
