package dev.coffer.vfs;

/**
 * How to open or create a store. Immutable; each {@code with} method answers a changed copy.
 *
 * @param backend the name of the backend for a new store: {@code log}, {@code sqlite}, {@code
 *     duckdb} or another that is installed. An existing store is recognised by its content.
 * @param layout how a new store lies on disk; not every backend has every layout
 * @param readOnly whether nothing may be written: no lock is taken and no file made or changed
 * @param durability what a commit survives where no other durability is named
 * @param level how hard the codec tries, on zstd's scale; 0 means its default, 3
 * @param chunkLength the plain length in bytes of the chunks that large files are cut into, a power
 *     of two from 4 KiB to 1 MiB
 * @param cacheBytes how many bytes of unpacked chunks are kept for random access
 */
public record StoreOptions(
    String backend,
    Layout layout,
    boolean readOnly,
    Durability durability,
    int level,
    int chunkLength,
    long cacheBytes) {

  /** The log backend, one file, SYNC, zstd's default level, chunks of 256 KiB. */
  public static final StoreOptions DEFAULT =
      new StoreOptions(
          "log", Layout.FILE, false, Durability.SYNC, 0, 256 * 1024, 16L * 1024 * 1024);

  private static final int MIN_CHUNK = 4 * 1024;
  private static final int MAX_CHUNK = 1024 * 1024;

  public StoreOptions {
    if (chunkLength < MIN_CHUNK || chunkLength > MAX_CHUNK || Integer.bitCount(chunkLength) != 1) {
      throw new IllegalArgumentException(
          "chunk length is no power of two within limits: chunkLength="
              + chunkLength
              + " min="
              + MIN_CHUNK
              + " max="
              + MAX_CHUNK);
    }
    if (level < 0 || level > 22) {
      throw new IllegalArgumentException("level is outside 0 to 22: level=" + level);
    }
    if (cacheBytes < 0) {
      throw new IllegalArgumentException("limit is negative: cacheBytes=" + cacheBytes);
    }
  }

  public StoreOptions withBackend(String name) {
    return new StoreOptions(name, layout, readOnly, durability, level, chunkLength, cacheBytes);
  }

  public StoreOptions withLayout(Layout value) {
    return new StoreOptions(backend, value, readOnly, durability, level, chunkLength, cacheBytes);
  }

  public StoreOptions withReadOnly(boolean value) {
    return new StoreOptions(backend, layout, value, durability, level, chunkLength, cacheBytes);
  }

  public StoreOptions withDurability(Durability value) {
    return new StoreOptions(backend, layout, readOnly, value, level, chunkLength, cacheBytes);
  }

  public StoreOptions withLevel(int value) {
    return new StoreOptions(backend, layout, readOnly, durability, value, chunkLength, cacheBytes);
  }

  public StoreOptions withChunkLength(int bytes) {
    return new StoreOptions(backend, layout, readOnly, durability, level, bytes, cacheBytes);
  }

  public StoreOptions withCacheBytes(long bytes) {
    return new StoreOptions(backend, layout, readOnly, durability, level, chunkLength, bytes);
  }
}
