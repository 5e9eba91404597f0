package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.PackedChunk;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A manifest: a whole file that says which segments make up a folder store, in the order of the
 * log. It is a file header ({@link FileHeader}, whose segment number is 0 and whose features have
 * {@link Features#FOLDER}) and one record of kind {@link RecordKind#MANIFEST} and epoch 1, whose
 * number is the manifest's own, as in the file's name. The record's meta bytes:
 *
 * <pre>
 *   +--------+---------------- - - ----------------+
 *   | count  | segments, each a {@link SegmentInfo}        |
 *   | varint |                                      |
 *   +--------+---------------- - - ----------------+
 * </pre>
 *
 * <p>Numbers ascend, and only the last segment may be unfinished: records are appended to it.
 *
 * @param header what every segment's header repeats: store id, features, time of making
 * @param number one more than that of the manifest before
 * @param segments in the order of the log, at least one
 */
record ManifestLayout(FileHeader header, long number, List<SegmentInfo> segments) {

  private static final int EPOCH = 1;

  ManifestLayout {
    segments = List.copyOf(segments);
  }

  /** The manifest of a new store. */
  static ManifestLayout first(long storeId, Instant created) {
    Features features = new Features(0, 0, Features.FOLDER);
    return new ManifestLayout(
        new FileHeader(features, storeId, false, 0, created), 1, List.of(SegmentInfo.fresh(1)));
  }

  /** The segment that grows, or would. */
  SegmentInfo active() {
    return segments.get(segments.size() - 1);
  }

  /** The header of a segment's file. */
  FileHeader headerOf(int segment) {
    return new FileHeader(
        header.features(), header.storeId(), header.sealed(), segment, header.created());
  }

  /** The next manifest: the active segment is finished, as told, and an empty one follows. */
  ManifestLayout rolled(SegmentInfo finished) {
    List<SegmentInfo> next = new ArrayList<>(segments);
    if (!finished.finished() || finished.number() != active().number()) {
      throw new IllegalArgumentException("segment is not the active one, finished: " + finished);
    }
    next.set(next.size() - 1, finished);
    next.add(SegmentInfo.fresh(finished.number() + 1));
    return new ManifestLayout(header, number + 1, next);
  }

  /** The next manifest: without some finished segments. */
  ManifestLayout without(Set<Integer> dropped) {
    List<SegmentInfo> next = new ArrayList<>(segments);
    if (!next.removeIf(each -> each.finished() && dropped.contains(each.number()))) {
      throw new IllegalArgumentException("no finished segments are dropped: numbers=" + dropped);
    }
    return new ManifestLayout(header, number + 1, next);
  }

  Set<Integer> numbers() {
    Set<Integer> numbers = new HashSet<>();
    segments.forEach(each -> numbers.add(each.number()));
    return numbers;
  }

  /** The bytes of the manifest's file. */
  byte[] encode() {
    BytesOut meta = new BytesOut(64).varint(segments.size());
    segments.forEach(each -> each.encode(meta));
    byte[] bytes = meta.toByteArray();
    BytesOut out = new BytesOut(FileHeader.LENGTH + RecordHeader.LENGTH + bytes.length);
    out.raw(header.encode());
    int crc = PackedChunk.checksum(bytes, 0, bytes.length);
    RecordHeader.encode(
        out,
        home(header),
        FileHeader.LENGTH,
        RecordKind.MANIFEST,
        EPOCH,
        number,
        bytes.length,
        0,
        crc);
    return out.raw(bytes).toByteArray();
  }

  private static RecordHeader.Home home(FileHeader header) {
    return new RecordHeader.Home(header.storeId(), 0);
  }

  /**
   * Reads a manifest's file.
   *
   * @param number what its name says
   * @throws StoreCorruptException if any of it is not as it was written
   */
  static ManifestLayout decode(byte[] file, long number) throws StoreException {
    FileHeader header = FileHeader.decode(Arrays.copyOf(file, Math.min(file.length, 128)));
    RecordHeader record =
        file.length < FileHeader.LENGTH + RecordHeader.LENGTH
            ? null
            : RecordHeader.decode(file, FileHeader.LENGTH, home(header), FileHeader.LENGTH);
    int start = FileHeader.LENGTH + RecordHeader.LENGTH;
    if (record == null
        || record.kind() != RecordKind.MANIFEST
        || record.epoch() != EPOCH
        || record.number() != number
        || record.length() != file.length - FileHeader.LENGTH
        || record.contentLength() != 0
        || record.metaCrc() != PackedChunk.checksum(file, start, record.metaLength())) {
      throw new StoreCorruptException(
          "manifest is damaged: number=" + number + " length=" + file.length,
          null,
          FileHeader.LENGTH,
          null);
    }
    BytesIn in = new BytesIn(file, start, record.metaLength());
    List<SegmentInfo> segments = new ArrayList<>();
    int last = 0;
    for (long left = in.upTo(in.remaining(), "count"); left > 0; left--) {
      SegmentInfo segment = SegmentInfo.decode(in);
      if (segment.number() <= last || (left > 1 && !segment.finished())) {
        throw BytesIn.malformed("of a manifest has its segments wrong: after=" + last);
      }
      last = segment.number();
      segments.add(segment);
    }
    if (segments.isEmpty() || in.remaining() != 0) {
      throw BytesIn.malformed("of a manifest has a wrong length: excessBytes=" + in.remaining());
    }
    return new ManifestLayout(header, number, segments);
  }
}
