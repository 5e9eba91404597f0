package dev.coffer.vfs.spi;

import dev.coffer.vfs.Durability;
import dev.coffer.vfs.Problem;
import dev.coffer.vfs.StoreBackendException;
import dev.coffer.vfs.StoreException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One open store as its backend keeps it.
 *
 * <p>Read through the backend itself, every method sees the newest commit at the moment of its
 * call, BUFFERED ones included. {@link #commit}, {@link #compact} and {@link #force} are called by
 * one thread at a time, never during one another; everything else, {@link #stage} and {@link
 * #close} included, from any thread at any time. Interrupting a thread inside a backend neither
 * closes it nor changes a result; the flag stays set.
 *
 * <p>A failed {@link #force}, or a failed commit that cannot be undone for certain, latches the
 * backend: every later write throws {@link dev.coffer.vfs.StoreFailedException}, reads go on.
 *
 * <p><b>Content</b> is immutable and counted by references: from entries, and from table pages to
 * their children. What is staged has none until a page or a commit names it. Content without
 * references, pins or views may be dropped at any time after its commit and must be gone, except
 * while a writer is staging, after the next open. Ids are positive and never used twice.
 */
public interface Backend extends EntryReader, AutoCloseable {

  /** The provider's name. */
  String name();

  Capabilities capabilities();

  /** Whether writes are refused: opened read-only, sealed, or damaged. */
  boolean isReadOnly();

  /** What opening had to cut off or found damaged; empty for a clean store. */
  List<Problem> recoveryReport();

  /**
   * Keeps packed chunks and pages invisibly, without blocking commits for longer than writing them
   * takes. None is empty. A page refers to ids staged before it, or held by entries or pins
   * meanwhile.
   *
   * @return the content id of each
   */
  long[] stage(List<PackedChunk> chunks) throws StoreException;

  /**
   * Applies a commit, whole or not at all; visible when this returns.
   *
   * @throws dev.coffer.vfs.StoreFullException if there is no room; nothing happened
   * @throws dev.coffer.vfs.StoreFailedException if the store is latched, or is from now on
   */
  void commit(Commit commit, Durability durability) throws StoreException;

  /** Makes every commit so far as durable as {@link Durability#SYNC}. */
  void force() throws StoreException;

  /** A snapshot of the newest commit. */
  View openView() throws StoreException;

  /**
   * Keeps content readable through this backend until the pin is closed, though its entry may be
   * replaced meanwhile.
   *
   * @return null if it is already gone; look the entry up again
   */
  @Nullable Pin pin(Content content) throws StoreException;

  /**
   * Checks everything the store above cannot: structure, counts, references, checksums of entries
   * and of content that no entry names. Does not unpack. Does not stop at the first problem, and
   * tells each to {@code problems}.
   */
  void verify(Consumer<Problem> problems) throws StoreException;

  /**
   * Checks only that no entry was lost or altered, as cheaply as the backend can: what a whole
   * listing or extraction must know before it calls itself complete.
   */
  void verifyEntries(Consumer<Problem> problems) throws StoreException;

  /**
   * Gives back room held by dead content, moving about {@code budgetBytes} of live bytes at most
   * where {@link Capabilities#compactsInSteps}; call again until done.
   */
  CompactStep compact(long budgetBytes) throws StoreException;

  BackendStats stats() throws StoreException;

  /**
   * Makes a copy of the newest commit that is a store of its own, while commits go on: whole or
   * absent, and durable.
   *
   * @throws dev.coffer.vfs.StoreBackendException if this backend or layout makes none
   * @throws dev.coffer.vfs.StoreExistsException if something is there
   */
  default void backup(Path target) throws StoreException {
    throw new StoreBackendException(
        "backend makes no backups; copy the store while no program has it open: backend=" + name());
  }

  /**
   * Forces everything, leaves the files clean and lets go of them. Waits for calls in flight; later
   * ones throw {@link dev.coffer.vfs.StoreClosedException}. Views and pins end with it. Idempotent.
   */
  @Override
  void close() throws StoreException;
}
