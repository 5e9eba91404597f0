package dev.coffer.vfs.spi;

import dev.coffer.codecs.Dictionary;
import dev.coffer.vfs.StoreException;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads entries and content; all methods may be called from any thread.
 *
 * <p>Every method throws {@link dev.coffer.vfs.StoreCorruptException} where stored bytes are not
 * what was written (entries are checked by the backend, content by the store), {@link
 * dev.coffer.vfs.StoreClosedException} after close, and {@link
 * dev.coffer.vfs.StoreBackendException} on an I/O error.
 */
public interface EntryReader {

  /** The sequence of the last commit this reader sees; 0 for an empty store. */
  long sequence();

  /** The entry at a key, or null. */
  @Nullable Entry lookup(EntryKey key) throws StoreException;

  /**
   * Up to {@code limit} entries of a range in key order, from the first or from the one after
   * {@code after} on; fewer than {@code limit} means the end. {@code after} need not exist (any
   * more).
   */
  List<Entry> scan(ScanRange range, @Nullable EntryKey after, int limit) throws StoreException;

  /**
   * Reads the packed chunk or page of a content id into {@code target}.
   *
   * @return false if no such content is there (any more): unless it is pinned or read through a
   *     view, its entry may have been replaced meanwhile, so look that up again; if the entry is
   *     still the same version, the store is damaged
   */
  boolean readChunk(long contentId, ChunkBuffer target) throws StoreException;

  /** Reads a located chunk, as {@link #readChunk} does. */
  boolean readLocated(Content.Located content, ChunkBuffer target) throws StoreException;

  /** The dictionary of an id, checked against its hash, or null. */
  @Nullable Dictionary dictionary(long id) throws StoreException;

  /** All store properties. */
  SortedMap<String, String> properties() throws StoreException;
}
