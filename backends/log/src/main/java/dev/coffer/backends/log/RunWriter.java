package dev.coffer.backends.log;

import dev.coffer.vfs.StoreException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes one run; used once, by one thread. */
final class RunWriter {
  /** A part ends once it is this long: the content of one record must hold it. */
  private static final long PART_BYTES = 256L * 1024 * 1024;

  private final IndexFiles files;
  private final boolean onDisk;
  private final int partRows;
  private final List<IndexFiles.NewPart> parts = new ArrayList<>();
  private final List<RunInfo.Entries> entries = new ArrayList<>();
  private RunInfo.@Nullable Table chunks;
  private RunInfo.@Nullable Table shared;
  private @Nullable EntryPartWriter open;
  private long rows;

  /**
   * @param onDisk whether parts are files from the start, as those of an open store must be
   * @param partRows the most rows of a part
   */
  RunWriter(IndexFiles files, boolean onDisk, int partRows) {
    this.files = files;
    this.onDisk = onDisk;
    this.partRows = Math.min(partRows, EntryPartWriter.MAX_ROWS);
  }

  /** Adds an entry's row, or a deletion, whose key is above all before. */
  void add(Row row) throws StoreException {
    EntryPartWriter part = open;
    if (part == null || part.rows() >= partRows || part.length() >= PART_BYTES) {
      finishPart();
      part = new EntryPartWriter(newPart().target());
      open = part;
    }
    part.add(row);
    rows++;
  }

  /** How many entries' rows were added. */
  long rows() {
    return rows;
  }

  private IndexFiles.NewPart newPart() throws StoreException {
    IndexFiles.NewPart part = files.create(onDisk);
    parts.add(part);
    return part;
  }

  private RunInfo.Place place() {
    IndexFiles.NewPart last = parts.get(parts.size() - 1);
    return new RunInfo.Place(false, 0, last.number(), last.target().length());
  }

  private void finishPart() throws StoreException {
    if (open != null) {
      EntryPartInfo info = open.finish();
      entries.add(new RunInfo.Entries(place(), info));
      open = null;
    }
  }

  /** Adds a walk over content ids; after all entries. */
  void addChunks(LayeredTable.Walk<Long, ChunkInfo> walk) throws StoreException {
    chunks = table(TableFormat.CHUNKS, walk);
  }

  /** Adds a walk over shared places; after all entries. */
  void addShared(LayeredTable.Walk<Location, Integer> walk) throws StoreException {
    shared = table(TableFormat.SHARED, walk);
  }

  private <K extends Comparable<K>, V> RunInfo.@Nullable Table table(
      TableFormat<K, V> format, LayeredTable.Walk<K, V> walk) throws StoreException {
    finishPart();
    if (!walk.next()) {
      return null;
    }
    TablePart.Writer writer = new TablePart.Writer(newPart().target(), format);
    do {
      writer.add(format.row(walk.key(), walk.value()));
    } while (walk.next());
    long count = writer.finish();
    return new RunInfo.Table(place(), count);
  }

  /** Ends the run: makes its parts durable files; answers what a root says of it. */
  RunInfo store() throws StoreException {
    finishPart();
    for (IndexFiles.NewPart part : parts) {
      part.target().store();
    }
    return new RunInfo(entries, chunks, shared);
  }

  /** Ends the run by appending its parts to the log; answers what a root says of it. */
  RunInfo append(Segment segment) throws StoreException {
    finishPart();
    RunInfo info = new RunInfo(entries, chunks, shared);
    List<RunInfo.Place> places = new ArrayList<>();
    for (IndexFiles.NewPart part : parts) {
      PartTarget target = part.target();
      places.add(append(segment, target.length(), target::read));
      target.discard();
    }
    return info.at(places);
  }

  /** Copies a run into the log. */
  static RunInfo copy(Run run, Segment segment) throws StoreException {
    List<RunInfo.Place> places = new ArrayList<>();
    for (PartSource source : run.sources()) {
      places.add(
          append(
              segment,
              source.length(),
              (position, target, length) -> source.read(position, target, 0, length)));
    }
    return run.info().at(places);
  }

  private static RunInfo.Place append(Segment segment, long length, Appender.LongContent content)
      throws StoreException {
    long offset = segment.appender().appendLong(RecordKind.INDEX_PART, 0, length, content);
    return new RunInfo.Place(true, segment.number(), offset + RecordHeader.LENGTH, length);
  }

  /** Gives up what was written. */
  void discard() {
    parts.forEach(part -> part.target().discard());
    release();
  }

  /** A root names what was written; or nothing is left of it. */
  void release() {
    parts.forEach(files::written);
  }
}
