package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All that opening needs to know of a store as of one commit, so that only what came after is to be
 * replayed: the meta bytes of an index-root record, and the payload of a root file.
 *
 * <pre>
 *   +-------------------------------------------------------------------------------------- - -
 *   | version u8 | epoch, segment, end, frameOffset varints, frameCrc u32 | features 3 x u32
 *   +-------------------------------------------------------------------------------------- - -
 *   - - -------------------------------------------------------------------------------- - -
 *     sequence, entryCount varints | listingHash u64 | liveBytes, nextContentId varints
 *   - - -------------------------------------------------------------------------------- - -
 *   - - -------------------------------------------------------------------------------- - -
 *     live bytes by segment | properties | dictionaries | orphans | runs, newest first
 *   - - -------------------------------------------------------------------------------- - -
 * </pre>
 *
 * Each of the lists at the end is a varint count and its items; docs/format.md has them all.
 *
 * @param epoch the epoch in force
 * @param end up to where the log is covered; it was forced up to there before
 * @param frameOffset where the last commit frame lies in that segment, or 0 if there is none
 * @param frameCrc the CRC of that frame's header, as stored
 * @param features what the store uses
 * @param sequence the last commit
 * @param entryCount how many entries there are
 * @param listingHash the sum of {@link Row#hash} over them
 * @param liveBytes packed bytes reachable from entries
 * @param nextContentId above every content id used so far
 * @param segmentLiveBytes bytes of live records, by segment
 * @param properties the store's properties
 * @param dictionaries where the dictionaries are, by id
 * @param orphans pages that nobody refers to, but which count as holders of their children
 * @param runs the runs, the newest first
 */
record IndexRoot(
    int epoch,
    Location end,
    long frameOffset,
    int frameCrc,
    Features features,
    long sequence,
    long entryCount,
    long listingHash,
    long liveBytes,
    long nextContentId,
    Map<Integer, Long> segmentLiveBytes,
    SortedMap<String, String> properties,
    Map<Long, DictionaryInfo> dictionaries,
    List<Long> orphans,
    List<RunInfo> runs) {

  private static final int VERSION = 1;

  /** What a root says of a snapshot, but for its runs; called with the store's lock held. */
  static IndexRoot of(
      Snapshot snapshot,
      References references,
      Live.Frame frame,
      Features features,
      int epoch,
      long nextContentId) {
    return new IndexRoot(
        epoch,
        snapshot.end(),
        frame.offset(),
        frame.crc(),
        features,
        snapshot.sequence(),
        snapshot.entryCount(),
        snapshot.listingHash(),
        references.liveBytes(),
        nextContentId,
        references.segmentLiveBytes(),
        snapshot.properties(),
        snapshot.dictionaries(),
        references.orphans(),
        List.of());
  }

  IndexRoot withRuns(List<RunInfo> newRuns) {
    return new IndexRoot(
        epoch,
        end,
        frameOffset,
        frameCrc,
        features,
        sequence,
        entryCount,
        listingHash,
        liveBytes,
        nextContentId,
        segmentLiveBytes,
        properties,
        dictionaries,
        orphans,
        List.copyOf(newRuns));
  }

  byte[] encode() {
    BytesOut out = new BytesOut(256);
    out.u8(VERSION).varint(epoch).varint(end.segment()).varint(end.offset());
    out.varint(frameOffset).u32(frameCrc);
    features.encode(out);
    out.varint(sequence).varint(entryCount).u64(listingHash);
    out.varint(liveBytes).varint(nextContentId);
    out.varint(segmentLiveBytes.size());
    segmentLiveBytes.forEach((segment, live) -> out.varint(segment).varint(live));
    out.varint(properties.size());
    properties.forEach((name, value) -> out.text(name).text(value));
    out.varint(dictionaries.size());
    dictionaries.forEach(
        (id, info) ->
            out.u64(id)
                .varint(info.segment())
                .varint(info.offset())
                .varint(info.length())
                .u32(info.crc()));
    out.varint(orphans.size());
    orphans.forEach(out::varint);
    out.varint(runs.size());
    runs.forEach(run -> run.encode(out));
    return out.toByteArray();
  }

  static IndexRoot decode(byte[] bytes) throws StoreCorruptException {
    BytesIn in = new BytesIn(bytes);
    int version = in.u8();
    if (version != VERSION) {
      throw BytesIn.malformed("of an index root has another version: found=" + version);
    }
    int epoch = (int) in.upTo(Integer.MAX_VALUE, "epoch");
    int segment = (int) in.upTo(Integer.MAX_VALUE, "segment");
    Location end = new Location(segment, in.upTo(Long.MAX_VALUE, "end"));
    long frameOffset = in.upTo(end.offset(), "frame offset");
    int frameCrc = in.u32();
    Features features = Features.decode(in);
    long sequence = in.upTo(Long.MAX_VALUE, "sequence");
    long entryCount = in.upTo(Long.MAX_VALUE, "entry count");
    long listingHash = in.u64();
    long liveBytes = in.upTo(Long.MAX_VALUE, "live bytes");
    long nextContentId = in.upTo(Long.MAX_VALUE, "next content id");
    Map<Integer, Long> segmentLiveBytes = new HashMap<>();
    for (int left = count(in); left > 0; left--) {
      int number = (int) in.upTo(Integer.MAX_VALUE, "segment");
      segmentLiveBytes.put(number, in.upTo(Long.MAX_VALUE, "live bytes"));
    }
    SortedMap<String, String> properties = new TreeMap<>();
    for (int left = count(in); left > 0; left--) {
      String name = in.text();
      properties.put(name, in.text());
    }
    Map<Long, DictionaryInfo> dictionaries = new HashMap<>();
    for (int left = count(in); left > 0; left--) {
      long id = in.u64();
      int where = (int) in.upTo(Integer.MAX_VALUE, "segment");
      long offset = in.upTo(Long.MAX_VALUE, "offset");
      int length = (int) in.upTo(RecordHeader.MAX_CONTENT, "length");
      dictionaries.put(id, new DictionaryInfo(where, offset, length, in.u32()));
    }
    List<Long> orphans = new ArrayList<>();
    for (int left = count(in); left > 0; left--) {
      orphans.add(in.upTo(Long.MAX_VALUE, "content id"));
    }
    List<RunInfo> runs = new ArrayList<>();
    for (int left = count(in); left > 0; left--) {
      runs.add(RunInfo.decode(in));
    }
    if (in.remaining() != 0) {
      throw BytesIn.malformed("of an index root is too long: excessBytes=" + in.remaining());
    }
    return new IndexRoot(
        epoch,
        end,
        frameOffset,
        frameCrc,
        features,
        sequence,
        entryCount,
        listingHash,
        liveBytes,
        nextContentId,
        segmentLiveBytes,
        java.util.Collections.unmodifiableSortedMap(properties),
        Map.copyOf(dictionaries),
        orphans,
        runs);
  }

  /** A number of items, each of which takes at least a byte. */
  private static int count(BytesIn in) throws StoreCorruptException {
    return (int) in.upTo(in.remaining(), "count");
  }
}
