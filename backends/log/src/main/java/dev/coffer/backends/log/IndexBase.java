package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;
import java.util.ArrayList;
import java.util.List;

/**
 * What an index knows of a log, to go on from.
 *
 * @param root what it covers
 * @param runs its runs, open, the newest first
 */
record IndexBase(IndexRoot root, List<Run> runs) {

  /** Opens the runs a root names. */
  static IndexBase open(IndexRoot root, SegmentSet segments, IndexFiles files)
      throws StoreException {
    List<Run> runs = new ArrayList<>();
    for (RunInfo info : root.runs()) {
      runs.add(open(info, segments, files));
    }
    return new IndexBase(root, List.copyOf(runs));
  }

  /** Up to where the log holds parts of it; 0 if it holds none. */
  long endInLog() {
    long end = 0;
    for (RunInfo info : root.runs()) {
      for (RunInfo.Place place : info.places()) {
        end = place.inLog() ? Math.max(end, place.offset() + place.length()) : end;
      }
    }
    return end;
  }

  /** Opens a run. */
  static Run open(RunInfo info, SegmentSet segments, IndexFiles files) throws StoreException {
    List<PartSource> sources = new ArrayList<>();
    for (RunInfo.Place place : info.places()) {
      sources.add(source(place, segments, files));
    }
    List<EntryPart> entries = new ArrayList<>();
    for (RunInfo.Entries each : info.entries()) {
      entries.add(new EntryPart(sources.get(entries.size()), each.info()));
    }
    int next = entries.size();
    RunInfo.Table chunks = info.chunks();
    RunInfo.Table shared = info.shared();
    return new Run(
        info,
        List.copyOf(entries),
        chunks == null
            ? null
            : new TablePart(sources.get(next++), chunks.rows(), TableFormat.CHUNKS),
        shared == null ? null : new TablePart(sources.get(next), shared.rows(), TableFormat.SHARED),
        List.copyOf(sources));
  }

  private static PartSource source(RunInfo.Place place, SegmentSet segments, IndexFiles files)
      throws StoreException {
    if (!place.inLog()) {
      return files.open(place);
    }
    Segment segment = segments.get(place.segment());
    if (place.length() > segment.written() - place.offset()) {
      throw BytesIn.malformed("of the index lies outside the log: offset=" + place.offset());
    }
    return new LogPart(segment, place.offset(), place.length());
  }
}
