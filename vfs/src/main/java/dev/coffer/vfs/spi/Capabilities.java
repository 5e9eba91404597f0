package dev.coffer.vfs.spi;

import dev.coffer.vfs.Durability;

/**
 * How backends differ, by name.
 *
 * @param weakest the weakest durability it really has; weaker ones asked for are strengthened to it
 * @param readersBesideWriter whether other processes may open the store read-only while one writes
 * @param compactsInSteps whether {@link Backend#compact} honours its budget
 * @param listingsShowLoss whether a scan that meets no damage is complete; if not, rows can be lost
 *     in ways that only {@link Backend#verifyEntries} shows
 * @param checksKeys whether every key it answers was checked to be that of a path a store may hold;
 *     if not, the store checks those it shows
 */
public record Capabilities(
    Durability weakest,
    boolean readersBesideWriter,
    boolean compactsInSteps,
    boolean listingsShowLoss,
    boolean checksKeys) {}
