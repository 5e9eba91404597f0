package dev.coffer.vfs;

/**
 * Figures of a store at one moment.
 *
 * @param backend the backend's name
 * @param sequence the sequence of the last commit
 * @param entries how many entries there are
 * @param liveBytes packed bytes reachable from entries, or -1 if the backend does not know
 * @param fileBytes bytes of all the store's files on disk
 */
public record StoreStats(
    String backend, long sequence, long entries, long liveBytes, long fileBytes) {}
