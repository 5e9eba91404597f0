package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an index root says about a run.
 *
 * @param entries its parts of entries, whose keys ascend from part to part
 * @param chunks its part of content ids, if it has any
 * @param shared its part of shared places, if it has any
 */
record RunInfo(List<Entries> entries, @Nullable Table chunks, @Nullable Table shared) {

  private static final int MAX_PARTS = 1 << 16;

  RunInfo {
    entries = List.copyOf(entries);
  }

  /**
   * Where a part lies: in the log, or in a file of its own beside it.
   *
   * @param inLog whether it is the content of a record of the log
   * @param segment the number of the segment it lies in; 0 for a file of its own
   * @param offset where it starts in that segment, or the number of its file
   * @param length how long it is in bytes
   */
  record Place(boolean inLog, int segment, long offset, long length) {

    private void encode(BytesOut out) {
      out.u8(inLog ? 1 : 0).varint(segment).varint(offset).varint(length);
    }

    private static Place decode(BytesIn in) throws StoreCorruptException {
      int inLog = in.u8();
      if (inLog > 1) {
        throw BytesIn.malformed("of an index root has a wrong place: found=" + inLog);
      }
      int segment = (int) in.upTo(Integer.MAX_VALUE, "segment");
      long offset = in.upTo(Long.MAX_VALUE, "offset");
      return new Place(inLog == 1, segment, offset, in.upTo(Long.MAX_VALUE - offset, "length"));
    }
  }

  /** A part of entries. */
  record Entries(Place place, EntryPartInfo info) {}

  /** A part of rows of one width. */
  record Table(Place place, long rows) {

    private static void encode(BytesOut out, @Nullable Table table) {
      out.u8(table == null ? 0 : 1);
      if (table != null) {
        table.place.encode(out);
        out.varint(table.rows);
      }
    }

    private static @Nullable Table decode(BytesIn in) throws StoreCorruptException {
      if (in.u8() == 0) {
        return null;
      }
      Place place = Place.decode(in);
      return new Table(place, in.upTo(place.length, "row count"));
    }
  }

  /** How many rows it has, of any kind. */
  long rows() {
    long rows = (chunks == null ? 0 : chunks.rows) + (shared == null ? 0 : shared.rows);
    for (Entries each : entries) {
      rows += each.info.rows();
    }
    return rows;
  }

  /** Whether all of it lies in the log. */
  boolean isInLog() {
    return places().stream().allMatch(Place::inLog);
  }

  /** The same run with its parts elsewhere, in the order of {@link #places}. */
  RunInfo at(List<Place> places) {
    List<Entries> moved = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      moved.add(new Entries(places.get(i), entries.get(i).info));
    }
    int next = entries.size();
    Table movedChunks = chunks == null ? null : new Table(places.get(next++), chunks.rows);
    Table movedShared = shared == null ? null : new Table(places.get(next), shared.rows);
    return new RunInfo(moved, movedChunks, movedShared);
  }

  /** Where its parts lie: those of entries, of content ids, of shared places. */
  List<Place> places() {
    List<Place> places = new ArrayList<>();
    for (Entries each : entries) {
      places.add(each.place);
    }
    if (chunks != null) {
      places.add(chunks.place);
    }
    if (shared != null) {
      places.add(shared.place);
    }
    return places;
  }

  void encode(BytesOut out) {
    out.varint(entries.size());
    for (Entries each : entries) {
      each.place.encode(out);
      each.info.encode(out);
    }
    Table.encode(out, chunks);
    Table.encode(out, shared);
  }

  static RunInfo decode(BytesIn in) throws StoreCorruptException {
    int count = (int) in.upTo(MAX_PARTS, "part count");
    List<Entries> entries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Place place = Place.decode(in);
      entries.add(new Entries(place, EntryPartInfo.decode(in)));
    }
    Table chunks = Table.decode(in);
    return new RunInfo(entries, chunks, Table.decode(in));
  }
}
