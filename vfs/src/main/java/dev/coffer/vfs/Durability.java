package dev.coffer.vfs;

/**
 * What a returned commit survives. Ordered from the weakest to the strongest; a backend may always
 * give more than was asked.
 */
public enum Durability {
  /**
   * Nothing, until the window closes (by time or bytes), or {@code force()} or {@code close()}
   * returns. After a crash a prefix of the commits is there.
   */
  BUFFERED,
  /**
   * The end of this process, however violent. After a power loss a prefix of the commits is there.
   */
  PROCESS,
  /** Power loss: the bytes were forced to the device before the commit returned. */
  SYNC
}
