package dev.coffer.vfs.spi;

import dev.coffer.codecs.Dictionary;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;

/**
 * A set of changes that becomes visible, and durable, all at once. Immutable.
 *
 * <p>Preconditions are not here: the store's commit queue checks them against the backend and the
 * requests before, as the only writer, and what reaches a backend already holds.
 *
 * @param sequence one more than that of the backend's last commit
 * @param time when it was made
 * @param changes at most one a key, in key order
 * @param properties store properties to set; an empty value deletes
 * @param dictionaries dictionaries to keep from now on
 */
public record Commit(
    long sequence,
    Instant time,
    List<Change> changes,
    SortedMap<String, String> properties,
    List<Dictionary> dictionaries) {}
