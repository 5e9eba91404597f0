package dev.coffer.vfs.spi;

/**
 * Figures a backend knows without reading everything.
 *
 * @param entries how many entries there are
 * @param liveBytes packed bytes reachable from entries, or -1 if not known
 * @param fileBytes bytes of all its files on disk
 */
public record BackendStats(long entries, long liveBytes, long fileBytes) {}
