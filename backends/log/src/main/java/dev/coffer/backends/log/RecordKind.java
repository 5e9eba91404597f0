package dev.coffer.backends.log;

/**
 * The kinds of records. A reader that meets a kind it does not know skips it if its highest bit is
 * set and refuses the store otherwise.
 */
final class RecordKind {
  /** A packed chunk or page; {@link ChunkLayout}. */
  static final int CHUNK = 1;

  /** An entry, with its packed bytes where they are inline; {@link EntryLayout}. */
  static final int PUT = 2;

  /** A key that no longer has an entry; {@link EntryLayout}. */
  static final int DELETE = 3;

  /** Puts and deletions of a large batch together; {@link BlockLayout}. */
  static final int BLOCK = 4;

  /** A store property; {@link PropertyLayout}. */
  static final int PROPERTY = 5;

  /** A dictionary; {@link ChunkLayout}'s smaller sibling {@link DictionaryLayout}. */
  static final int DICTIONARY = 6;

  /** What makes the records before it count; {@link CommitLayout}. */
  static final int COMMIT = 7;

  /** The start of an epoch; {@link EpochLayout}. */
  static final int EPOCH = 8;

  /** The end of a cleanly closed file; {@link TrailerLayout}. */
  static final int TRAILER = 9;

  /** The segments of a folder store; {@link ManifestLayout}. Only in files of that name. */
  static final int MANIFEST = 11;

  /** What a sealed file must hash to; {@link SealLayout}. */
  static final int SEAL = 12;

  /** A part of an index run, as content; {@link EntryPart}, {@link TablePart}. */
  static final int INDEX_PART = 0x81;

  /** What opening needs to know; {@link IndexRoot}. */
  static final int INDEX_ROOT = 0x82;

  /** What makes records count that compaction moved; {@link CommitLayout}. */
  static final int MOVE = 13;

  private static final int SKIPPABLE = 0x80;

  private RecordKind() {}

  static boolean isKnown(int kind) {
    return (kind >= CHUNK && kind <= TRAILER) || kind == SEAL || kind == MOVE;
  }

  static boolean isSkippable(int kind) {
    return (kind & SKIPPABLE) != 0;
  }
}
