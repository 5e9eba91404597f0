package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreVersionException;

/**
 * What a store uses beyond the base format, as three words of bits: who does not know a bit of
 * {@code compat} may ignore it, of {@code readOnlyCompat} may read but not write, of {@code
 * incompat} must refuse the store. The bits are listed in docs/format.md.
 */
record Features(int compat, int readOnlyCompat, int incompat) {

  static final int LENGTH = 12;

  static final Features NONE = new Features(0, 0, 0);

  /** Incompat: the file is part of a folder store. */
  static final int FOLDER = 1;

  /** Incompat: there may be metadata blocks. */
  private static final int BLOCKS = 2;

  /** Incompat: the file is sealed. */
  static final int SEALED = 4;

  private static final int KNOWN_INCOMPAT = FOLDER | BLOCKS | SEALED;

  /** What this version writes into every store. */
  static final Features WRITTEN = new Features(0, 0, BLOCKS);

  void encode(BytesOut out) {
    out.u32(compat).u32(readOnlyCompat).u32(incompat);
  }

  static Features decode(BytesIn in) throws StoreCorruptException {
    int compat = in.u32();
    int readOnlyCompat = in.u32();
    return new Features(compat, readOnlyCompat, in.u32());
  }

  Features plus(Features other) {
    return new Features(
        compat | other.compat, readOnlyCompat | other.readOnlyCompat, incompat | other.incompat);
  }

  /** Whether all that this version writes is legal. */
  boolean allowWritten() {
    return (incompat & WRITTEN.incompat) == WRITTEN.incompat;
  }

  boolean isFolder() {
    return (incompat & FOLDER) != 0;
  }

  /** Refuses a store that uses what this version does not know. */
  void requireReadable() throws StoreVersionException {
    int unknown = incompat & ~KNOWN_INCOMPAT;
    if (unknown != 0) {
      throw StoreVersionException.tooNew(
          "store uses unknown features: incompat=0x" + Integer.toHexString(unknown));
    }
  }

  boolean isWritable() {
    return readOnlyCompat == 0;
  }
}
