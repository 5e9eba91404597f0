package dev.coffer.vfs;

/** How a batch packs the small files it is given as arrays. */
public enum Packing {
  /** Each by itself: cheapest to read and to replace. */
  ALONE,

  /**
   * Many of one kind, which their names' extensions tell, in one chunk, where that saves enough. A
   * third of the size is common for source code and records. Reading one unpacks its chunk, which
   * is then at hand for its neighbours; replacing one leaves its bytes in the chunk until nothing
   * needs that any more. Equal files of a batch share their content. Packed by several threads;
   * equal batches make equal chunks.
   */
  CLUSTERED
}
