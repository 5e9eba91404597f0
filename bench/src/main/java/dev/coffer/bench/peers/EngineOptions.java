package dev.coffer.bench.peers;

import dev.coffer.vfs.Durability;

/**
 * How an engine is opened.
 *
 * @param create whether there is nothing yet
 * @param readOnly whether nothing will be written
 * @param durability what each commit survives
 * @param valueLength the usual length of a value in bytes, which some engines are tuned by
 * @param plainBytes the most bytes of values the store will ever hold, which LMDB's map is sized by
 */
public record EngineOptions(
    boolean create, boolean readOnly, Durability durability, int valueLength, long plainBytes) {

  public EngineOptions creating(boolean value) {
    return new EngineOptions(value, readOnly, durability, valueLength, plainBytes);
  }

  public EngineOptions reading(boolean value) {
    return new EngineOptions(create, value, durability, valueLength, plainBytes);
  }
}
