/**
 * What a backend's author implements.
 *
 * <p>A backend keeps three things: <em>entries</em> under ordered keys, <em>content</em> (packed
 * chunks and chunk-table pages) under ids it hands out, and a few <em>properties</em>. It changes
 * them in commits, each atomic. It knows nothing of paths beyond their order, of codecs, or of how
 * files are cut into chunks.
 *
 * <p>The store calls {@link dev.coffer.vfs.spi.Backend#commit}, {@link
 * dev.coffer.vfs.spi.Backend#compact} and {@link dev.coffer.vfs.spi.Backend#force} from one thread
 * at a time; everything else from any thread at any time.
 */
@NullMarked
package dev.coffer.vfs.spi;

import org.jspecify.annotations.NullMarked;
