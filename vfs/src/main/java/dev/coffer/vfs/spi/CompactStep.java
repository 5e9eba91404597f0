package dev.coffer.vfs.spi;

/**
 * What one step of compaction did.
 *
 * @param done whether nothing is left to do
 * @param movedBytes live bytes copied in this step
 * @param freedBytes by how much the store's files shrank in this step
 */
public record CompactStep(boolean done, long movedBytes, long freedBytes) {}
